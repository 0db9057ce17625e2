"""Rows of a trace's listing made into kernels: where one begins, and where branches go."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hotloop.profiles.trace import TracedInstruction, TracedKernel

_BRANCH = re.compile(
    r"s_c?branch\w*\s+(?:(?P<offset>-?[0-9]{1,5}|0x[0-9a-fA-F]{1,4})\s*(?:;.*|//.*)?|(?P<label>[A-Za-z_.$][\w.$]*)).*$"
)
_WORD_BYTES = 4


@dataclass(slots=True)
class _Open:
    name: str
    rows: list[TracedInstruction]
    labels: dict[str, int]
    waiting: list[str]


def kernels_of(rows: Iterable[tuple[TracedInstruction, str]]) -> tuple[TracedKernel, ...]:
    """Return the kernels of a listing given as (row, the row's source column).

    A row whose text begins with ``; `` names the kernel that follows; its source column then holds the readable name. A
    row that ends with a colon is a label.
    """
    return tuple(_closed(part) for part in _parts(rows) if part.rows)


def _parts(rows: Iterable[tuple[TracedInstruction, str]]) -> Iterator[_Open]:
    current = _Open("", [], {}, [])
    for row, source in rows:
        text = row.text.strip()
        if text.startswith(";"):
            yield current
            current = _Open(source.strip() or text.lstrip("; ").strip(), [], {}, [])
        elif text.endswith(":") and " " not in text:
            current.waiting.append(text[:-1])
        elif text:
            current.labels.update(dict.fromkeys(current.waiting, row.address))
            current.waiting.clear()
            current.rows.append(row)
    yield current


def _closed(part: _Open) -> TracedKernel:
    rows = [replace(row, target=_target(row, part.labels)) for row in part.rows]
    if not all(map(_possible, rows)):
        rows = [replace(row, stall_cycles=None) for row in rows]
    return TracedKernel(name=part.name, instructions=tuple(rows))


def _possible(row: TracedInstruction) -> bool:
    """Tell whether the stall, which is a part of the latency, is one."""
    return row.stall_cycles is None or row.latency_cycles is None or 0 <= row.stall_cycles <= row.latency_cycles


def _target(row: TracedInstruction, labels: dict[str, int]) -> int | None:
    """Return where a branch goes: its operand is a label, or a signed distance in words from the next instruction."""
    match = _BRANCH.match(row.text.strip())
    if match is None:
        return None
    if match["offset"] is None:
        return labels.get(match["label"])
    words = int(match["offset"], 0) & 0xFFFF
    return row.address + _WORD_BYTES + _WORD_BYTES * (words - (1 << 16) if words >> 15 else words)
