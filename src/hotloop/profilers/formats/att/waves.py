"""``seX_smY_slZ_wvN.json``: what one wave executed, cycle by cycle."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from hotloop.model.evidence import Absent
from hotloop.profilers.jsontext import Json, integer_of, load
from hotloop.profilers.source import named
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile
from hotloop.profiles.trace import ThreadTrace, Wave, WaveEvent

FILE_NAME: Final = re.compile(r"se([0-9]{1,3})_sm([0-9]{1,3})_sl([0-9]{1,3})_wv([0-9]{1,6})\.json")
"""The only names that a trace's file list may give: it came with the trace and could name any file."""


def read(path: Path) -> Profile:
    """Return one wave. Raises ProfileError."""
    wave = read_wave(path)
    return Profile(tool="att", source=path.name, format="wave (JSON)", trace=ThreadTrace(kernels=(), waves=(wave,)),
                   absent=(Absent("instructions", "a wave's file refers to code.json of its folder"),))  # fmt: skip


def read_wave(path: Path) -> Wave:
    """Return one wave; its place comes from the file's content, else from its name. Raises ProfileError."""
    content = load(path)
    wave = content.get("wave") if isinstance(content, dict) else None
    if not isinstance(wave, dict):
        raise ProfileError(f"{named(path)} has no object 'wave': it is no wave of a thread trace.")
    named_place = FILE_NAME.fullmatch(path.name)
    place = [int(part) for part in named_place.groups()] if named_place else [0, 0, 0, 0]
    begin, end = integer_of(wave.get("begin")), integer_of(wave.get("end"))
    if begin is None or end is None or end < begin:
        raise ProfileError(f"{named(path)}: the wave's begin and end are missing or out of order.")
    return Wave(
        engine=place[0],
        simd=_or(wave.get("simd"), place[1]),
        slot=_or(wave.get("slot"), place[2]),
        number=_or(wave.get("id"), place[3]),
        cu=integer_of(wave.get("cu")),
        begin=begin,
        end=end,
        events=_events(path, wave.get("instructions")),
        waits=_waits(wave.get("waitcnt")),
    )


def _events(path: Path, rows: Json) -> tuple[WaveEvent, ...]:
    events = []
    for row in rows if isinstance(rows, list) else []:
        numbers = [integer_of(cell) for cell in row[:5]] if isinstance(row, list) else []
        if len(numbers) < 5 or any(n is None for n in numbers):
            raise ProfileError(f"{named(path)}: an executed instruction has not five numbers: the file is damaged.")
        clock, category, stall, _duration, line = (n or 0 for n in numbers)
        events.append(WaveEvent(clock, category, stall, line))
    return tuple(events)


def _waits(rows: Json) -> dict[int, tuple[int, ...]]:
    waits: dict[int, tuple[int, ...]] = {}
    for row in rows if isinstance(rows, list) else []:
        if not isinstance(row, list) or len(row) != 2 or not isinstance(row[1], list):
            continue
        line = integer_of(row[0])
        on = [integer_of(item[0] if isinstance(item, list) and item else item) for item in row[1]]
        if line is not None:
            waits[line] = tuple(n for n in on if n is not None)
    return waits


def _or(value: Json, other: int) -> int:
    number = integer_of(value)
    return other if number is None else number
