"""Linux perf: counts of ``perf stat``."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader
from hotloop.profilers.source import Head

_SEPARATED = re.compile(
    r"^(?:[^,;|\t\n]*[,;|\t]){0,3}(?:[0-9][0-9.]*|<not (?:counted|supported)>)([,;|\t])[A-Za-z/%]*\1[a-zA-Z][\w:./=-]*(?:[,;|\t]|$)",
    re.MULTILINE,
)
_TOPDOWN = re.compile(r"(?:%\s+tma_\w+\s+){3}|retiring\s+bad speculation\s+frontend bound", re.IGNORECASE)
_METRIC = re.compile(
    r"#\s+(?:[0-9]+[.,][0-9]+|-?nan) *%\s+(?:tma_[a-z_]+|(?:retiring|(?:frontend|backend)_bound)(?:_[a-z]+)?)\s*(?:\(|$)",
    re.MULTILINE,
)
_COUNTED = re.compile(
    r"^\s*(?:[0-9]+[.,][0-9]{9}\s+)?[0-9][0-9.,'\u2019\u00a0\u202f]*\s+(?:msec\s+)?(?:cpu_\w+/)?(task-clock|context-switches|cpu-migrations|page-faults|cycles|instructions|branches|branch-misses|stalled-cycles-\w+|L1-dcache-loads|cache-misses)[:/ukhpP]*\s",
    re.MULTILINE,
)
"""Rows as ``perf stat`` prints them, with ``-I`` behind the time, where its first and last line were left out."""
_PER_CYCLE = re.compile(r"^\s*[0-9][0-9.,]*\s+instructions\S*\s+#\s+[0-9.,]+\s+insns? per cycle", re.MULTILINE)
_WORDED = re.compile(
    r"^\s*(?:[0-9]+[.,]?[0-9]* ?%\s+)?(?:tma_)?(frontend|backend|bad|retiring)(?:[ _-](?:bound|speculation))?(?::?\s+[0-9]+[.,]?[0-9]* ?%)?\s*$",
    re.MULTILINE | re.IGNORECASE,
)
COLUMNS = re.compile(
    r"^(?![^\n]*#)(?:[^,;|\n]*[,;|])*(?:insn per cycle|%\s+tma_\w+)[,;|](?:[A-Za-z% ][^,;|\n]*[,;|])*\s*$", re.MULTILINE
)
"""The head of ``--metric-only`` with ``-x``."""
_INTERVAL = re.compile(r"^#\s+time\s+(?:\w+\s+){0,2}counts\s+unit\s+events", re.MULTILINE)
_ROW = re.compile(
    r'^\s*\{[^\n]*(?:"counter-value"\s*:[^\n]*"event"\s*:|"metric-unit"\s*:\s*"%\s+(?:tma_|backend_bound))',
    re.MULTILINE,
)


def _is_stat(head: Head) -> bool:
    text = head.text[:20_000]
    if "Performance counter stats for" in text or "seconds time elapsed" in text or _PER_CYCLE.search(text):
        return True
    if (
        len(set(_COUNTED.findall(text))) > 2
        or len(set(_WORDED.findall(text))) > 2
        or _TOPDOWN.search(text)
        or _METRIC.search(text)
        or _INTERVAL.search(text)
        or COLUMNS.search(text)
    ):
        return True
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if _ROW.match(lines[0] if lines else ""):
        return True
    return bool(lines) and bool(_SEPARATED.match(lines[0]))


_NODE = re.compile(
    r"^\s*(?:(?:S\d+-)?C\d+(?:-T\d+)?\s+)?(?:[A-Z][\w/]*\s+)?[A-Z][\w.]*:?\s+(?:[0-9.]+ +% +Slots|% +Slots\s+[0-9.]+)",
    re.MULTILINE,
)
_SEPARATED_NODE = re.compile(r"(?:^|[,;])[A-Z][\w.]*[,;][0-9.]+[,;]% Slots(?:[,;]|$)", re.MULTILINE)


_QUOTED = re.compile(
    r"^\s*(?:FE|BE|BAD|RET)\s+(?:(?:Frontend|Backend)_Bound|Bad_Speculation|Retiring):?\s+[0-9.]+ ?%(?! *[A-Za-z])",
    re.MULTILINE,
)


def _is_toplev(head: Head) -> bool:
    return (
        len(_QUOTED.findall(head.text)) > 1
        or _NODE.search(head.text) is not None
        or _SEPARATED_NODE.search(head.text) is not None
    )


FORMATS = (
    Format("perf stat", _is_stat, Reader("formats.perf.stat")),
    Format("toplev", _is_toplev, Reader("formats.perf.toplev")),
)
