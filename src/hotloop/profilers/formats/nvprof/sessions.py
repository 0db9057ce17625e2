"""Several runs under nvprof in one text: one behind another, as notes have them, or processes of one parallel program.

Runs of one behind another are no sum and no mean: the one whose kernels took longest speaks. Processes that ran at the same time
are added up, as the files of one folder are. Which of the two they are is told by the order: of a parallel program all processes
begin before the first one's result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from hotloop.profilers.tables.totals import Total, time_ns

_BEGUN = re.compile(r"^==([0-9]+)== NVPROF is profiling process [0-9]+, command: (.*?)\s*$")
_RESULT = re.compile(r"^==([0-9]+)== Profiling (?:application: (.*?)|result:)\s*$")
_DEVICE = re.compile(r'^\s*Device "(.*?)(?: \(\d+\))?"\s*$')
_FAULTS = re.compile(r"^\s*([0-9]+)(?:\s+-){4}\s+(\S+)\s+Gpu page fault groups\s*$")
_TABLE = re.compile(r"^\s*(?://|#|>)?\s*GPU activities:\s+[0-9.]+%")
"""The first row of a summary, which a run prints once: where it comes again, another run has begun, with its heads left out."""
MEMORY: Final = "unified memory"
"""Domain of what moved while kernels ran."""


@dataclass
class Session:
    """What nvprof printed of one process."""

    number: str = ""
    command: str = ""
    lines: list[str] = field(default_factory=list)
    totals: tuple[Total, ...] = ()

    @property
    def kernels_ns(self) -> float:
        """Time of all kernels, copies and calls left out."""
        return sum(total.total_ns for total in self.totals if not total.domain)


def sessions(text: Iterable[str], totals_of: Callable[[Iterator[str]], Iterator[Total]]) -> tuple[list[Session], bool]:
    """Return each process's lines and totals, and whether they ran one behind another; what stands before the first head is its."""
    found: dict[str, Session] = {}
    current, sequel, ended = Session(), False, False
    for line in text:
        head = _BEGUN.match(line) or _RESULT.match(line)
        if head is not None:
            sequel = sequel or (ended and head[1] not in found)
            ended = ended or _RESULT.match(line) is not None
            current = found.setdefault(head[1], current if not found else Session())
            current.number, current.command = head[1], current.command or head[2] or ""
        elif _TABLE.match(line) and any(map(_TABLE.match, current.lines)):
            sequel, current = (
                True,
                found.setdefault(f"table {len(found)}", Session()) if found else _apart(found, current),
            )
        current.lines.append(line)
    listed = list(found.values()) or [current]
    for session in listed:
        faults = filter(None, (_faults(line) for line in session.lines))
        session.totals = (*totals_of(iter(session.lines)), *faults)
    return listed, sequel


def _apart(found: dict[str, Session], first: Session) -> Session:
    """Keep the run that stands before the first head under a name of its own, and return the next one."""
    found["table"] = first
    return found.setdefault("table 1", Session())


def spoken(listed: Sequence[Session], *, sequel: bool) -> tuple[tuple[Total, ...], tuple[str, ...]]:
    """Return the totals of the run that speaks, or of all processes together, with a sentence that tells it."""
    kept = [session for session in listed if session.totals]
    if len(kept) < 2:
        return (kept[0].totals if kept else ()), ()
    if sequel:
        longest = max(kept, key=lambda session: session.kernels_ns)
        of = f", of '{longest.command}'" if longest.command else ""
        return longest.totals, (
            f"the text holds {len(kept)} runs: only the one whose kernels took longest is read{of}",
        )
    return tuple(_added(total for session in kept for total in session.totals)), (
        f"{len(kept)} processes' times were added up",
    )


def _added(totals: Iterable[Total]) -> Iterator[Total]:
    """Yield one row for each name; shares of one process's table are none of all."""
    rows: dict[tuple[str, str], Total] = {}
    for total in totals:
        key, tally = (total.domain, total.name), total.tally
        if key in rows:
            tally = rows[key].tally.merged(tally)
        rows[key] = replace(
            total, count=tally.count, total_ns=tally.total, least_ns=tally.minimum, most_ns=tally.maximum, percent=None
        )
    yield from rows.values()


def faulted(totals: Iterable[Total]) -> Iterator[str]:
    """Yield what to say of kernels that waited for pages of unified memory."""
    rows = list(totals)
    spent = sum(total.total_ns for total in rows if total.domain == MEMORY)
    kernels = sum(total.total_ns for total in rows if not total.domain)
    if spent and kernels and spent <= kernels:
        yield (
            f"page faults of unified memory took {100 * spent / kernels:.0f} % of the kernels' time: what they take with their data "
            "on the device is not measured here; prefetch the data (cudaMemPrefetchAsync) or touch it on the device first"
        )


def device(listed: Iterable[Session]) -> str | None:
    """Return the processor's name where one alone is named, as the table of unified memory does."""
    names = {match[1] for session in listed for line in session.lines if (match := _DEVICE.match(line))}
    return names.pop() if len(names) == 1 else None


def _faults(line: str) -> Total | None:
    match = _FAULTS.match(line)
    spent = time_ns(match[2]) if match else None
    return (
        None if match is None or spent is None else Total("Gpu page fault groups", int(match[1]), spent, domain=MEMORY)
    )
