"""Kernels of Proton's tree: nodes that ran on a device, added up over the scopes that launched them.

The last item of the file tells the devices. Scopes carry operations and bytes that the program stated; they are not counted
and stay out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from hotloop.profilers import jsontext
from hotloop.profilers.source import named
from hotloop.profilers.tables.totals import Total, profile
from hotloop.profiles.cell import integer, real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import DeviceFact, Profile

_TIME: Final = "time (ns)"
_COUNT: Final = "count"
_FACTS: Final = {"num_sms": "cu_count", "arch": "arch", "clock_rate": "clock_rate"}


def read(path: Path) -> Profile:
    """Return the kernels with their launches and times. Raises ProfileError."""
    content = jsontext.load(path)
    items = [item for item in content if isinstance(item, dict)] if isinstance(content, list) else []
    sums: dict[str, tuple[int, float]] = {}
    for name, count, spent in (row for item in items if "frame" in item for row in _kernels(item)):
        calls, total = sums.get(name, (0, 0.0))
        sums[name] = calls + count, total + spent
    if not sums:
        raise ProfileError(
            f"{named(path)} is a tree of Proton without times of kernels: profile with the hook 'triton' and time."
        )
    totals = profile("proton", "tree (Hatchet)", path, [Total(n, count, spent) for n, (count, spent) in sums.items()])
    devices = tuple(device for item in items if "frame" not in item for device in _devices(item))
    named_so = {architecture for _, architecture, _ in devices if architecture}
    facts = tuple(fact for _, _, rows in devices for fact in rows)
    return replace(totals, architecture=named_so.pop() if len(named_so) == 1 else None, facts=facts)


def _kernels(node: Mapping[str, Any]) -> Iterator[tuple[str, int, float]]:
    """Yield the kernels below a node: leaves with a time, as a scope's own time is that of its kernels again."""
    waiting = [node]
    while waiting:
        place = waiting.pop()
        below, counted = place.get("children"), place.get("metrics")
        children = [child for child in below if isinstance(child, dict)] if isinstance(below, list) else []
        waiting += reversed(children)
        metrics = {str(name).lower(): value for name, value in counted.items()} if isinstance(counted, dict) else {}
        spent, count = real(str(metrics.get(_TIME, ""))), integer(str(metrics.get(_COUNT, "")))
        frame = place.get("frame")
        if not children and spent and count and isinstance(frame, dict):
            yield str(frame.get("name", "")), count, spent


def _devices(item: Mapping[str, Any]) -> Iterator[tuple[str, str, tuple[DeviceFact, ...]]]:
    """Yield number, processor and facts of each device."""
    for vendor, devices in item.items():
        for number, properties in devices.items() if isinstance(devices, dict) else ():
            if isinstance(properties, dict):
                arch = str(properties.get("arch", ""))
                facts = tuple(
                    DeviceFact(str(number), name, str(properties[key]))
                    for key, name in _FACTS.items()
                    if key in properties
                )
                yield str(number), f"sm_{arch}" if vendor == "CUDA" and arch.isdecimal() else arch, facts
