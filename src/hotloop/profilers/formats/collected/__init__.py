"""What ``hotloop profile`` collected: its ``profile.json``, alone or in its folder."""

from __future__ import annotations

from pathlib import Path

from hotloop.profilers.format import Format
from hotloop.profilers.source import Head
from hotloop.profiles.profile import Profile

FILE = "profile.json"
MARK = "hotloop-profile 1"


def _is_record(head: Head) -> bool:
    return FILE in head.entries or (head.text.lstrip().startswith("{") and f'"{MARK}"' in head.text[:200])


def _read(path: Path) -> Profile:
    from hotloop.profilers.formats.collected.record import read

    return read(path / FILE if path.is_dir() else path).profile


FORMATS = (Format("hotloop profile", _is_record, _read),)
