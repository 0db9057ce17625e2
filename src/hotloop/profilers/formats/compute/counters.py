"""rocprof-compute's counter tables, one row a dispatch and up to some thousand columns.

Merged passes repeat describing columns with a number (``Wave_Size_3``, ``obj_7``); channels are columns of their own
(``TCC_HIT[0]`` …); each ``SQ_*_LEVEL.csv`` holds one accumulating counter, whose sum is ``SQ_ACCUM_PREV_HIRES``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hotloop.profilers.tables.widetable import read_wide
from hotloop.profiles.profile import Dispatch, Profile

ACCUMULATOR: Final = "SQ_ACCUM_PREV_HIRES"
_CHANNEL = re.compile(r"(.+)\[([0-9]{1,5})\]")
_REASONS: Final = {
    "counters": "this file lists launches and times only",
    "duration_ns": "this file has no time stamps; timestamps.csv of the folder has them",
}


def read_counters(path: Path) -> Profile:
    """Return one dispatch for each row. Raises ProfileError."""
    return read_wide(path, "rocprof-compute", "counters, one row a dispatch (CSV)", _REASONS)


def channels(counters: Mapping[str, float], name: str) -> tuple[float, ...]:
    """Return the values of a counter's channels in order; empty when it was not collected by channel.

    >>> channels({"TCC_HIT[1]": 5.0, "TCC_HIT[0]": 3.0, "TCC_HIT_sum": 8.0}, "TCC_HIT")
    (3.0, 5.0)
    """
    found = {
        int(m[2]): value for counter, value in counters.items() if (m := _CHANNEL.fullmatch(counter)) and m[1] == name
    }
    return tuple(found[i] for i in sorted(found))


def accumulated_level(dispatch: Dispatch) -> str | None:
    """Return the counter that the accumulator of a level file adds up: the one written just before it."""
    names = list(dispatch.counters)
    place = names.index(ACCUMULATOR) if ACCUMULATOR in names else 0
    return names[place - 1] if place else None
