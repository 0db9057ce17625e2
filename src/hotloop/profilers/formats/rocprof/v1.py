"""rocprof v1's CSV in both dialects: time stamps under a quoted header, counters under the same header unquoted.

The two come from two runs; join them by order, as process numbers and addresses differ.
"""

from __future__ import annotations

from pathlib import Path

from hotloop.profilers.tables.widetable import read_wide
from hotloop.profiles.profile import Profile

REASONS = {
    "duration_ns": "a counter run of rocprof v1 has no time stamps; a run with --timestamp on has them",
    "counters": "a time stamp run of rocprof v1 has no counters; a run with an input file has them",
    "agprs": "older versions of rocprof v1 know one register file only",
}


def read_made(path: Path) -> Profile:
    """Return one dispatch for each row of a table that a script made of a profiler's. Raises ProfileError."""
    return read_wide(path, "rocprof", "table of counters, made of a profiler's (CSV)", {})


def read_csv(path: Path) -> Profile:
    """Return one dispatch for each row. Raises ProfileError."""
    return read_wide(path, "rocprof-v1", "dispatches with times or counters (CSV)", REASONS)
