"""Several runs of ``perf stat`` in one text, as notes and logs have them: each begins with its own head.

Counts of different runs are no quotient and no sum, so one run speaks: the one that took longest. What it did not count is taken
from other runs of the same command, because people count a few events at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from hotloop.profiles.profile import Reading

HEAD: Final = re.compile(r"Performance counter stats for (.*?):?\s*$")
"""The line before a run's counts; it names the command."""
_LENGTHS: Final = ("seconds time elapsed", "task-clock", "cycles")
"""Events that tell how long a run took, the most telling first."""


def apart(rows: Sequence[str]) -> list[list[str]]:
    """Return each run's lines with its head; all lines as one where there are no two heads."""
    heads = [place for place, row in enumerate(rows) if HEAD.search(row)]
    if len(heads) < 2:
        return [list(rows)]
    return [list(rows[begin:end]) for begin, end in zip(heads, [*heads[1:], len(rows)], strict=True)]


def of_longest(
    runs: Sequence[Sequence[str]], read: Callable[[Sequence[str]], Iterable[Reading]]
) -> tuple[tuple[Reading, ...], str]:
    """Return the readings of the run that took longest, with a sentence about the others; empty for one run."""
    told = [(_command(run), tuple(read(run))) for run in runs]
    by = next((event for event in _LENGTHS if all(_value(event, readings) for _, readings in told)), "")
    command, chosen = max(told, key=lambda run: _value(by, run[1])) if by else told[0]
    if len(told) == 1:
        return chosen, ""
    others = [readings for other, readings in told if other == command and readings is not chosen]
    more = _missing(chosen, others)
    which = "the one that took longest" if by else "the first"
    joined = f"; {len(more)} events that it lacks are from other runs of the same command" if more else ""
    return (*chosen, *more), f"the text holds {len(told)} runs: only {which} is read, of {command}{joined}"


def _missing(chosen: Sequence[Reading], others: Iterable[Sequence[Reading]]) -> tuple[Reading, ...]:
    seen = {reading.event for reading in chosen}
    more: dict[str, Reading] = {}
    for reading in (reading for readings in others for reading in readings):
        if reading.event not in seen:
            more.setdefault(reading.event, reading)
    return tuple(more.values())


def _command(run: Sequence[str]) -> str:
    head = HEAD.search(run[0]) if run else None
    return head[1].strip() if head else "a command that is not named"


def _value(event: str, readings: Sequence[Reading]) -> float:
    """Return an event's count, 0 where it is not told; a modifier as ``:u`` does not part names."""
    return next((reading.value or 0.0 for reading in readings if reading.event.partition(":")[0] == event), 0.0)
