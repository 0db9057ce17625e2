"""Decides whether a program can be launched at all: by what it asks for before it is compiled, by its resources before any array is loaded."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from hotloop.model.outcome import Artifact, LaunchFailed, Resources
from hotloop.model.program import Launch, Program
from hotloop.units import size

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hotloop.engine.answers import Failed
    from hotloop.model.device import Device


def impossible(programs: Iterable[Program], device: Device | None) -> LaunchFailed | None:
    """Return why a device refuses a launch whatever the compiler makes of it, or None; nothing needs to be compiled to know that.

    >>> from hotloop.backends.null import DEVICE
    >>> launch = Launch("f", (), (4096,), (64, 32))
    >>> impossible([Program("null", "", launches=(launch,))], DEVICE).reason
    'f asks for 2048 work-items in a group, the device takes 1024'
    """
    if device is None:
        return None
    launches = (launch for program in programs for launch in program.launches)
    return next((reason for launch in launches if (reason := _refused(launch, device))), None)


def _refused(launch: Launch, device: Device) -> LaunchFailed | None:
    if not launch.work_items:
        return None
    group = prod(launch.local_size or ())
    if group > device.max_workgroup > 1:  # a device that does not tell has 1
        return LaunchFailed(
            f"{launch.entry} asks for {group} work-items in a group, the device takes {device.max_workgroup}"
        )
    return _stretched(launch, device) or _crowded(launch, launch.local_bytes, device)


def _stretched(launch: Launch, device: Device) -> LaunchFailed | None:
    """Return the dimension along which a launch has more work-items in a group, or more groups, than the device takes."""
    if launch.local_size is None:
        return None
    grid = tuple(-(-items // group) for items, group in zip(launch.global_size, launch.local_size, strict=False))
    for what, asked, limits in (
        ("work-items in a group", launch.local_size, device.group_extents),
        ("groups", grid, device.grid_extents),
    ):
        for axis, extent, most in zip("xyz", asked, limits, strict=False):
            if extent > most:
                return LaunchFailed(f"{launch.entry} asks for {extent} {what} along {axis}, the device takes {most}")
    return None


def _crowded(launch: Launch, local_bytes: int, device: Device) -> LaunchFailed | None:
    if not device.local_mem_bytes or local_bytes <= device.local_mem_bytes:
        return None
    have = size(device.local_mem_bytes)
    return LaunchFailed(
        f"{launch.entry} needs {size(local_bytes)} of local memory for each group, the device has {have}"
    )


def failed(program: Program, built: Artifact | Failed | None, device: Device | None) -> Failed | None:
    """Return the failure of a program that was compiled ahead, or why it cannot be launched; None if it can be tried."""
    if isinstance(built, Artifact):
        return None if device is None else misfit(program, built, device)
    return built


def misfit(program: Program, built: Artifact, device: Device) -> LaunchFailed | None:
    """Return why a device must refuse a launch of a program, or None if its known resources suffice.

    >>> from hotloop.backends.null import DEVICE
    >>> from hotloop.model.program import Local
    >>> launch = Launch("f", (Local(60000),), (64,), (64,))
    >>> misfit(Program("null", "", launches=(launch,)), Artifact("k", 0.0, "", (("f", Resources(local_bytes=9000)),)), DEVICE).reason
    'f needs 67.4 KiB of local memory for each group, the device has 64.0 KiB'
    """
    resources = dict(built.resources)
    return next(
        (reason for launch in program.launches if (reason := _misfit(launch, resources.get(launch.entry), device))),
        None,
    )


def _misfit(launch: Launch, used: Resources | None, device: Device) -> LaunchFailed | None:
    if used is None or not launch.work_items:
        return None
    if crowded := _crowded(launch, (used.local_bytes or 0) + launch.local_bytes, device):
        return crowded
    group, most = prod(launch.local_size or ()), used.max_workgroup
    if most and group > most:
        return LaunchFailed(
            f"{launch.entry} can have {most} work-items in a group with the registers that it needs, not {group}"
        )
    return None
