"""The next configurations of a search, asked for several at a time so that they compile in parallel."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from math import ceil
from statistics import fmean
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from hotloop.app.desk import foresighted
from hotloop.app.run.foresight import BESIDE
from hotloop.host.settings import usable_cores
from hotloop.model.kernel import Variant
from hotloop.model.outcome import Artifact
from hotloop.ports import Foresighted

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hotloop.app.run.attempt import Attempts
    from hotloop.model.program import Program
    from hotloop.model.space import Config
    from hotloop.search.strategy import Strategy

MOST = 8
"""Number of configurations that are asked for before the first result; the later ones cannot learn from the earlier."""
_FOR_EACH_CORE = 2
_LOOK_S = 0.035
"""Time in s that a quick look at a short kernel takes on an H200, judging included: a device that compiles ahead does not wait for a build
that began less than this before."""


@runtime_checkable
class Readying(Foresighted, Protocol):
    """An engine that compiles on this machine, and so knows what is ready."""

    def ready(self, programs: Sequence[Program]) -> bool:
        """Tell whether none of the programs has to be waited for."""


@dataclass(slots=True)
class Queue:
    """Configurations that were asked for and not yet measured.

    On a GPU, compilation goes on beside measurements, so the queue is filled again when half of it is left. A CPU either
    compiles or measures, so it is filled when it is empty.
    """

    attempts: Attempts
    incumbent: Variant
    strategy: Strategy
    _waiting: deque[tuple[Config, tuple[Program, ...]]] = field(default_factory=deque)
    """Configurations that wait, each with the programs whose compilation was begun."""

    def next(self) -> Config | None:
        """Return the next configuration, one that need not be waited for where there is one; None when there is none left."""
        size = self._size()
        least = size // 2 if self.attempts.desk.device.kind == "gpu" else 0
        if len(self._waiting) <= least:
            self._fill(size)
        if not self._waiting:
            return None
        place = next((place for place, (_, programs) in enumerate(self._waiting) if self._ready(programs)), 0)
        asked, _ = self._waiting[place]
        del self._waiting[place]
        return asked

    def _ready(self, programs: tuple[Program, ...]) -> bool:
        engine = self._foresighted()
        return not isinstance(engine, Readying) or engine.ready(programs)

    def _size(self) -> int:
        return min(MOST, _FOR_EACH_CORE * usable_cores()) if self._foresighted() is not None else 1

    def _fill(self, size: int) -> None:
        while len(self._waiting) < size and (asked := self.strategy.ask()) is not None:
            engine, variant = self._foresighted(), Variant(self.incumbent.implementation, asked)
            programs: tuple[Program, ...] = ()
            if engine is not None and not self.attempts.known(self.incumbent, variant):
                programs = tuple(self.attempts.programs(variant))
                engine.ahead(programs)
            self._waiting.append((asked, programs))

    def _foresighted(self) -> Foresighted | None:
        return foresighted(self.attempts.desk, self.incumbent.implementation.language)


def compiled_ahead(attempts: Attempts, incumbent: Variant, devices: int) -> int:
    """Return how many configurations compile for each of some GPUs: so many that none waits if they take as long as the incumbent.

    No more than there are compilers, since all that are out cannot learn from one another; at least `MOST`.
    """
    programs = _compiled(attempts, incumbent)
    built = [attempts.desk.engine.build(program) for program in programs]
    took_s = [1e-9 * made.build_ns for made in built if isinstance(made, Artifact)]
    # The incumbent may have a program more than most: where a small problem needs one of its own, candidates take turns.
    each = fmean([len(programs), *(len(_compiled(attempts, other)) for other in _beside(incumbent))])
    return enough(fmean(took_s or [0.0]), each, usable_cores() // devices)


def _compiled(attempts: Attempts, variant: Variant) -> Collection[Program]:
    """Return what is compiled for a look at a variant."""
    return {program.build_key: program for program in attempts.programs(variant)}.values()


def _beside(incumbent: Variant) -> list[Variant]:
    """Return some of the variants that differ in one parameter."""
    space, here = incumbent.implementation.space, incumbent.config
    moves = (here.replace(**{p.name: value}) for p in space.parameters for value in p.values if value != here[p.name])
    return [Variant(incumbent.implementation, config) for config in islice(filter(space.valid, moves), MOST)]


def enough(took_s: float, programs: float, cores: int) -> int:
    """Return how many configurations of so many programs, each of which took that long to compile alone, are out on so many cores.

    >>> enough(0.2, 1, 16), enough(0.43, 1.25, 16), enough(0.1, 1, 16), enough(0.9, 2, 16), enough(3.0, 1, 64)
    (12, 12, 8, 8, 64)
    """
    return max(MOST, min(ceil(BESIDE * took_s * programs / _LOOK_S), int(cores / max(1.0, programs))))


def begin(attempts: Attempts, variants: Sequence[Variant]) -> None:
    """Begin to compile what the comparisons of some variants run: another device of a cluster may have looked at them."""
    for variant in variants:
        if (engine := foresighted(attempts.desk, variant.implementation.language)) is not None:
            engine.ahead(tuple(attempts.programs(variant)))
