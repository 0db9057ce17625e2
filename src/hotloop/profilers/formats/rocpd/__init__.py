"""rocpd: rocprofv3's SQLite output."""

from __future__ import annotations

from pathlib import Path

from hotloop.profilers.format import Format
from hotloop.profilers.source import Head
from hotloop.profiles.profile import Profile


def _is_rocpd(head: Head) -> bool:
    return head.raw.startswith(b"SQLite format 3\x00") and b"rocpd_" in head.raw


def _read(path: Path) -> Profile:
    from hotloop.profilers.formats.rocpd.records import read

    return read(path)


FORMATS = (Format("rocpd SQLite", _is_rocpd, _read),)
