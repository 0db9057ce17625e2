"""``occupancy.json``: when waves started and ended on each SIMD: ``[[clock, cu, simd, slot, start?, kernel]]`` by engine."""

from __future__ import annotations

from pathlib import Path

from hotloop.profilers.jsontext import Json, integer_of, load
from hotloop.profiles.profile import Profile
from hotloop.profiles.trace import ThreadTrace


def read(path: Path) -> Profile:
    """Return the most waves at a time on each SIMD. Raises ProfileError."""
    return Profile(tool="att", source=path.name, format="occupancy (JSON)",
                   trace=ThreadTrace(kernels=(), resident=read_occupancy(path)))  # fmt: skip


def read_occupancy(path: Path) -> tuple[tuple[int, int, int, int], ...]:
    """Return (engine, compute unit, SIMD, most waves at a time). Raises ProfileError."""
    content = load(path)
    most: dict[tuple[int, int, int], int] = {}
    for engine, rows in content.items() if isinstance(content, dict) else ():
        if engine.isdecimal() and len(engine) < 6 and isinstance(rows, list):
            _count(int(engine), rows, most)
    return tuple((*place, count) for place, count in sorted(most.items()))


def _count(engine: int, rows: list[Json], most: dict[tuple[int, int, int], int]) -> None:
    now: dict[tuple[int, int, int], set[int]] = {}
    numbers = [[integer_of(cell) for cell in row[:5]] for row in rows if isinstance(row, list)]
    events = [row for row in numbers if len(row) == 5 and None not in row]
    for _, cu, simd, slot, start in sorted(events, key=lambda row: row[0] or 0):
        place = (engine, cu or 0, simd or 0)
        slots = now.setdefault(place, set())
        if start:
            slots.add(slot or 0)
        else:
            slots.discard(slot or 0)
        most[place] = max(most.get(place, 0), len(slots))
