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
    r"^\s*(?:[0-9]+[.,][0-9]{9}\s+)?[0-9][0-9.,'\u2019\u00a0\u202f]*\s+(?:msec\s+)?(?:cpu_\w+/)?(task-clock|context-switches|cpu-migrations|page-faults|cycles|instructions|branches|branch-misses|stalled-cycles-\w+|L1-dcache-loads|cache-misses|cache-references)[:/ukhpP]*\s",
    re.MULTILINE,
)
"""Rows as ``perf stat`` prints them, with ``-I`` behind the time, where its first and last line were left out."""
_OF_ALL = re.compile(r"^\s*[0-9][0-9.,]*\s+\w[\w-]*\S*\s+#\s+[0-9.,]+ *% of all (?:cache refs|branches)", re.MULTILINE)
"""What perf says behind a count of misses, and no other tool."""
_PER_CYCLE = re.compile(r"^\s*[0-9][0-9.,]*\s+instructions\S*\s+#\s+[0-9.,]+\s+insns? per cycle", re.MULTILINE)
_WORDED = re.compile(
    r"^\s*(?:[0-9]+[.,]?[0-9]* ?%\s+)?(?:tma_)?(frontend|backend|bad|retiring)(?:[ _-](?:bound|speculation))?(?::?\s+[0-9]+[.,]?[0-9]* ?%)?(?:\s*$|\s+[^\w\s%])",
    re.MULTILINE | re.IGNORECASE,
)
COLUMNS = re.compile(
    r"^(?![^\n]*#)(?:[^,;|:\n]*[,;|:])*(?:insn per cycle|%\s+tma_\w+)[,;|:](?:[A-Za-z% ][^,;|:\n]*[,;|:])*\s*$"
    r"|^(?:[^,;|:\n]*[,;|:])*retiring([,;|:])bad speculation\1frontend bound\1backend bound\b",
    re.MULTILINE,
)
"""The head of ``--metric-only`` and of ``--topdown`` with ``-x``; versions before 6.11 part it by commas whatever parts the rows."""
NAMED = re.compile(
    r"^\s*(?P<event>(?:cpu-)?cycles|instructions|branch(?:es|-misses)|cache-(?:references|misses)|task-clock|(?:L1-dcache|LLC|dTLB)-load(?:s|-misses)|stalled-cycles-\w+)"
    r":?\s+(?P<value>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{4,})\s*(?:#.*|\(.*)?$",
    re.MULTILINE,
)
"""A count behind its event, as people note them: ``cycles  178,485,837,207  # 0.09 a clock``."""
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
        len(set(_COUNTED.findall(text))) > (1 if _OF_ALL.search(text) else 2)
        or len(set(_WORDED.findall(text))) > 2
        or _TOPDOWN.search(text)
        or _METRIC.search(text)
        or _INTERVAL.search(text)
        or COLUMNS.search(text)
        or {match["event"].removeprefix("cpu-") for match in NAMED.finditer(text)} >= {"cycles", "instructions"}
    ):
        return True
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if _ROW.match(lines[0] if lines else ""):
        return True
    return bool(lines) and bool(_SEPARATED.match(lines[0]))


CORE = r"^\s*(?:(?P<core>(?:S\d+-)?(?:D\d+-)?C\d+(?:-T\d+)?|core|atom|cpu_\w+)\s+)?"
"""What may stand before toplev's nodes: a core's number, or on hybrid processors its kind."""
_NODE = re.compile(
    CORE
    + r"(?:[A-Z][\w/]*\s+)?[A-Z][\w.]*:?\s+(?:[0-9.]+ +(?:\+- +[0-9.]+ +)?% +Slots|% +(?:Slots|Clocks|Stalls)(?:_est)?\s+[0-9.]+)",
    re.MULTILINE,
)
_SEPARATED_NODE = re.compile(r"(?:^|[,;])[A-Z][\w.]*[,;][0-9.]+[,;]% Slots(?:[,;]|$)", re.MULTILINE)


QUOTED = re.compile(
    CORE
    + r"(?:(?:FE|BE|BAD|RET)[\w/]*\s+)?(?P<name>(?:(?:Frontend|Backend|Memory|Core)_Bound|Bad_Speculation|Retiring)[\w.]*):?\s+"
    r"(?P<before>[0-9.]+) ?%(?P<after>)(?! *[A-Za-z])",
    re.MULTILINE,
)
"""A node without its unit's name: as toplev printed it until 2015, and as people quote it."""


def _is_toplev(head: Head) -> bool:
    named = {match["name"] for match in QUOTED.finditer(head.text)}  # other tools print "Retiring", too
    return (
        (len(named) > 1 and any("_" in name for name in named))
        or _NODE.search(head.text) is not None
        or _SEPARATED_NODE.search(head.text) is not None
    )


FORMATS = (
    Format("perf stat", _is_stat, Reader("formats.perf.stat")),
    Format("toplev", _is_toplev, Reader("formats.perf.toplev")),
)
