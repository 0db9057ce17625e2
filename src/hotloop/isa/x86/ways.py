"""The ways that an iteration of a loop can take, and the chain through its iterations that all of them have in common.

Which way comes next nobody knows, so a chain counts only where one register (or place in memory) at the loop's head depends on its own
value before on every way: then each iteration adds at least what the shortest of them adds, in whatever order they come. A value that
one way leaves as it is, or makes anew, is no such chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain

from hotloop.isa.blocks import Block
from hotloop.isa.loops import Loop
from hotloop.isa.x86.effects import FLAGS, Effects
from hotloop.isa.x86.prices import Price

MOST = 16
"""Ways that are followed; a loop with more is left alone."""


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction on a way."""

    effect: Effects
    cost: Price


@dataclass(frozen=True, slots=True)
class Path:
    """How a value at the head of a loop becomes the next one on one way."""

    cycles: float
    links: tuple[int, ...]
    """Positions of the instructions that it goes through, first to last."""


def ways(graph: Sequence[Block], loop: Loop) -> tuple[tuple[int, ...], ...]:
    """Return the blocks of each way from the head back to it; none where there are more than MOST, a loop inside, or blocks on none of them."""
    found: list[tuple[int, ...]] = []
    open_ways: list[tuple[int, ...]] = [(loop.header,)]
    while open_ways:
        way = open_ways.pop()
        inside = sorted({after for after in graph[way[-1]].successors if after in loop.blocks}, reverse=True)
        if any(after in way and after != loop.header for after in inside) or len(found) + len(open_ways) > MOST:
            return ()
        found += [way] * (loop.header in inside)
        open_ways += [(*way, after) for after in inside if after != loop.header]
    seen = len(found) <= MOST and loop.blocks.issubset(chain.from_iterable(found))
    return tuple(found) if seen else ()


def shared(paths: Sequence[Sequence[Step]], places: AbstractSet[str]) -> tuple[Path, ...]:
    """Return the path on each way of the value whose shortest one is longest; none where some way adds nothing to every value."""
    best: tuple[Path, ...] = ()
    for name in _names(paths):
        each = tuple(path for steps in paths if (path := _path(name, steps, places)) is not None and path.cycles > 0)
        if len(each) == len(paths) and (not best or _least(each) > _least(best)):
            best = each
    return best


def _least(paths: Iterable[Path]) -> float:
    return min(path.cycles for path in paths)


def _names(paths: Sequence[Sequence[Step]]) -> tuple[str, ...]:
    """Return what every way writes; a comparison's flags are made anew before each use."""
    written = [{name for step in steps for name in _written(step.effect)} for steps in paths]
    return tuple(sorted(set[str].intersection(*written) - {FLAGS, ""})) if written else ()


def _written(effect: Effects) -> Iterator[str]:
    yield from effect.writes
    yield effect.stores


def _path(name: str, steps: Sequence[Step], places: AbstractSet[str]) -> Path | None:
    """Return the longest path from a value before an iteration to the same one after it; None: it does not depend on it."""
    reached = {name: Path(0.0, ())}
    for position, step in enumerate(steps):
        effect, cost = step.effect, step.cost
        needs = [reached[r] for r in effect.reads if r in reached]
        fetched = (*effect.address, effect.loads) if effect.loads in places else effect.address
        if effect.loads:
            needs += [Path(before.cycles + cost.load, before.links) for r in fetched if (before := reached.get(r))]
        cause = max(needs, key=lambda path: path.cycles, default=None)
        made = Path(cause.cycles + cost.latency, (*cause.links, position)) if cause else None
        for written in (*effect.writes, *((effect.stores,) if effect.stores in places else ())):
            reached.pop(written, None)
            if made:
                reached[written] = made
    return reached.get(name)
