"""Several runs of ``perf stat`` in one text, as notes have them and ``--append`` writes them.

Counts of different runs are no quotient and no sum, so one run speaks: the one that took longest. What it did not count is taken
from other runs of the same command, because people count a few events at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final

from hotloop.profiles.profile import Reading

HEAD: Final = re.compile(r"Performance counter stats for (.*?):?\s*$")
"""The line before a run's counts; it names the command."""
_STARTED = re.compile(r"^# started on \w{3} \w{3}\s")
"""The line that ``-o FILE`` begins with, which counts for programs (``-x``, ``-j``) have alone."""
_LENGTHS: Final = ("seconds time elapsed", "task-clock", "cycles")
"""Events that tell how long a run took, the most telling first."""
_ONCE: Final = frozenset({*_LENGTHS, "cpu-cycles", "instructions"})
"""Events that a run counts once: where one comes again, another run has begun."""
_UNNAMED: Final = "a command that is not named"


@dataclass(frozen=True)
class Run:
    """What one run counted."""

    command: str
    readings: tuple[Reading, ...]


def runs(rows: Sequence[str], read: Callable[[Sequence[str]], Iterable[Reading]]) -> list[Run]:
    """Return the runs of a text that counted anything; `read` returns the counts of some lines."""
    parts = ((_command(part), group) for part in _apart(rows) for group in _in_turn(read(part)))
    return [Run(command, readings) for command, readings in parts if readings]


def of_longest(told: Sequence[Run]) -> tuple[tuple[Reading, ...], str]:
    """Return the readings of the run that took longest, with a sentence about the others; empty for one run."""
    if len(told) < 2:
        return (told[0].readings if told else ()), ""
    by = next((event for event in _LENGTHS if all(_value(event, run) for run in told)), "")
    chosen = max(told, key=lambda run: _value(by, run)) if by else told[0]
    more = _missing(chosen, [run for run in told if run.command == chosen.command and run is not chosen])
    which = "the one that took longest" if by else "the first"
    joined = f"; {len(more)} events that it lacks are from other runs of the same command" if more else ""
    return (
        *chosen.readings,
        *more,
    ), f"the text holds {len(told)} runs: only {which} is read, of {chosen.command}{joined}"


def _apart(rows: Sequence[str]) -> list[list[str]]:
    """Return each run's lines with its head; all lines as one where there are no two heads."""
    for mark in (HEAD, _STARTED):
        heads = [place for place, row in enumerate(rows) if mark.search(row)]
        if len(heads) > 1:
            return [list(rows[begin:end]) for begin, end in zip(heads, [*heads[1:], len(rows)], strict=True)]
    return [list(rows)]


def _in_turn(readings: Iterable[Reading]) -> list[tuple[Reading, ...]]:
    """Return the readings of runs that nothing parts but an event that a run counts once.

    Groups of events may share one, as in ``-e '{cycles,branches},{cycles,loads}'``: another run counts most of the same.
    """
    groups: list[list[Reading]] = [[]]
    for reading in readings:
        again = _plain(reading.event) in _ONCE and any(one.event == reading.event for one in groups[-1])
        groups += [[]] if again else []
        groups[-1].append(reading)
    names = [{reading.event for reading in group} for group in groups]
    alike = all(2 * len(one & other) > min(len(one), len(other)) for one, other in pairwise(names))
    return [tuple(group) for group in groups] if alike else [tuple(chain.from_iterable(groups))]


def _missing(chosen: Run, others: Iterable[Run]) -> tuple[Reading, ...]:
    seen = {reading.event for reading in chosen.readings}
    more: dict[str, Reading] = {}
    for reading in (reading for run in others for reading in run.readings):
        if reading.event not in seen:
            more.setdefault(reading.event, reading)
    return tuple(more.values())


def _command(run: Sequence[str]) -> str:
    head = next((match for row in run if (match := HEAD.search(row))), None)
    return head[1].strip() if head else _UNNAMED


def _plain(event: str) -> str:
    """Return an event without its place and what restricts it: ``cycles:u@CPU0`` is ``cycles``."""
    return re.split("[:@]", event, maxsplit=1)[0]


def _value(event: str, run: Run) -> float:
    """Return an event's count, 0 where it is not told."""
    return next((reading.value or 0.0 for reading in run.readings if _plain(reading.event) == event), 0.0)
