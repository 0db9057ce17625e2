"""Reading any profile: recognise, then parse."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hotloop.profilers.detect import recognised
from hotloop.profilers.source import named
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile, Reading


def read(path: Path) -> Profile:
    """Return what a profiler's file or folder says.

    Raises:
        ProfileError: not readable, not a profile, or damaged; nothing is executed and nothing is written.
    """
    try:
        profile = recognised(path).read(path)
        return replace(profile, readings=tuple(_possible(reading) for reading in profile.readings))
    except ProfileError as error:
        if named(path) in str(error):
            raise
        raise ProfileError(f"{named(path)}: {error}") from error


def _possible(reading: Reading) -> Reading:
    """Return a reading without a value that no event has: below 0, or above the whole where it is a share."""
    value = reading.value
    if value is None or (value >= 0 and (reading.unit != "%" or value <= 100)):
        return reading
    return replace(reading, value=None, reason=f"{value:g} {reading.unit}".strip() + " cannot be counted")
