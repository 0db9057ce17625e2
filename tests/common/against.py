"""Rewritten forms of a drawn kernel against its own text, bit by bit where the rewrites keep bits, beside pages that nobody may touch."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from drawn import Drawn, filled  # type: ignore[import-not-found]
from numpy.typing import NDArray

from hotloop.app.bare import moves
from hotloop.app.bare.plan import GROUP, planner
from hotloop.app.bare.source import Source
from hotloop.app.bare.wish import Wish
from hotloop.app.session import Options, local_engine
from hotloop.model.kernel import Offer
from hotloop.model.outcome import ARGUMENT_INFO, Artifact
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.record import Record, Scalar
from hotloop.model.space import Config, Space
from hotloop.ports import BAND_BYTES, END, Executed, Run
from hotloop.rewrite import expand
from hotloop.rewrite.catalogue import rewrites
from hotloop.rewrite.form import APART, Keeps

NAMED = {"n": 70, "h": 21, "m": 11}
OTHERS = ({"n": 37, "h": 9, "m": 5}, {"n": 64, "h": 16, "m": 13}, {"n": 3, "h": 2, "m": 1})
"""Sizes beside those that were named; of forms that hold named sizes fast, only these."""
_CLOSE = 1e-4
"""Relative difference up to which sums in another order are the same."""
_COUNTS = "own-counts"
"""Rewrite that is asked for only where a text counts."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one form."""

    kind: str
    """``run``, ``refused`` (the whole text is not understood), ``own`` (the text itself ends) or ``runtime`` (which makes other results of
    the text when it makes no vectors of work-items: nobody knows which are right)."""
    changes: Mapping[str, Scalar]
    wrong: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A drawn kernel as `optimize` sees it."""

    source: Source
    space: Space
    start: Config
    problem: Problem
    offers: tuple[Offer, ...]


class Bench:
    """A worker that runs forms."""

    def __init__(self, limit_s: float = 20.0) -> None:
        self.engine = local_engine(Options(limit_s=limit_s))
        self.device = self.engine.select("")

    def close(self) -> None:
        """End the worker."""
        self.engine.close()

    def prepared(self, kernel: Drawn) -> Prepared | None:
        """Return a kernel with what is offered for it; None where it does not build."""
        sizes = {name: NAMED[name] for name in kernel.sizes}
        wish = Wish(sizes={k: str(v) for k, v in sizes.items()}, globals={"*": ",".join(kernel.extents)})
        path = Path("drawn.cl")
        built = self.engine.build(Program("opencl", kernel.text, (ARGUMENT_INFO,)))
        if not isinstance(built, Artifact):
            return None
        signatures = dict(built.signatures)
        read = expand.read(kernel.text, (), filled=False)
        source = Source(path, kernel.text, read, signatures, expand.typedefs(kernel.text, ()), wish, ("drawn",))
        space, start = moves.space(source)
        problem = Problem("drawn", Record(sizes))
        return Prepared(
            source, space, start, problem, moves.offers(source, planner(source))(problem, start, self.device)
        )

    def judged(self, kernel: Drawn, seed: int, chosen: Callable[[Prepared], Iterable[Mapping[str, Scalar]]]) -> Iterator[Verdict]:  # fmt: skip
        """Yield what became of each chosen form of a kernel."""
        prepared = self.prepared(kernel)
        if prepared is None or "drawn" not in prepared.source.functions:
            yield Verdict("refused", {})
            return
        wanted = list(chosen(prepared))
        if not wanted:
            return
        rows = []
        for place, sizes in enumerate((NAMED, *OTHERS)):
            named = {name: sizes[name] for name in kernel.sizes}
            for wild in (False, True):
                inputs = filled(kernel, named, seed + place, wild=wild)
                right = self.ran(prepared, named, {}, inputs, kernel.outputs)
                alone = self.ran(prepared, named, {}, inputs, kernel.outputs, apart=True)
                if isinstance(right, str) or isinstance(alone, str):
                    yield Verdict("own", {}, text=str(right)[:300])
                    return
                if any(differs(alone[name], right[name], loose=not kernel.exact, wild=wild) for name in kernel.outputs):
                    yield Verdict("runtime", {})
                    return
                rows.append((named, wild, inputs, right))
        for changes in wanted:
            yield self.one(kernel, prepared, changes, rows)

    def one(self, kernel: Drawn, prepared: Prepared, changes: Mapping[str, Scalar], rows: list) -> Verdict:  # type: ignore[type-arg]
        """Return what became of one form, at the sizes at which it can be launched."""
        fixed = any(name.endswith("known-sizes") for name in changes)
        loose = not kernel.exact or any(rewrite.keeps != Keeps.BITS for rewrite in rewrites() if f"drawn.{rewrite.name}" in changes)  # fmt: skip
        for sizes, wild, inputs, right in rows:
            if fixed and any(sizes[name] != NAMED[name] for name in sizes):
                continue
            found = self.ran(prepared, sizes, changes, inputs, kernel.outputs)
            if isinstance(found, str):
                return Verdict("run", changes, f"{sizes}: {found}")
            for name in kernel.outputs:
                if why := differs(found[name], right[name], loose=loose, wild=wild):
                    return Verdict("run", changes, f"{sizes} {'wild ' if wild else ''}{name}: {why}")
        return Verdict("run", changes)

    def ran(self, prepared: Prepared, sizes: Mapping[str, int], changes: Mapping[str, Scalar], inputs: Mapping[str, NDArray[np.generic]], outputs: tuple[str, ...], *, apart: bool = False) -> dict[str, NDArray[np.generic]] | str:  # fmt: skip
        """Return a form's results, or how it ended; `apart`: the runtime is told to make no vectors of work-items."""
        program = planner(prepared.source)(
            prepared.problem.replace(**sizes), prepared.start.replace(**changes), self.device
        )
        if apart:
            hinted = program.source.replace("__kernel void", f"__kernel __attribute__((vec_type_hint({APART}))) void")
            program = replace(program, source=hinted)
        dataset = self.engine.dataset("drawn", inputs, outputs)
        ran = self.engine.execute_all((Run(program, dataset, END),))[-1]
        self.engine.discard(dataset)
        if not isinstance(ran, Executed):
            return str(ran)[:300]
        return {
            name: ran.arrays[name][BAND_BYTES:-BAND_BYTES].view(inputs[name].dtype)[: inputs[name].size].copy()
            for name in outputs
        }


