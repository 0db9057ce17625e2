"""Reading any profile: recognise, then parse."""

from __future__ import annotations

from pathlib import Path

from hotloop.profilers.detect import recognised
from hotloop.profilers.source import named
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile


def read(path: Path) -> Profile:
    """Return what a profiler's file or folder says.

    Raises:
        ProfileError: not readable, not a profile, or damaged; nothing is executed and nothing is written.
    """
    try:
        return recognised(path).read(path)
    except ProfileError as error:
        if named(path) in str(error):
            raise
        raise ProfileError(f"{named(path)}: {error}") from error
