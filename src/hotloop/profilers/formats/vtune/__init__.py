"""Intel VTune: the summary of a result, as ``vtune -report summary`` and the end of a collection print it, or as CSV."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader
from hotloop.profilers.source import Head

TABLE = re.compile(r"^\"?Hierarchy Level\"?([,;\t|])\"?Metric Name\"?\1\"?Metric Value\"?\s*$", re.MULTILINE)
SLOTS = re.compile(
    r"^\s*(?:Retiring|Front-End Bound|Bad Speculation|Back-End Bound):\s+[0-9.,]+ ?%(?: of Pipeline Slots)?\s*$",
    re.MULTILINE,
)


_CHARACTERIZED = re.compile(
    r"^\s*(?:CPI Rate:\s+[0-9.,]+|Memory Bound:\s+[0-9.,]+ ?% of Pipeline Slots)\s*$", re.MULTILINE
)
_STALLS = re.compile(r"^\s*Memory Stalls:\s+[0-9.,]+ ?% of Pipeline Slots\s*$", re.MULTILINE)
"""What Application Performance Snapshot calls the slots that wait for memory."""
_ELAPSED = re.compile(r"^(?:vtune: [^\n]*?\s{3,})?Elapsed Time:\s+[0-9.,]+ ?s\s*$", re.MULTILINE)
"""The line with the elapsed time, by which summaries of 'hpc-performance' and 'memory-access' are recognised: these do not split pipeline slots."""

USED = re.compile(
    r"^\s*(?:Effective )?(?P<kind>Physical Core|Logical Core|CPU) Utilization:\s+[0-9.,]+ ?% \((?P<cores>[0-9.,]+) out of [0-9]+(?: [a-z]+ (?:CPUs|cores))?\)\s*$",
    re.MULTILINE,
)
"""How many cores the program kept busy: all that 'hotspots' and parts of 'hpc-performance' tell beside times."""


COUNTED = re.compile(
    r"Hardware Event Count(?::(?P<event>[A-Z][A-Z0-9_.:]*?(?:[a-z]\w*)?))?(?::(?P<kind>Self|Total))?(?: \((?P<unit>[KMG])\))?"
)
"""Column of an event's counts, in thousands and so on where a unit stands behind; where each event has a row, the column names none."""


def _is_events(head: Head) -> bool:
    return any(COUNTED.fullmatch(column.strip()) for column in head.header)


def _is_summary(head: Head) -> bool:
    if USED.search(head.text) or _STALLS.search(head.text):
        return True
    if _CHARACTERIZED.search(head.text) and _ELAPSED.search(head.text):
        return True
    return len(set(SLOTS.findall(head.text))) >= 2 or TABLE.search(head.text) is not None


FORMATS = (
    Format("VTune hardware events", _is_events, Reader("formats.vtune.events")),
    Format("VTune summary", _is_summary, Reader("formats.vtune.summary")),
)
