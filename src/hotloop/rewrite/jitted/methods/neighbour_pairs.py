"""Two loads, or two stores, of neighbouring elements become one of pairs.

What it changes: ``a = tl.load(p + 2 * i)`` and ``b = tl.load(p + 2 * i + 1)`` become ``a, b = tl.split(tl.load(...))`` of a block with one more
dimension, of two elements; two such stores become one of ``tl.join(a, b)``. Blocks may have any number of dimensions.
When it applies: the addresses are those of blocks, differ by one element and go by twos, the masks are the same, and between the statements nothing is stored.
Where places are multiplied with a stride, ``(2 * i + 1) * stride``, it must be 1 in the launch.
What it costs: an exchange of elements between threads at most.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise, product

from hotloop.rewrite.jitted.flow import blocks, loads, stores
from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.kinds import pointer
from hotloop.rewrite.jitted.sums import meanings, terms


def apply(script: Script, _value: int | str) -> Script:
    """Join all pairs."""
    edits, count = list[Edit](), 0
    for (first, one), (second, other), _ in _pairs(script, meanings(script)):
        if script.is_call(one, "store"):
            edits += [Edit(first, _stored(script, one, other)), Edit(second, "pass")]
        elif not stores([first]) & loads(other):
            count += 1
            edits += _loaded(script, first, (one, other), count)
    if not edits:
        raise RefusedError("no two loads or stores of it take neighbouring elements, by twos")
    return script.edited(edits)


def guard(script: Script, _value: int | str) -> str:
    """Return which strides must be 1."""
    units = {unit for _, _, unit in _pairs(script, meanings(script)) if unit}
    return " and ".join(f"{unit} == 1" for unit in sorted(units))


_Access = tuple[ast.stmt, ast.Call]


def _pairs(script: Script, meaning: Mapping[str, ast.expr]) -> Iterator[tuple[_Access, _Access, str]]:
    """Yield statements that follow each other and make a pair, each at most once, with their loads or stores and the stride that must be 1."""
    for node in ast.walk(script.kernel):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            taken: ast.stmt | None = None
            for first, second in pairwise(body if isinstance(body, list) else ()):
                one, other = (_only(script, statement) for statement in (first, second))
                if first is taken or not one or not other:
                    continue
                if (unit := _paired(script, meaning, one, other)) is not None:
                    taken = second
                    yield (first, one), (second, other), unit


def _only(script: Script, node: ast.stmt) -> ast.Call | None:
    """Return the only load or store of a simple statement."""
    if not isinstance(node, ast.Assign | ast.Expr):
        return None
    calls = [*script.calls(node, "load", "store")]
    whole = len(calls) == 1 and (script.is_call(calls[0], "load") or getattr(node, "value", None) is calls[0])
    return calls[0] if whole else None


def _paired(script: Script, meaning: Mapping[str, ast.expr], one: ast.Call, other: ast.Call) -> str | None:
    """Return the stride that must be 1 (empty: none) for the second to take the element behind each of the first's; None where it does not."""
    kind = "store" if script.is_call(one, "store") else "load"
    given, more = ({k.arg: ast.unparse(k.value) for k in call.keywords} for call in (one, other))
    count = 2 if kind == "store" else 1
    if not script.is_call(other, kind) or [len(one.args), len(other.args)] != [count, count] or given != more:
        return None
    if None in given or not pointer(one.args[0]) or not _blocked(script, one.args[0]):
        return None
    before, behind = (terms(call.args[0], meaning) for call in (one, other))
    if _behind(before, behind, meaning):
        return ""
    return _unit(script, before, behind, meaning)


def _blocked(script: Script, node: ast.expr) -> bool:
    """Tell whether an address is one of a block: two numbers alone are not worth what their strides would have to be."""
    return bool(loads(node) & blocks(script)) or any(script.calls(node, "arange"))


def _behind(before: list[ast.expr], behind: list[ast.expr], meaning: Mapping[str, ast.expr]) -> bool:
    """Tell whether a sum is another one plus 1 that goes by twos."""
    (names, start), (later, second) = (_apart(sums) for sums in (before, behind))
    return names == later and start % 2 == 0 and second == start + 1 and any(_by_twos(t, meaning) for t in before)


