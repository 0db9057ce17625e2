"""VTune's summary: shares of a core's issue slots, instructions and clocks of a whole process, under perf's names of the same.

Lines are ``Name: value of Unit``, indented by level; advice stands behind ``|``. The CSV has a row for each with its level, and
shares as per cent or as parts of 1, which the four kinds of slots tell: together they are the whole.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from hotloop.profilers.formats.vtune import TABLE, USED
from hotloop.profilers.source import lines, named
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile, Reading

_LINE = re.compile(
    r"^\s*(?:vtune: .*?\s{3,})?(?P<name>[A-Z][\w /()-]*?):\s+(?P<value>[0-9][0-9.,]*) ?(?P<unit>.*?)\s*$"
)
_PERCENT: Final = "%"
_KINDS: Final = {
    "Retiring": "topdown-retiring",
    "Bad Speculation": "topdown-bad-spec",
    "Front-End Bound": "topdown-fe-bound",
    "Back-End Bound": "topdown-be-bound",
}
_SHARES: Final = {
    **_KINDS,
    "Memory Bound": "topdown-mem-bound",
    "Memory Stalls": "topdown-mem-bound",
    "Core Bound": "topdown-core-bound",
}
_COUNTS: Final = {
    "Clockticks": "cycles",
    "CPU_CLK_UNHALTED.THREAD": "cycles",
    "Instructions Retired": "instructions",
    "INST_RETIRED.ANY": "instructions",
    "IPC": "instructions-per-cycle",
    "CPI Rate": "cycles-per-instruction",
}
_TIME: Final = "Elapsed Time"
_SLACK: Final = 0.3
"""Part of the whole by which printed kinds of slots may miss it and still tell per cent from parts of 1."""


def read(path: Path) -> Profile:
    """Return one reading for each share and count. Raises ProfileError."""
    with lines(path) as text:
        rows = [line.rstrip("\r\n") for line in text]
    table = any(TABLE.match(row) for row in rows)
    values = tuple(_separated(rows) if table else _printed(rows))
    first: dict[str, Reading] = {}
    differing = set[str]()
    for reading in values:
        if first.setdefault(reading.event, reading).value != reading.value:
            differing.add(reading.event)
    if not first:
        raise ProfileError(
            f"{named(path)} is a summary of VTune without slots, clocks or instructions: collect 'uarch-exploration'."
        )
    notes = ("the file holds several results, or kinds of cores: the first one's are used",) if differing else ()
    return Profile(tool="vtune", source=path.name, format="summary", readings=tuple(first.values()), notes=notes)


def _printed(rows: Sequence[str]) -> Iterator[Reading]:
    yield from _used(rows)
    for row in rows:
        match = _LINE.match(row)
        value = real(match["value"].replace(",", "")) if match else None
        if match is None or value is None:
            continue
        name, unit = match["name"], match["unit"]
        if name in _SHARES and unit in {_PERCENT, "% of Pipeline Slots"}:
            yield Reading(_SHARES[name], value, _PERCENT)
        elif name in _COUNTS and not unit:
            yield Reading(_COUNTS[name], value, "")
        elif name == _TIME and unit == "s":
            yield Reading("seconds time elapsed", value, "s")


def _used(rows: Iterable[str]) -> Iterator[Reading]:
    """Yield how many cores were busy; where a summary counts cores and their threads, cores."""
    found = [match for row in rows if (match := USED.match(row))]
    physical = [match for match in found if match["kind"] == "Physical Core"]
    for match in physical or found:
        yield Reading("busy-cores", real(match["cores"].replace(",", "")), "")


def _separated(rows: list[str]) -> Iterator[Reading]:
    head = next(TABLE.match(row) for row in rows if TABLE.match(row))
    cells = [row for row in csv.reader(rows, delimiter=head[1] if head else ",") if len(row) == 3]
    values = {name.strip(): real(value.strip().rstrip(_PERCENT)) for _, name, value in reversed(cells)}
    whole = sum(value or 0.0 for name, value in values.items() if name in _KINDS)
    scale = next((factor for factor in (1.0, 100.0) if abs(whole * factor / 100 - 1) <= _SLACK), None)
    for name, value in values.items():
        if value is not None and name in _SHARES and scale is not None:
            yield Reading(_SHARES[name], value * scale, _PERCENT)
        elif value is not None and name in _COUNTS:
            yield Reading(_COUNTS[name], value, "")
        elif value is not None and name == _TIME:
            yield Reading("seconds time elapsed", value, "s")
