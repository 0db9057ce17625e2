"""Kernels of a Perfetto trace: slices of the category of launches, each with its begin, end and what the tool noted.

Names are interned per sequence of packets; times of most packets are deltas on a clock of their sequence. Source: perfetto's
``trace_packet.proto``, ``track_event.proto``, ``interned_data.proto`` and *Synchronization of multiple clock domains*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hotloop.profilers.formats.perfetto.wire import DamagedError, Value, fields, text
from hotloop.profilers.source import named
from hotloop.profilers.summary import Summary
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Calls, Dispatch, Profile, Tally

_LARGEST: Final = 512 << 20
_CLOCKS, _TIME, _SEQUENCE, _EVENT, _INTERNED, _FLAGS, _CLEARED = 6, 8, 10, 11, 12, 13, 41
_CLOCK, _DEFAULTS = 58, 59
"""Fields of ``TracePacket``."""
_BEGIN, _END = 1, 2
_CATEGORIES, _NAMES, _LABELS = 1, 2, 3
"""Fields of ``InternedData``."""
_KERNEL: Final = "kernel_dispatch"
"""End of the category of launches: rocprofv3 has it alone, rocprof-sys behind ``rocm_``."""
_REASONS: Final = {
    "counters": "hotloop reads times of this format: 'rocprofv3 --pmc ... --output-format csv' writes counters"
}


@dataclass(slots=True)
class _Sequence:
    """State of one writer's packets: interned names, clocks and default values."""

    interned: dict[tuple[int, int], str] = field(default_factory=dict)
    clock: int = 0
    """Clock of packets that name none; 0: nanoseconds as they stand."""
    track: int = 0
    deltas: dict[int, int] = field(default_factory=dict)
    """Time of the last packet on each clock that counts from packet to packet, in its unit."""
    unit_ns: dict[int, int] = field(default_factory=dict)

    def time_ns(self, value: int, clock: int | None) -> int:
        """Return the time of a packet in ns."""
        number = self.clock if clock is None else clock
        if number in self.deltas:
            value = self.deltas[number] = self.deltas[number] + value
        return value * self.unit_ns.get(number, 1)


@dataclass(slots=True)
class _Slice:
    name: str
    category: str
    start_ns: int
    notes: dict[str, str]


@dataclass(slots=True)
class _Trace:
    summary: Summary = field(default_factory=Summary)
    calls: dict[tuple[str, str], Tally] = field(default_factory=dict)
    sequences: dict[int, _Sequence] = field(default_factory=dict)
    open: dict[int, list[_Slice]] = field(default_factory=dict)
    launches: int = 0

    def take(self, packet: memoryview) -> None:
        """Add the content of a packet."""
        parts = dict(fields(packet))  # of a repeated field the last value; none of the fields used here is repeated
        sequence = self.sequences.setdefault(_number(parts.get(_SEQUENCE, 0)), _Sequence())
        if parts.get(_CLEARED) or _number(parts.get(_FLAGS, 0)) & 1:
            sequence.interned.clear()
        for place, use in ((_DEFAULTS, _default), (_CLOCKS, _snapshot), (_INTERNED, _intern)):
            inside = parts.get(place)
            if isinstance(inside, memoryview):
                use(sequence, inside)
        clock = parts.get(_CLOCK)
        time_ns = sequence.time_ns(_number(parts.get(_TIME, 0)), None if clock is None else _number(clock))
        event = parts.get(_EVENT)
        if isinstance(event, memoryview):
            self._event(sequence, event, time_ns)

    def _event(self, sequence: _Sequence, event: memoryview, time_ns: int) -> None:
        kind, track, name, category, notes = 0, sequence.track, "", "", dict[str, str]()
        for number, value in fields(event):
            if number == 9:
                kind = _number(value)
            elif number == 11:
                track = _number(value)
            elif number in {10, 23}:
                name = text(value) if number == 23 else sequence.interned.get((_NAMES, _number(value)), "")
            elif number in {3, 22}:
                category = text(value) if number == 22 else sequence.interned.get((_CATEGORIES, _number(value)), "")
            elif number == 4 and isinstance(value, memoryview):
                notes.update(_note(sequence, value))
        stack = self.open.setdefault(track, [])
        if kind == _BEGIN:
            stack.append(_Slice(name, category, time_ns, notes))
        elif kind == _END and stack:
            self._close(stack.pop(), time_ns, track)

    def _close(self, ended: _Slice, time_ns: int, track: int) -> None:
        stated = _whole(ended.notes.get("delta_ns"))
        spent = stated if stated is not None else time_ns - ended.start_ns
        if spent <= 0:
            return
        if ended.category.endswith(_KERNEL):
            self.launches += 1
            self.summary.add(_launch(ended, spent, self.launches))
            return
        key = ended.category or f"track {track}", ended.name
        once = Tally(1, float(spent), float(spent), float(spent))
        self.calls[key] = self.calls[key].merged(once) if key in self.calls else once


