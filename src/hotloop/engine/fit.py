"""Decides from its resources whether a compiled program can be launched at all, before any array is loaded."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from hotloop.model.outcome import Artifact, LaunchFailed, Resources
from hotloop.model.program import Launch, Local, Program
from hotloop.units import size

if TYPE_CHECKING:
    from hotloop.engine.answers import Failed
    from hotloop.model.device import Device


def failed(program: Program, built: Artifact | Failed | None, device: Device | None) -> Failed | None:
    """Return the failure of a program that was compiled ahead, or why it cannot be launched; None if it can be tried."""
    if isinstance(built, Artifact):
        return None if device is None else misfit(program, built, device)
    return built


def misfit(program: Program, built: Artifact, device: Device) -> LaunchFailed | None:
    """Return why a device must refuse a launch of a program, or None if its known resources suffice.

    >>> from hotloop.backends.null import DEVICE
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
    local_bytes = (used.local_bytes or 0) + sum(
        argument.local_bytes for argument in launch.arguments if isinstance(argument, Local)
    )
    if device.local_mem_bytes and local_bytes > device.local_mem_bytes:
        have = size(device.local_mem_bytes)
        return LaunchFailed(
            f"{launch.entry} needs {size(local_bytes)} of local memory for each group, the device has {have}"
        )
    group, most = prod(launch.local_size or ()), used.max_workgroup
    if most and group > most:
        return LaunchFailed(
            f"{launch.entry} can have {most} work-items in a group with the registers that it needs, not {group}"
        )
    return None
