"""rocprof v1's ``results.json``: trace events one to a line, not always valid JSON (it may begin with a comma)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from hotloop.model.evidence import Absent
from hotloop.profilers.source import lines
from hotloop.profilers.tables.callsums import CallSums
from hotloop.profiles.cell import real
from hotloop.profiles.profile import Calls, Profile

_NS_PER_US = 1000


@dataclass(slots=True)
class _Events:
    sums: CallSums = field(default_factory=CallSums)
    processes: dict[str, str] = field(default_factory=dict)
    damaged: int = 0

    def take(self, line: str) -> None:
        text = line.strip().strip(",").strip()
        if not text.startswith("{") or '"ph"' not in text:
            return
        try:
            event = json.loads(text)
        except (ValueError, RecursionError):
            self.damaged += 1
            return
        if not isinstance(event, dict):
            return
        arguments = event.get("args")
        details = arguments if isinstance(arguments, dict) else {}
        if event.get("ph") == "M" and event.get("name") == "process_name":
            self.processes[str(event.get("pid"))] = str(details.get("name", ""))
        elif event.get("ph") == "X":
            self._complete(event, details)

    def _complete(self, event: dict[str, object], details: dict[str, object]) -> None:
        nanoseconds = real(str(details.get("DurationNs", "")))
        if nanoseconds is None:
            microseconds = real(str(event.get("dur", "")))
            nanoseconds = None if microseconds is None else microseconds * _NS_PER_US
        if nanoseconds is not None:
            self.sums.add(str(event.get("pid")), str(event.get("name", "")), nanoseconds)


def read(path: Path) -> Profile:
    """Return durations by process row and name; what is no event is left out. Raises ProfileError."""
    events = _Events()
    with lines(path) as text:
        for line in text:
            events.take(line)
    calls = tuple(Calls(events.processes.get(c.domain, c.domain), c.name, c.duration_ns) for c in events.sums.calls())
    absent = () if calls else (Absent("calls", "the file names rows of a trace and holds no event with a duration"),)
    notes = (f"{events.damaged} lines are no JSON and were left out",) if events.damaged else ()
    return Profile(
        tool="rocprof-v1", source=path.name, format="trace events (JSON lines)", calls=calls, absent=absent, notes=notes
    )
