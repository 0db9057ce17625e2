"""Linux perf: counts of ``perf stat``."""

from __future__ import annotations

import re
from pathlib import Path

from hotloop.profilers.format import Format
from hotloop.profilers.source import Head
from hotloop.profiles.profile import Profile

_SEPARATED = re.compile(
    r"^(?:[^,;|\t\n]*[,;|\t]){0,3}(?:[0-9][0-9.]*|<not (?:counted|supported)>)([,;|\t])[A-Za-z/%]*\1[a-zA-Z][\w:./=-]*(?:[,;|\t]|$)",
    re.MULTILINE,
)
_ROW = re.compile(r'^\s*\{[^\n]*"counter-value"\s*:[^\n]*"event"\s*:', re.MULTILINE)


def _is_stat(head: Head) -> bool:
    text = head.text[:20_000]
    if "Performance counter stats for" in text or "seconds time elapsed" in text:
        return True
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if _ROW.match(lines[0] if lines else ""):
        return True
    return bool(lines) and bool(_SEPARATED.match(lines[0]))


def _read(path: Path) -> Profile:
    from hotloop.profilers.formats.perf.stat import read

    return read(path)


FORMATS = (Format("perf stat", _is_stat, _read),)
