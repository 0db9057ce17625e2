"""Masks that are true for all elements go away.

What it changes: ``mask=`` and ``other=`` of loads and stores whose mask compares whole blocks with a size that is whole blocks, and
``boundary_check=`` of block pointers likewise. ``multiples`` takes sizes that are divided by their block (``n % BLOCK == 0``), ``exact``
those that are one block (``n == BLOCK``), ``all`` both.
When it applies: offsets are numbers of programs or rounds times a block, plus ``tl.arange(0, BLOCK)``; the sizes of the launch fit. For
others the text is wrong: the host must choose.
What it costs: nothing; comparisons and selects go away, and loads may become wider.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from hotloop.rewrite.jitted.bounds import Bounds
from hotloop.rewrite.jitted.calls import keyword_of
from hotloop.rewrite.jitted.form import Cut, Edit, Keeps, RefusedError, Rewrite, Script


def apply(script: Script, value: int | str) -> Script:
    """Take the masks away that conditions of the asked kind prove."""
    proven = dict(_proven(script, value))
    if not proven:
        raise RefusedError("no mask of it compares whole blocks with a size of whole blocks")
    edits = []
    for call, (names, rest, _) in proven.items():
        edits += list(_without(script, call, names, rest))
    return _swept(script.edited(edits), script)


def guard(script: Script, value: int | str) -> str:
    """Return what the sizes must satisfy."""
    every = [condition for _, (_, _, conditions) in _proven(script, value) for condition in conditions]
    return " and ".join(dict.fromkeys(every))


_Proof = tuple[tuple[str, ...], str, tuple[str, ...]]
"""Arguments that go, what stands in the place of the first, and the conditions."""


def _proven(script: Script, value: int | str) -> Iterator[tuple[ast.Call, _Proof]]:
    bounds = Bounds(script)
    for call in script.calls(script.kernel, "load", "store"):
        proof = _masked(script, bounds, call, value) or _checked(script, bounds, call, value)
        if proof is not None and call.args:
            yield call, proof


def _fits(conditions: tuple[str, ...] | None, value: int | str) -> bool:
    """Tell whether conditions are of the asked kind."""
    if conditions is None:
        return False
    exact = any("%" not in condition for condition in conditions[:1])
    return value == "all" or exact == (value == "exact")


def _masked(script: Script, bounds: Bounds, call: ast.Call, value: int | str) -> _Proof | None:
    place = 1 if script.is_call(call, "load") else 2
    mask = call.args[place] if len(call.args) > place else keyword_of(call, "mask")
    if mask is None or len(call.args) > place + 1:
        return None
    parts = _parts(bounds, mask)
    proofs = [bounds.mask(part) for part in parts]
    kept = [script.source(one) for one, proof in zip(parts, proofs, strict=True) if not _fits(proof, value)]
    conditions = tuple(c for proof in proofs if proof is not None and _fits(proof, value) for c in proof)
    if len(kept) == len(parts):
        return None
    whole = " & ".join(f"({one})" if len(kept) > 1 and " " in one else one for one in kept)
    return (("mask",) if kept else ("mask", "other")), whole, conditions


def _parts(bounds: Bounds, mask: ast.expr) -> list[ast.expr]:
    """Return the operands that a mask joins by ``&``."""
    meant = bounds.meant(mask)
    if isinstance(meant, ast.BinOp) and isinstance(meant.op, ast.BitAnd):
        return [*_parts(bounds, meant.left), *_parts(bounds, meant.right)]
    return [mask]


def _checked(script: Script, bounds: Bounds, call: ast.Call, value: int | str) -> _Proof | None:
    """Return the proof for a block pointer whose every definition lies within its shape."""
    dims = keyword_of(call, "boundary_check")
    if not isinstance(dims, ast.Tuple | ast.List) or not call.args or not isinstance(call.args[0], ast.Name):
        return None
    made = list(_definitions(script, call.args[0].id))
    kept, conditions = [], []
    for dim in dims.elts:
        proofs = [_within(bounds, one, dim) for one in made]
        if not made or not all(_fits(one, value) for one in proofs):
            kept.append(script.source(dim))
        else:
            conditions += [c for one in proofs if one for c in one]
    if len(kept) == len(dims.elts):
        return None
    names = ("boundary_check",) if kept else ("boundary_check", "padding_option")
    return names, f"({', '.join(kept)},)" if kept else "", tuple(conditions)


def _definitions(script: Script, name: str) -> Iterator[ast.Call | None]:
    """Yield the definitions of a block pointer; steps from block to block do not count, and None stands for anything else."""
    for node in ast.walk(script.kernel):
        match node:
            case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                if script.is_call(value, "make_block_ptr"):
                    yield value  # type: ignore[misc]
                elif not script.is_call(value, "advance"):
                    yield None
                else:
                    yield from _steps(value)


def _steps(call: ast.expr) -> Iterator[ast.Call | None]:
    """Yield None for steps that are not products of constants, because nothing is known about them."""
    assert isinstance(call, ast.Call)
    steps = call.args[1] if len(call.args) > 1 else None
    if not isinstance(steps, ast.Tuple | ast.List) or not all(
        isinstance(one, ast.Constant | ast.Name) for one in steps.elts
    ):
        yield None


def _within(bounds: Bounds, made: ast.Call | None, dim: ast.expr) -> tuple[str, ...] | None:
    if made is None or not isinstance(dim, ast.Constant) or not isinstance(dim.value, int):
        return None
    given = dict(zip(("base", "shape", "strides", "offsets", "block_shape"), made.args, strict=False))
    given |= {keyword.arg: keyword.value for keyword in made.keywords if keyword.arg}
    rows = [given.get(name) for name in ("shape", "offsets", "block_shape")]
    if not all(isinstance(row, ast.Tuple | ast.List) and dim.value < len(row.elts) for row in rows):
        return None
    shape, offset, block = (row.elts[dim.value] for row in rows)  # type: ignore[union-attr]
    own = [] if isinstance(offset, ast.Constant) and offset.value == 0 else [offset]
    return bounds.whole(own, shape, block)


def _without(script: Script, call: ast.Call, names: tuple[str, ...], rest: str) -> Iterator[Edit]:
    """Yield edits that take arguments away, or put what is left of the first in its place."""
    place = 1 if script.is_call(call, "load") else 2
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    positional = len(call.args) > place and "mask" in names
    gone = [call.args[place]] if positional else []
    gone += [keywords[name] for name in names if name in keywords]
    if rest:
        yield Edit(gone[0], rest)
        return
    every = sorted([*call.args, *keywords.values()], key=lambda one: (one.end_lineno or 0, one.end_col_offset or 0))
    for one in gone:
        yield Cut(every[every.index(one) - 1], "", until=one)


def _swept(script: Script, before: Script) -> Script:
    """Return the text without masks that nothing uses any more."""
    used = [one.id for one in ast.walk(script.kernel) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
    once = [one.id for one in ast.walk(before.kernel) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)]
    edits = []
    for body in (getattr(inner, "body", None) for inner in ast.walk(script.kernel)):
        for earlier, node in zip(body or [], (body or [])[1:], strict=False) if isinstance(body, list) else ():
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Compare() | ast.BinOp()):
                    if name not in used and name in once:
                        edits.append(Cut(earlier, "", until=node))  # type: ignore[arg-type]
    return script.edited(edits)


REWRITE = Rewrite(
    name="unmasked",
    text=__doc__,
    technique="skip-masked-work",
    keeps=Keeps.BITS,
    values=("off", "all", "multiples", "exact"),
    apply=apply,
    gain=(0.99, 1.1),
    guard=guard,
    order=4,
)
