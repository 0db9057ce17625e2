"""Kernels, or calls, of a table of times whose tool is not known or has no format of its own."""

from __future__ import annotations

from pathlib import Path

from hotloop.profilers.source import named, text_of
from hotloop.profilers.tables.timed import TEXT_BYTES, found
from hotloop.profilers.tables.totals import profile
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile


def read(path: Path) -> Profile:
    """Return the rows of the table. Raises ProfileError."""
    if path.stat().st_size > TEXT_BYTES:
        raise ProfileError(f"{named(path)} has more than {TEXT_BYTES >> 20} MiB: no table of times is so large.")
    timed = found(text_of(path))
    if timed is None:
        raise ProfileError(f"{named(path)} has no table of times by name.")
    totals = tuple(timed.totals())
    notes = (timed.doubt,) if timed.doubt else ()
    return profile(timed.tool, "table of times by name", path, totals, notes)
