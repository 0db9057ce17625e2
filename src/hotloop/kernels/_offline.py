"""Helpers for ladders that are compiled for an absent processor: a device to plan for, and a program as a `Unit`."""

from __future__ import annotations

from hotloop.model.device import Device
from hotloop.model.ladder import Unit
from hotloop.model.program import Array, Program, Value
from hotloop.targets.target import Target


def device(target: str) -> Device:
    """Return an absent device with the few facts that plans read."""
    described = Target.parse(target)
    return Device(
        name=described.name,
        kind="gpu",
        backend="offline",
        runtime="offline compilation",
        runtime_key="offline",
        target=described.name,
        local_mem_bytes=described.local_bytes,
        local_mem_dedicated=True,
        max_workgroup=1024,
    )


def unit(program: Program, name: str) -> Unit:
    """Return a planned program of one launch as input of an offline compiler; `name` is its file name in messages."""
    (launch,) = program.launches
    local = (*(launch.local_size or (1,)), 1, 1)
    extents = (*launch.global_size, 1, 1)
    x, y, z = (extent // size for extent, size in zip(extents[:3], local[:3], strict=True))
    return Unit(
        language=program.language,
        name=name,
        text=program.source,
        entry=launch.entry,
        options=program.options,
        grid=(x, y, z),
        threads=local[0],
        arrays=tuple(a.name for a in launch.arguments if isinstance(a, Array)),
        numbers=tuple(int(a.value) for a in launch.arguments if isinstance(a, Value)),
    )
