"""Two stores of every second element become one store of neighbours.

What it changes: ``tl.store(p + 2 * i, a)`` and ``tl.store(p + 2 * i + 1, b)`` become ``tl.store(p + pairs, tl.interleave(a, b))`` with ``pairs`` a range
twice as long, so that a thread stores several neighbours at once; a mask ``i < n`` becomes ``pairs < n * 2``.
When it applies: the stores follow each other, differ by one element and have the same mask, and ``i`` is a range, perhaps plus what is the same for
all its elements.
What it costs: an exchange of elements between threads at most.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from hotloop.rewrite.jitted.flow import loads
from hotloop.rewrite.jitted.form import Edit, Example, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.kinds import pointer

_DEEP = 10
"""Variables put in for each other before an address is given up."""


def apply(script: Script, _value: int | str) -> Script:
    """Join each two stores of one range of pairs."""
    meaning, edits, taken = _meaning(script), list[Edit](), set[str]()
    for first, second in _neighbours(script):
        name = next(n for number in range(1, 99) if (n := script.fresh("pairs" if number == 1 else f"pairs_{number}")) not in taken)  # fmt: skip
        if text := _joined(script, meaning, first, second, name):
            taken.add(name)
            edits += [Edit(first, text), Edit(second, "pass")]
    if not edits:
        raise RefusedError("no two stores of it take every second element in turns")
    return script.edited([one for one in edits if one.new != "pass"] + [_gone(script, one) for one in edits if one.new == "pass"])  # fmt: skip


def _gone(script: Script, edit: Edit) -> Edit:
    """Return the edit that takes a statement away with its line."""
    place = ast.Pass()
    before = script.text.splitlines()[edit.node.lineno - 2]
    place.lineno, place.col_offset = edit.node.lineno - 1, len(before.encode())
    place.end_lineno, place.end_col_offset = edit.node.end_lineno, edit.node.end_col_offset
    return Edit(place, "")


def _neighbours(script: Script) -> Iterator[tuple[ast.Expr, ast.Expr]]:
    for node in ast.walk(script.kernel):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(body, list):
                for first, second in zip(body, body[1:], strict=False):
                    if isinstance(first, ast.Expr) and isinstance(second, ast.Expr) and first.end_lineno == second.lineno - 1:  # fmt: skip
                        if script.is_call(first.value, "store") and script.is_call(second.value, "store"):
                            yield first, second


def _joined(
    script: Script, meaning: Mapping[str, ast.expr], first: ast.Expr, second: ast.Expr, name: str
) -> str | None:
    """Return what stands for two stores; None where they are no pair."""
    one, other = first.value, second.value
    assert isinstance(one, ast.Call) and isinstance(other, ast.Call)
    given = [{k.arg: ast.unparse(k.value) for k in call.keywords} for call in (one, other)]
    if len(one.args) != 2 or len(other.args) != 2 or given[0] != given[1]:  # noqa: PLR2004
        return None
    terms, later = (_terms(call.args[0], meaning) for call in (one, other))
    rest = [term for term in map(ast.unparse, later)]
    for term in map(ast.unparse, terms):
        if term in rest:
            rest.remove(term)
    pairs = [(at, range_) for at, term in enumerate(terms) if (range_ := _every_second(script, term, meaning))]
    if rest != ["1"] or len(terms) + 1 != len(later) or len(pairs) != 1 or not pointer(one.args[0]):
        return None
    at, (extent, start, own) = pairs[0]
    names = loads(own)
    if any(_depends(script, term, meaning) for place, term in enumerate(terms) if place != at):
        return None
    tl, pad = script.tl, " " * first.col_offset
    head = f"{name} = {''.join(f'({script.source(s)}) * 2 + ' for s in start)}{tl}.arange(0, 2 * ({extent}))"
    address = " + ".join([*(ast.unparse(t) for p, t in enumerate(terms) if p != at), name])
    values = f"{tl}.interleave({script.source(one.args[1])}, {script.source(other.args[1])})"
    more = _keywords(script, one, meaning, ast.unparse(own), name)
    if more is None or not names | {"_"}:
        return None
    return f"{head}\n{pad}{tl}.store({address}, {values}{more})"


def _keywords(script: Script, call: ast.Call, meaning: Mapping[str, ast.expr], own: str, name: str) -> str | None:
    text = ""
    for keyword in call.keywords:
        if keyword.arg != "mask":
            text += f", {keyword.arg}={script.source(keyword.value)}"
            continue
        parts = []
        for part in _anded(keyword.value):
            meant = meaning.get(part.id, part) if isinstance(part, ast.Name) else part
            match meant:
                case ast.Compare(left=left, ops=[ast.Lt()], comparators=[right]) if _whole(left, meaning) == own:
                    parts.append(f"({name} < ({script.source(right)}) * 2)")
                case _ if _depends(script, meant, meaning):
                    return None
                case _:
                    parts.append(script.source(part))
        text += f", mask={' & '.join(parts)}" if len(parts) > 1 else f", mask={parts[0][1:-1]}" if parts[0][0] == "(" else f", mask={parts[0]}"  # fmt: skip
    return text


def _anded(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
            return [*_anded(left), *_anded(right)]
    return [node]


def _meaning(script: Script) -> dict[str, ast.expr]:
    """Return by variable that is given one value its expression."""
    every = [n.id for n in ast.walk(script.kernel) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    found: dict[str, ast.expr] = {}
    for node in ast.walk(script.kernel):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if every.count(name) == 1:
                found[name] = value
    return found


def _terms(node: ast.expr, meaning: Mapping[str, ast.expr], depth: int = 0) -> list[ast.expr]:
    """Return the terms of a sum, with the sums that its variables stand for."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_terms(left, meaning, depth), *_terms(right, meaning, depth)]
        case ast.Name(id=name) if depth < _DEEP and isinstance(meaning.get(name), ast.BinOp):
            meant = meaning[name]
            assert isinstance(meant, ast.BinOp)
            if isinstance(meant.op, ast.Add) or _by_two(meant) is not None:
                return _terms(meant, meaning, depth + 1)
    return [node]