def read(path: Path) -> Profile:
    """Return the launches, copies and calls of a trace.

    Raises:
        ProfileError: damaged, too large, or without a slice.
    """
    size = path.stat().st_size
    if size > _LARGEST:
        raise ProfileError(
            f"{named(path)} has {size >> 20} MiB: write it as CSV instead ('rocprofv3 --output-format csv')."
        )
    trace, notes = _Trace(), list[str]()
    try:
        for number, packet in fields(memoryview(path.read_bytes())):
            if number == 1 and isinstance(packet, memoryview):
                trace.take(packet)
    except DamagedError:
        notes.append("the trace is damaged or cut off: what stands before that place was read")
    calls = tuple(Calls(domain, name, tally) for (domain, name), tally in trace.calls.items())
    kernels = trace.summary.kernels()
    if not kernels and not calls:
        raise ProfileError(
            f"{named(path)} is a trace of Perfetto without a slice: profile with 'rocprofv3 --kernel-trace --output-format csv'."
        )
    return Profile(
        tool="rocprofv3" if kernels else "perfetto", source=path.name, format="trace (Perfetto)", dispatches=trace.summary.dispatches(), kernels=kernels,
        calls=calls, absent=trace.summary.absent(_REASONS) if kernels else (), notes=tuple(notes),
    )  # fmt: skip


def _default(sequence: _Sequence, message: memoryview) -> None:
    for number, value in fields(message):
        if number == _CLOCK:
            sequence.clock = _number(value)
        elif number == 11 and isinstance(value, memoryview):
            sequence.track = next((_number(inner) for place, inner in fields(value) if place == 11), sequence.track)


def _snapshot(sequence: _Sequence, message: memoryview) -> None:
    """Learn the sequence's own clocks; those below 64 are the system's and count nanoseconds."""
    for clock in (
        dict(fields(value)) for number, value in fields(message) if number == 1 and isinstance(value, memoryview)
    ):
        number = _number(clock.get(1, 0))
        if number >= 64:
            sequence.unit_ns[number] = _number(clock.get(4, 1)) or 1
            if clock.get(3):
                sequence.deltas[number] = _number(clock.get(2, 0))


def _intern(sequence: _Sequence, message: memoryview) -> None:
    for kind, value in fields(message):
        if kind in {_CATEGORIES, _NAMES, _LABELS} and isinstance(value, memoryview):
            entry = dict(fields(value))
            sequence.interned[kind, _number(entry.get(1, 0))] = text(entry.get(2, 0))


def _note(sequence: _Sequence, message: memoryview) -> Iterator[tuple[str, str]]:
    """Yield the annotations of a slice by their labels."""
    parts = dict(fields(message))
    label = text(parts[10]) if 10 in parts else sequence.interned.get((_LABELS, _number(parts.get(1, 0))), "")
    value = next((parts[place] for place in (6, 3, 4) if place in parts), None)
    if label and value is not None:
        yield label, text(value) or str(value)


def _launch(ended: _Slice, spent: int, number: int) -> Dispatch:
    given = ended.notes
    return Dispatch(
        kernel=ended.name or given.get("kernel", "") or "(without name)",
        dispatch_id=_whole(given.get("dispatch_id")) or number,
        device=given.get("agent"),
        grid_items=_whole(given.get("grid_size")),
        workgroup_items=_whole(given.get("workgroup_size")),
        lds_bytes=_whole(given.get("group_segment_size")),
        scratch_bytes=_whole(given.get("private_segment_size")),
        start_ns=ended.start_ns,
        end_ns=ended.start_ns + spent,
        duration_ns=float(spent),
    )


def _whole(value: str | None) -> int | None:
    return int(value) if value is not None and value.isdecimal() else None


def _number(value: Value) -> int:
    return value if isinstance(value, int) else 0