def differs(found: NDArray[np.generic], right: NDArray[np.generic], *, loose: bool, wild: bool) -> str:
    """Return the first difference, empty where there is none; NaN is one value, and `loose` results may be rounded otherwise."""
    if right.dtype.kind != "f":
        bad = found != right
    else:
        same = (found == right) | (np.isnan(found) & np.isnan(right))
        if loose:
            with np.errstate(all="ignore"):
                same |= np.abs(found - right) <= _CLOSE * np.maximum(1.0, np.abs(right))
                same |= wild & (np.abs(right) > 1e30) & ~np.isfinite(found)
        bad = ~same
    if not bad.any():
        return ""
    place = int(np.argmax(bad))
    return f"{int(bad.sum())} of {bad.size}, [{place}] {found[place]!r} instead of {right[place]!r}"


def forms(prepared: Prepared, seed: int, most: int) -> list[dict[str, Scalar]]:
    """Return rewrites alone, offers, and rewrites by chance together, each planned and none twice."""
    chance = random.Random(seed)
    alone = [{p.name: value} for p in prepared.space.parameters for value in _some(p.values[1:], chance) if not p.name.endswith(GROUP)]  # fmt: skip
    offered = [dict(offer.changes) for offer in prepared.offers]
    chosen = [*offered, *alone]
    names = [p for p in prepared.space.parameters if not p.name.endswith(GROUP)]
    for _ in range(12):
        chosen.append(
            {p.name: chance.choice(p.values[1:]) for p in names if len(p.values) > 1 and chance.random() < 0.4}
        )
    found: dict[tuple[tuple[str, Scalar], ...], dict[str, Scalar]] = {}
    for one in chosen:
        idle = f"drawn.{_COUNTS}" in one and "atomic" not in prepared.source.text
        if one and not idle and _planned(prepared, one):
            found.setdefault(tuple(sorted(one.items())), one)
    every = list(found.values())
    return every if len(every) <= most else chance.sample(every, most)


def _some(values: tuple[Scalar, ...], chance: random.Random) -> tuple[Scalar, ...]:
    return values if len(values) <= 4 else tuple(chance.sample(values, 4))


def _planned(prepared: Prepared, changes: Mapping[str, Scalar]) -> bool:
    try:
        planner(prepared.source)(prepared.problem, prepared.start.replace(**changes), None)  # type: ignore[arg-type]
    except ValueError:
        return False
    return True
