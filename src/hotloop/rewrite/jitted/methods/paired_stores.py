"""Two stores of every second element become one store of neighbours.

What it changes: ``tl.store(p + 2 * i, a)`` and ``tl.store(p + 2 * i + 1, b)`` become ``tl.store(p + pairs, tl.interleave(a, b))`` with ``pairs`` a range
twice as long, so that a thread stores several neighbours at once; a mask ``i < n`` becomes ``pairs < n * 2``.
When it applies: the stores follow each other, differ by one element and have the same mask, and ``i`` is a range, perhaps plus what is the same for
all its elements.
What it costs: an exchange of elements between threads at most.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from hotloop.rewrite.jitted.flow import blocks, loads
from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.kinds import pointer
from hotloop.rewrite.jitted.sums import by_two, meanings, terms

_DEEP = 10
"""Variables put in for each other before an address is given up."""


@dataclass(frozen=True, slots=True)
class _Range:
    """What an address has twice: ``start + tl.arange(0, extent)``."""

    extent: str
    start: tuple[ast.expr, ...]
    whole: str
    """Terms of the address as a text that can be compared."""


def apply(script: Script, _value: int | str) -> Script:
    """Join each two stores of one range of pairs."""
    meaning, edits, joined = meanings(script), list[Edit](), 0
    for first, second in _neighbours(script):
        name = script.fresh(f"pairs_{joined + 1}" if joined else "pairs", f"store_pairs_{joined + 1}")
        if text := _joined(script, meaning, (first, second), name):
            joined += 1
            edits += [Edit(first, text), _gone(script, second)]
    if not edits:
        raise RefusedError("no two stores of it take every second element in turns")
    return script.edited(edits)


def _gone(script: Script, node: ast.Expr) -> Edit:
    """Return the edit that takes a statement away with the line that it begins."""
    place = ast.Pass()
    place.lineno, place.col_offset = node.lineno - 1, len(script.text.splitlines()[node.lineno - 2].encode())
    place.end_lineno, place.end_col_offset = node.end_lineno, node.end_col_offset
    return Edit(place, "")


def _neighbours(script: Script) -> Iterator[tuple[ast.Expr, ast.Expr]]:
    """Yield stores that stand on lines that follow each other."""
    for node in ast.walk(script.kernel):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            for first, second in pairwise(body if isinstance(body, list) else ()):
                stores = isinstance(first, ast.Expr) and isinstance(second, ast.Expr)
                stores = stores and all(script.is_call(one.value, "store") for one in (first, second))
                if stores and first.end_lineno == second.lineno - 1:
                    yield first, second


def _joined(
    script: Script, meaning: Mapping[str, ast.expr], stores: tuple[ast.Expr, ast.Expr], name: str
) -> str | None:
    """Return what stands for two stores; None where they are no pair."""
    one, other = (store.value for store in stores)
    assert isinstance(one, ast.Call)
    assert isinstance(other, ast.Call)
    given, more = ({k.arg: ast.unparse(k.value) for k in call.keywords} for call in (one, other))
    if [len(one.args), len(other.args)] != [2, 2] or given != more or not pointer(one.args[0]):
        return None
    first, later = (terms(call.args[0], meaning) for call in (one, other))
    pairs = [
        (at, every_second) for at, term in enumerate(first) if (every_second := _every_second(script, term, meaning))
    ]
    if Counter(map(ast.unparse, later)) - Counter(map(ast.unparse, first)) != {"1": 1} or len(pairs) != 1:
        return None
    if Counter(map(ast.unparse, first)) - Counter(map(ast.unparse, later)) or any(script.calls(other, "load")):
        return None
    (at, every_second) = pairs[0]
    rest = [term for place, term in enumerate(first) if place != at]
    keywords = _keywords(script, one, meaning, every_second.whole, name)
    if keywords is None or any(_depends(script, term, meaning) for term in rest):
        return None
    tl, pad = script.tl, " " * stores[0].col_offset
    start = "".join(f"({script.source(term)}) * 2 + " for term in every_second.start)
    address = " + ".join([*map(ast.unparse, rest), name])
    values = f"{tl}.interleave({script.source(one.args[1])}, {script.source(other.args[1])})"
    head = f"{name} = {start}{tl}.arange(0, 2 * ({every_second.extent}))"
    return f"{head}\n{pad}{tl}.store({address}, {values}{keywords})"


def _keywords(script: Script, call: ast.Call, meaning: Mapping[str, ast.expr], own: str, name: str) -> str | None:
    """Return the keywords of the joined store; None where its mask has no form for pairs."""
    text = ""
    for keyword in call.keywords:
        if keyword.arg != "mask":
            text += f", {keyword.arg}={script.source(keyword.value)}"
            continue
        parts = [_masked(script, part, meaning, own, name) for part in _anded(keyword.value)]
        if None in parts:
            return None
        text += f", mask={' & '.join(f'({part})' for part in parts) if len(parts) > 1 else parts[0]}"
    return text


def _masked(script: Script, part: ast.expr, meaning: Mapping[str, ast.expr], own: str, name: str) -> str | None:
    """Return a part of a mask for pairs; None where it asks something else of the range than whether it is below a number."""
    meant = meaning.get(part.id, part) if isinstance(part, ast.Name) else part
    match meant:
        case ast.Compare(left=left, ops=[ast.Lt()], comparators=[right]) if _whole(left, meaning) == own:
            return f"{name} < ({script.source(right)}) * 2"
    return None if _depends(script, meant, meaning) else script.source(part)


def _anded(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
            return [*_anded(left), *_anded(right)]
    return [node]


def _every_second(script: Script, node: ast.expr, meaning: Mapping[str, ast.expr]) -> _Range | None:
    """Return the range that a term has twice; None where it has none."""
    half = by_two(node)
    if half is None:
        return None
    parts = _parts(half, meaning)
    ranges = [part for part in parts if script.is_call(part, "arange")]
    rest = tuple(part for part in parts if part not in ranges)
    match ranges:
        case [ast.Call(args=[ast.Constant(value=0), extent])]:
            plain = not any(_depends(script, one, meaning) for one in rest)
            return _Range(script.source(extent), rest, _whole(half, meaning)) if plain else None
    return None


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
    unknown = {name for name in loads(node) if name not in meaning}
    if next(script.calls(node, "arange"), None) or depth > _DEEP or unknown & blocks(script):
        return True
    return any(_depends(script, meaning[name], meaning, depth + 1) for name in loads(node) if name in meaning)


REWRITE = Rewrite(
    name="paired-stores",
    text=__doc__,
    technique="coalesce",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    gain=(0.95, 1.5),
    order=5,
)