def _by_two(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.BinOp(left=one, op=ast.Mult(), right=ast.Constant(value=2)):
            return one
        case ast.BinOp(left=ast.Constant(value=2), op=ast.Mult(), right=one):
            return one
    return None


def _every_second(
    script: Script, node: ast.expr, meaning: Mapping[str, ast.expr]
) -> tuple[str, list[ast.expr], ast.expr] | None:
    """Return extent, start and text of a range that a term has twice; None where it is none."""
    half = _by_two(node)
    if half is None:
        return None
    parts = _parts(half, meaning)
    ranges = [one for one in parts if script.is_call(one, "arange")]
    rest = [one for one in parts if one not in ranges]
    if len(ranges) != 1 or any(_depends(script, one, meaning) for one in rest):
        return None
    (found,) = ranges
    assert isinstance(found, ast.Call)
    if len(found.args) != 2 or ast.unparse(found.args[0]) != "0":  # noqa: PLR2004
        return None
    return script.source(found.args[1]), rest, ast.parse(_whole(half, meaning), mode="eval").body


def _parts(node: ast.expr, meaning: Mapping[str, ast.expr], depth: int = 0) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [*_parts(left, meaning, depth), *_parts(right, meaning, depth)]
        case ast.Name(id=name) if depth < _DEEP and name in meaning:
            made = _parts(meaning[name], meaning, depth + 1)
            return made if len(made) > 1 or isinstance(made[0], ast.Call) else [node]
    return [node]


def _whole(node: ast.expr, meaning: Mapping[str, ast.expr]) -> str:
    """Return a range's parts as a text that can be compared."""
    return " + ".join(sorted(map(ast.unparse, _parts(node, meaning))))


def _depends(script: Script, node: ast.AST, meaning: Mapping[str, ast.expr], depth: int = 0) -> bool:
    """Tell whether a piece may differ within a range: it has one, or a variable that has."""
    if next(script.calls(node, "arange"), None) or depth > _DEEP:
        return True
    return any(_depends(script, meaning[name], meaning, depth + 1) for name in loads(node) if name in meaning)


_BEFORE = """import triton
import triton.language as tl


@triton.jit
def unpacked(y, x, n, BLOCK: tl.constexpr):
    first = tl.program_id(0) * BLOCK
    i = first + tl.arange(0, BLOCK)
    both = tl.load(x + i, mask=i < n)
    tl.store(y + i * 2, both * 0.5, mask=i < n)
    tl.store(y + i * 2 + 1, both + 1.0, mask=i < n)
"""
_AFTER = """import triton
import triton.language as tl


@triton.jit
def unpacked(y, x, n, BLOCK: tl.constexpr):
    first = tl.program_id(0) * BLOCK
    i = first + tl.arange(0, BLOCK)
    both = tl.load(x + i, mask=i < n)
    pairs = (first) * 2 + tl.arange(0, 2 * (BLOCK))
    tl.store(y + pairs, tl.interleave(both * 0.5, both + 1.0), mask=pairs < (n) * 2)
"""

REWRITE = Rewrite(
    name="paired-stores",
    text=__doc__,
    technique="coalesce",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    gain=(0.95, 1.5),
    opens=False,
    order=5,
    examples=(
        Example(_BEFORE, _AFTER, 1),
        Example(_BEFORE.replace("i * 2 + 1", "i * 2 + 2"), "", 1),
        Example(_BEFORE.replace("i * 2", "i * 3"), "", 1),
        Example(_BEFORE.replace("+ 1.0, mask=i < n", "+ 1.0, mask=i < n - 1"), "", 1),
    ),
    twin=("tl.interleave(both * 0.5, both + 1.0)", "tl.interleave(both + 1.0, both * 0.5)"),
)
