"""A ladder for a GPU whose rungs are kernels of a family with constants, measured and explained on the card, as data."""

from __future__ import annotations

from dataclasses import dataclass, field

from hotloop.errors import UnknownNameError
from hotloop.model.ladder import Missing, Reported
from hotloop.model.record import Record, Scalar

UP, DOWN, SAME = "up", "down", "same"
"""Which way a fact is expected to move from the rung below."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a rung's code may use at most; None: no limit."""

    registers: int | None = None
    """Of a thread."""
    spilled_bytes: int | None = None
    """Local memory of a thread: spills, and arrays that are in no register."""
    shared_bytes: int | None = None
    """Of a block, static and dynamic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRung:
    """One kernel with its constants, and what it changes."""

    name: str
    change: str
    """What was done, in words."""
    after: str = ""
    """Rung that it stands on and is compared with; empty: a first one."""
    technique: str = ""
    """Id of hotloop's own menu, where it is there."""
    kernel: str = ""
    """Which of the family's kernels; empty: that of the rung below, whose constants are kept."""
    config: Record = field(default_factory=Record)
    """Constants: all of `kernel`'s where it is named, else those that differ."""
    problem: Record = field(default_factory=Record)
    """Sizes that differ from the ladder's; rungs that stand on it inherit them."""
    moves: tuple[tuple[str, str], ...] = ()
    """The cause that was expected beforehand: names of facts, each with the direction."""
    reported: tuple[Reported, ...] = ()
    bounds: Bounds = field(default_factory=Bounds)


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLadder:
    """Rungs in the order in which they are climbed."""

    name: str
    family: str
    title: str
    targets: tuple[str, ...]
    problem: Record
    """Sizes that are timed, in the words of the family's card module."""
    ragged: tuple[Record, ...]
    """Further sizes, as differences, on which every rung is verified; no tile divides them."""
    rungs: tuple[CardRung, ...]
    missing: tuple[Missing, ...] = ()
    notes: tuple[str, ...] = ()

    def rung(self, name: str) -> CardRung:
        """Return a rung by name; UnknownNameError when there is none."""
        for rung in self.rungs:
            if rung.name == name:
                return rung
        raise UnknownNameError(f"rung of ladder {self.name}", name, tuple(r.name for r in self.rungs))

    def kernel(self, rung: CardRung) -> str:
        """Return the kernel that a rung configures."""
        return rung.kernel or self.kernel(self.rung(rung.after))

    def config(self, rung: CardRung) -> dict[str, Scalar]:
        """Return all constants of a rung."""
        below = {} if rung.kernel else self.config(self.rung(rung.after))
        return {**below, **rung.config}

    def sizes(self, rung: CardRung) -> dict[str, Scalar]:
        """Return the sizes of the problem that a rung solves."""
        below = self.sizes(self.rung(rung.after)) if rung.after else dict(self.problem)
        return {**below, **rung.problem}

    def chosen(self, names: tuple[str, ...]) -> tuple[CardRung, ...]:
        """Return the named rungs and all below them, in order; all where none is named."""
        wanted: set[str] = set()
        for name in names:
            below = name
            while below:
                wanted.add(below)
                below = self.rung(below).after
        return tuple(rung for rung in self.rungs if not names or rung.name in wanted)
