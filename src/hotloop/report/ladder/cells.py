"""What the pages of all ladders share: cells of a measurement, what others report, broken limits, notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from hotloop.model.verdict import Verdict
from hotloop.report.section import Section
from hotloop.report.words import NONE
from hotloop.units import duration

if TYPE_CHECKING:
    from hotloop.model.ladder import Ladder, Reported, Rung
    from hotloop.model.verdict import Comparison
    from hotloop.report.ladder.view import Second

"""A cell of which nothing is known."""


class Limited(Protocol):
    """A rung that is held to its limits."""

    @property
    def rung(self) -> Rung:
        """What the data file says."""

    @property
    def violations(self) -> tuple[str, ...]:
        """Limits that it breaks, each as a sentence."""


def title(ladder: Ladder, target: str = "") -> str:
    """Return the title of a ladder's page; `target` where it was only compiled for one."""
    return f"ladder {ladder.family}{f' for {target}' if target else ''}: {ladder.title}"


def time(call_ns: float | None) -> str:
    """Return the time of a call."""
    return NONE if call_ns is None else duration(call_ns)


def verdict(compared: Comparison | None) -> str:
    """Return the word of a comparison."""
    return compared.verdict.value if compared else NONE


def speedup(compared: Comparison | None, digits: int = 2) -> str:
    """Return a speedup with its interval."""
    if compared is None:
        return NONE
    low, high = (f"{end:.{digits}f}" for end in (compared.low, compared.high))
    return f"{compared.speedup:.{digits}f}x [{low}, {high}]"


def second(repeat: Second | None, digits: int = 2) -> tuple[str, ...]:
    """Return what another device says of a ladder's gain, a line or none."""
    if repeat is None:
        return ()
    confirms = repeat.comparison is not None and repeat.comparison.verdict is Verdict.FASTER
    text = verdict(repeat.comparison) + (f" {speedup(repeat.comparison, digits)}" if repeat.comparison else "")
    why = f": {repeat.reason}" if repeat.reason else ""
    return (f"{repeat.place} {'confirms' if confirms else 'does not confirm'} it: {text}{why}",)


def reported(entries: Iterable[Reported]) -> str:
    """Return what others say about a rung."""
    return "; ".join(f"{entry.text} ({entry.source})" for entry in entries) or NONE


def broken(rungs: Iterable[Limited]) -> tuple[str, ...]:
    """Return a line for each limit that is broken."""
    return tuple(f"{row.rung.name}: {text}" for row in rungs for text in row.violations)


def notes(ladder: Ladder) -> Iterator[Section]:
    """Return the ladder's notes where it has some."""
    if ladder.notes:
        yield Section("notes", ladder.notes)
