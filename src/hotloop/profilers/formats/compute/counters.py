"""rocprof-compute's counter tables, one row a dispatch and up to some thousand columns.

Merged passes repeat describing columns with a number (``Wave_Size_3``, ``obj_7``); channels are columns of their own
(``TCC_HIT[0]`` …). Each ``SQ_*_LEVEL.csv`` holds one accumulating counter, whose sum is ``SQ_ACCUM_PREV_HIRES``; versions
since ROCm 7 write those passes into the same table, the sum of pass 7 as ``SQ_ACCUM_PREV_HIRES_7``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from hotloop.metrics.delivered import ACCUMULATOR
from hotloop.profilers.tables.widetable import read_wide
from hotloop.profiles.profile import Profile

_CHANNEL = re.compile(r"(.+)\[([0-9]{1,5})\]")
_MERGED = re.compile(rf"{ACCUMULATOR}(?:_[0-9]{{1,4}})?")
_REASONS: Final = {
    "counters": "this file lists launches and times only",
    "duration_ns": "this file has no time stamps; timestamps.csv of the folder has them",
}


def read_counters(path: Path) -> Profile:
    """Return one dispatch for each row; an accumulator has the name of its level with ``_ACCUM``. Raises ProfileError."""
    return read_wide(path, "rocprof-compute", "counters, one row a dispatch (CSV)", _REASONS, after_levels)


def channels(counters: Mapping[str, float], name: str) -> tuple[float, ...]:
    """Return the values of a counter's channels in order; empty when it was not collected by channel.

    >>> channels({"TCC_HIT[1]": 5.0, "TCC_HIT[0]": 3.0, "TCC_HIT_sum": 8.0}, "TCC_HIT")
    (3.0, 5.0)
    """
    numbered = {
        int(m[2]): value for counter, value in counters.items() if (m := _CHANNEL.fullmatch(counter)) and m[1] == name
    }
    return tuple(numbered[i] for i in sorted(numbered))


def after_levels(names: Sequence[str]) -> list[str]:
    """Return counters' names, each accumulator called after the level that it adds up: the column just before it.

    >>> after_levels(["SQ_IFETCH_LEVEL", "SQ_ACCUM_PREV_HIRES", "SQ_LEVEL_WAVES", "SQ_ACCUM_PREV_HIRES_8"])[1::2]
    ['SQ_IFETCH_LEVEL_ACCUM', 'SQ_LEVEL_WAVES_ACCUM']
    """
    before = ["", *names]
    return [
        f"{level}_ACCUM" if level and _MERGED.fullmatch(name) else name
        for level, name in zip(before, names, strict=False)
    ]