def _unit(
    script: Script, before: list[ast.expr], behind: list[ast.expr], meaning: Mapping[str, ast.expr]
) -> str | None:
    """Return the parameter that the only differing terms of two sums are places of neighbours times."""
    texts, later = ({ast.unparse(term): term for term in sums} for sums in (before, behind))
    own, others = (
        [every[text] for text in every.keys() - rest.keys()] for every, rest in ((texts, later), (later, texts))
    )
    if len(own) != 1 or len(others) != 1 or len(before) != len(behind):
        return None
    given = {argument.arg for argument in script.kernel.args.args} - stores(script.kernel.body)
    for (place, unit), (second, same) in product(*(_strided(term, given) for term in (own[0], others[0]))):
        if unit == same and _behind(terms(place, meaning), terms(second, meaning), meaning):
            return unit
    return None


def _strided(term: ast.expr, given: set[str]) -> Iterator[tuple[ast.expr, str]]:
    """Yield places, without their further dimensions, and the parameter that they are multiplied with."""
    if isinstance(term, ast.BinOp) and isinstance(term.op, ast.Mult):
        for place, unit in ((term.left, term.right), (term.right, term.left)):
            if isinstance(unit, ast.Name) and unit.id in given:
                yield place.value if isinstance(place, ast.Subscript) else place, unit.id


def _apart(terms: list[ast.expr]) -> tuple[Counter[str], int]:
    """Return the terms of an address that are no whole numbers, and the sum of those that are."""
    rest, start = Counter[str](), 0
    for one in terms:
        if isinstance(one, ast.Constant) and isinstance(one.value, int):
            start += one.value
        else:
            rest[ast.unparse(one)] += 1
    return rest, start


def _by_twos(term: ast.expr, meaning: Mapping[str, ast.expr]) -> bool:
    """Tell whether a term goes by twos, fours or the like: a block times an even number, or a column of such ones."""
    match term:
        case ast.Subscript(value=value):
            return _by_twos(value, meaning)
        case ast.Name(id=name) if isinstance(meaning.get(name), ast.BinOp | ast.Subscript):
            return _by_twos(meaning[name], meaning)
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            numbers = [one.value for one in (left, right) if isinstance(one, ast.Constant)]
            return any(isinstance(number, int) and number > 0 and number % 2 == 0 for number in numbers)
    return False


def _wide(script: Script, call: ast.Call) -> tuple[str, str]:
    """Return the address and the keywords for a block of pairs."""
    tl, text = script.tl, ""
    for keyword in call.keywords:
        value = script.source(keyword.value)
        block = loads(keyword.value) and (keyword.arg == "mask" or loads(keyword.value) & blocks(script))
        text += f", {keyword.arg}={f'{tl}.expand_dims({value}, -1)' if block else value}"
    return f"{tl}.expand_dims({script.source(call.args[0])}, -1) + {tl}.arange(0, 2)", text


def _stored(script: Script, one: ast.Call, other: ast.Call) -> str:
    address, keywords = _wide(script, one)
    values = f"{script.tl}.join({script.source(one.args[1])}, {script.source(other.args[1])})"
    return f"{script.tl}.store({address}, {values}{keywords})"


def _loaded(script: Script, first: ast.stmt, calls: tuple[ast.Call, ast.Call], count: int) -> Iterator[Edit]:
    address, keywords = _wide(script, calls[0])
    even, odd = (script.fresh(f"{name}_{count}") for name in ("even", "odd"))
    head = f"{even}, {odd} = {script.tl}.split({script.tl}.load({address}{keywords}))\n{' ' * first.col_offset}"
    yield Edit(first, head, "before")
    yield from (Edit(call, name) for call, name in zip(calls, (even, odd), strict=True))


REWRITE = Rewrite(
    name="neighbour-pairs",
    text=__doc__,
    technique="coalesce",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    guard=guard,
    gain=(0.97, 1.6),
    order=28,
)
