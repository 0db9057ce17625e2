"""rocprof v2's CSV: one row a dispatch, counters in the last columns; also the per-pass files of rocprof-compute."""

from __future__ import annotations

from pathlib import Path

from hotloop.profilers.tables.widetable import read_wide
from hotloop.profiles.profile import Profile

REASONS = {"counters": "this run of rocprof v2 recorded times only"}


def read_csv(path: Path) -> Profile:
    """Return one dispatch for each row. Raises ProfileError."""
    return read_wide(path, "rocprof-v2", "dispatches (CSV)", REASONS)
