"""Launches, copies and calls of an SQLite export: ``nsys export --type sqlite``, also what ``nsys stats`` leaves beside a report.

nvprof and the Visual Profiler wrote CUPTI's records into tables of nearly the same columns, with names in a table of their
own; both are read here. Source of the columns: Nsight Systems' *Exporter schema* and CUPTI's ``CUpti_ActivityKernel``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Final

from hotloop.profilers.jsontext import integer_of
from hotloop.profilers.source import named
from hotloop.profilers.sqlitefile import Database, database, quoted
from hotloop.profilers.summary import Summary
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Calls, DeviceFact, Dispatch, Profile, Tally

_KERNELS: Final = ("CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL")
_NAMES: Final = {"StringIds": "id", "StringTable": "_id_"}
"""Tables of texts, nsys' and nvprof's, with the column of their numbers."""
_DEVICES: Final = ("TARGET_INFO_GPU", "TARGET_INFO_CUDA_GPU", "CUPTI_ACTIVITY_KIND_DEVICE")
_CALLED: Final = {
    "CUPTI_ACTIVITY_KIND_RUNTIME": "CUDA runtime",
    "CUPTI_ACTIVITY_KIND_DRIVER": "CUDA driver",
    "CUPTI_ACTIVITY_KIND_MEMCPY": "copy",
    "CUPTI_ACTIVITY_KIND_MEMSET": "memset",
}
_COPIES: Final = {1: "host to device", 2: "device to host", 8: "device to device", 10: "device to device"}
_LAUNCH: Final = (
    "start", "end", "deviceId", "demangledName", "name", "registersPerThread", "gridX", "gridY", "gridZ", "blockX", "blockY",
    "blockZ", "staticSharedMemory", "dynamicSharedMemory", "localMemoryPerThread",
)  # fmt: skip
_REASONS: Final = {"counters": "a trace holds times only: 'ncu --set full --csv --page raw' counts"}

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Device:
    number: int | None
    name: str
    architecture: str


def read(path: Path) -> Profile:
    """Return the launches of all GPUs. Raises ProfileError."""
    summary = Summary()
    with database(path) as opened:
        names = _names(opened)
        devices = tuple(_devices(opened, names))
        used = set[int | None]()
        for launch, device in _launches(opened, names):
            used.add(device)
            summary.add(launch)
        calls = tuple(_calls(opened, names))
    if not summary.kernels():
        raise ProfileError(
            f"{named(path)} is a trace of the host without a launch of a kernel: profile with 'nsys profile --trace cuda'."
        )
    own = [device for device in devices if device.number in used or len(devices) == 1]
    architectures, cards = {d.architecture for d in own}, {d.name for d in own}
    return Profile(
        tool="nsys", source=path.name, format="records (SQLite)",
        architecture=architectures.pop() or None if len(architectures) == 1 else None,
        device_name=cards.pop() or None if len(cards) == 1 else None,
        dispatches=summary.dispatches(), kernels=summary.kernels(), span_ns=summary.span_ns(), calls=calls,
        facts=tuple(DeviceFact(str(d.number), "name", d.name) for d in devices if d.name), absent=summary.absent(_REASONS),
    )  # fmt: skip


def _names(opened: Database) -> dict[int | None, str]:
    return {
        integer_of(row[number]): str(row["value"])
        for table, number in _NAMES.items()
        for row in opened.select(table, (number, "value"))
    }


def _devices(opened: Database, names: Mapping[int | None, str]) -> Iterator[_Device]:
    """Yield the GPUs; each version of the schema has one of the tables."""
    capability = (
        ("computeMajor", "computeMinor"),
        ("computeCapabilityMajor", "computeCapabilityMinor"),
        ("smMajor", "smMinor"),
    )
    wanted = ("id", "cuDevice", "name", *(column for pair in capability for column in pair))
    for table in _DEVICES:
        for row in opened.select(table, wanted):
            pairs = [(integer_of(row[a]), integer_of(row[b])) for a, b in capability]
            major, minor = next((pair for pair in pairs if None not in pair), (None, None))
            text, number = row["name"], row["cuDevice"] if row["cuDevice"] is not None else row["id"]
            called = names.get(text, "") if isinstance(text, int) else str(text or "")
            yield _Device(integer_of(number), called, "" if major is None else f"sm_{major}{minor}")


def _launches(opened: Database, names: Mapping[int | None, str]) -> Iterator[tuple[Dispatch, int | None]]:
    number = 0
    for table in _KERNELS:
        for row in opened.select(table, _LAUNCH, 'ORDER BY "start"'):
            number += 1
            device = integer_of(row["deviceId"])
            text = integer_of(row["demangledName"] if row["demangledName"] is not None else row["name"])
            yield _launch(row, names.get(text, f"kernel {text}"), number, device), device


def _launch(row: Row, name: str, number: int, device: int | None) -> Dispatch:
    start, end = integer_of(row["start"]), integer_of(row["end"])
    grid, block = _volume(row, "grid"), _volume(row, "block")
    shared = [
        size
        for column in ("staticSharedMemory", "dynamicSharedMemory")
        if (size := integer_of(row[column])) is not None
    ]
    return Dispatch(
        kernel=name,
        dispatch_id=number,
        device=None if device is None else str(device),
        grid_items=grid * block if grid is not None and block is not None else None,
        workgroup_items=block,
        lds_bytes=sum(shared) if shared else None,
        scratch_bytes=integer_of(row["localMemoryPerThread"]),
        vgprs=integer_of(row["registersPerThread"]),
        start_ns=start,
        end_ns=end,
        duration_ns=float(end - start) if start is not None and end is not None and end > start else None,
    )


def _volume(row: Row, what: str) -> int | None:
    sides = [size for axis in "XYZ" if (size := integer_of(row[what + axis]))]
    return prod(sides) if len(sides) == len("XYZ") else None


def _calls(opened: Database, names: Mapping[int | None, str]) -> Iterator[Calls]:
    """Yield what the host called and copied, summed up by name."""
    for table, domain in _CALLED.items():
        if table not in opened.tables:
            continue
        kind = next((column for column in ("nameId", "copyKind") if column in opened.columns(table)), "")
        span = '"end" - "start"'
        by = quoted(kind) if kind else "0"
        query = f"SELECT {by}, count(*), sum({span}), min({span}), max({span}) FROM {quoted(table)} GROUP BY 1"  # noqa: S608 - quoted
        for number, count, total, least, most in opened.rows(query):
            tally = Tally(integer_of(count) or 0, _real(total), _real(least), _real(most))
            yield Calls(domain, _called(kind, integer_of(number), names) or domain, tally)


def _called(kind: str, number: int | None, names: Mapping[int | None, str]) -> str:
    return names.get(number, "") if kind == "nameId" else _COPIES.get(number or 0, "") if kind else ""


def _real(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
