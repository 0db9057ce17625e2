"""Kernels of a trace that PyTorch's profiler, ONNX Runtime's or XLA's wrote: each launch with its time, size, registers and shared memory.

Copies and fills are calls; operators of the host are left out where there is a kernel, and are calls where there is none. Times are microseconds; a list of events alone, as people cut
it out of a trace, is read as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import Any, Final

from hotloop.profilers import jsontext
from hotloop.profilers.formats.kineto.operators import Operators
from hotloop.profilers.source import look, named
from hotloop.profilers.summary import Summary
from hotloop.profiles.cell import integer, real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Calls, DeviceFact, Dispatch, Profile, Tally

_XLA: Final = "kernel_details"
"""Key under which XLA's profiler (JAX, TensorFlow), whose events have no category, writes a kernel's registers and sizes."""
_MOVED: Final = ("memcpy_details", "memset_details")
_STREAM: Final = re.compile(r"Stream #\d+")
_NS: Final = 1e3
"""Nanoseconds in a microsecond, the trace's unit."""
_COPIES: Final = frozenset({"gpu_memcpy", "gpu_memset", "memcpy", "memset"})
_KERNEL: Final = "kernel"
_PLACED: Final = ("device", "stream", "grid")
"""One of what a kernel on a device tells: an operator of ONNX Runtime on a CPU is called a kernel, too."""
_EVENTS: Final = (("traceEvents", "[]"), ("[]",))
_DEVICES: Final = ("deviceProperties", "[]")
_REASONS: Final = {"counters": "a trace holds times only", "scratch_bytes": "the trace does not tell private memory"}
_SOLD_BY_NVIDIA: Final = ("nvidia", "tesla", "geforce", "quadro")


@dataclass(slots=True)
class _Trace:
    summary: Summary = field(default_factory=Summary)
    copies: dict[tuple[str, str], Tally] = field(default_factory=dict)
    devices: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    streams: set[tuple[str, str]] = field(default_factory=set)
    """Process and thread of the streams of XLA's traces: their kernels have no category, and not all have details."""
    kernels: int = 0
    operators: Operators = field(default_factory=Operators)

    def take(self, event: object) -> None:
        """Add an event; anything that is no kernel or copy with a time is left out."""
        if not isinstance(event, dict):
            return
        details = event.get("args")
        given = details if isinstance(details, dict) else {}
        place = str(event.get("pid", "")), str(event.get("tid", ""))
        if event.get("ph", "X") != "X":
            if event.get("name") == "thread_name" and _STREAM.match(str(given.get("name", ""))):
                self.streams.add(place)
            return
        spent = real(str(event.get("dur", "")))
        if spent is None or spent < 0:
            return
        on_stream = place in self.streams and "cat" not in event and not any(key in given for key in _MOVED)
        kind = str(event.get("cat", ""))
        older = kind == _KERNEL.capitalize() and any(key in given for key in _PLACED)
        if kind == _KERNEL or older or isinstance(given.get(_XLA), str) or on_stream:
            self.kernels += 1
            self.used.add(str(given.get("device", "")))
            self.summary.add(_dispatch(event, given, spent))
        elif kind.lower() in _COPIES:
            key = kind, str(event.get("name", ""))
            once = Tally(1, spent * _NS, spent * _NS, spent * _NS)
            self.copies[key] = self.copies[key].merged(once) if key in self.copies else once
        elif not self.kernels:
            self.operators.take(event)


def read(path: Path) -> Profile:
    """Return the launches and copies of a trace.

    Raises:
        ProfileError: no JSON, or neither kernel nor copy in it.
    """
    trace = _Trace()
    fragment = _fragment(path)
    for event in fragment:
        trace.take(event)
    for place, item in jsontext.stream(path, frozenset({*_EVENTS, _DEVICES})) if not fragment else ():
        if place == _DEVICES:
            if isinstance(item, dict):
                trace.devices[str(item.get("id", ""))] = item
        else:
            trace.take(item)
    calls = tuple(Calls(kind, name, tally) for (kind, name), tally in trace.copies.items())
    calls = calls if trace.kernels or calls else trace.operators.calls()
    if not trace.kernels and not calls:
        raise ProfileError(
            f"{named(path)} is a trace without a kernel: record it with ProfilerActivity.CUDA, or give 'hotloop tune --workload' the operators."
        )
    own = [properties for number, properties in trace.devices.items() if number in trace.used] or [
        *trace.devices.values()
    ]
    return Profile(
        tool="kineto",
        source=path.name,
        format="trace of PyTorch's profiler (JSON)",
        architecture=_only(_architecture(properties) for properties in own),
        device_name=_only(str(properties.get("name") or "") for properties in own),
        dispatches=trace.summary.dispatches(),
        span_ns=trace.summary.span_ns(),
        kernels=trace.summary.kernels(),
        calls=calls,
        facts=tuple(DeviceFact(str(p.get("id", "")), "cu_count", str(p["numSms"])) for p in own if p.get("numSms")),
        absent=trace.summary.absent(_REASONS),
    )


def _fragment(path: Path) -> list[object]:
    """Return the events that somebody cut out of a trace, one behind another with commas; none for a whole trace."""
    text = look(path).text
    if '"traceEvents"' in text or look(path).size_bytes > len(text.encode()) or not text.lstrip().startswith("{"):
        return []
    try:
        events: list[object] = json.loads(f"[{text.strip().rstrip(',')}]")
    except (ValueError, RecursionError):
        return []
    return events


def _only(values: Iterator[str]) -> str | None:
    distinct = {value for value in values if value}
    return distinct.pop() if len(distinct) == 1 else None


def _architecture(properties: Mapping[str, Any]) -> str:
    """Return ``sm_80`` of an NVIDIA GPU; what ROCm tells as capability names no processor of AMD's."""
    major, minor = (integer(str(properties.get(key, ""))) for key in ("computeMajor", "computeMinor"))
    named_so = str(properties.get("name", "")).lower()
    nvidia = named_so.startswith(_SOLD_BY_NVIDIA)
    return f"sm_{major}{minor}" if nvidia and major is not None and minor is not None else ""


def _dispatch(event: Mapping[str, Any], given: Mapping[str, Any], spent_us: float) -> Dispatch:
    given = {**given, **_detailed(str(given.get(_XLA, ""))), **_by_axis(given)}
    blocks, threads = _extent(given.get("grid")), _extent(given.get("block"))
    began = real(str(event.get("ts", "")))
    return Dispatch(
        kernel=str(event.get("name", "")),
        dispatch_id=integer(str(given.get("correlation", ""))),
        device=str(given["device"]) if "device" in given else None,
        grid_items=None if blocks is None or threads is None else blocks * threads,
        workgroup_items=threads,
        lds_bytes=integer(str(given.get("shared memory", ""))),
        vgprs=integer(str(given.get("registers per thread", ""))) or None,
        start_ns=None if began is None else round(began * _NS),
        end_ns=None if began is None else round((began + spent_us) * _NS),
        duration_ns=spent_us * _NS or None,
    )


def _detailed(words: str) -> dict[str, object]:
    """Return what XLA says of a launch, under the names that PyTorch has for it.

    >>> _detailed("regs:32 static_shared:16 dynamic_shared:0 grid:8,1,1 block:256,1,1 occ_pct:100")
    {'registers per thread': '32', 'shared memory': '16', 'grid': ['8', '1', '1'], 'block': ['256', '1', '1']}
    """
    fields = dict(pair.split(":", 1) for pair in words.split() if ":" in pair)
    shared = [integer(fields[name]) for name in ("static_shared", "dynamic_shared") if name in fields]
    sizes: dict[str, object] = {name: fields[name].split(",") for name in ("grid", "block") if name in fields}
    counts = {
        "registers per thread": fields.get("regs"),
        "shared memory": str(sum(filter(None, shared))) if shared else None,
    }
    return {**{name: count for name, count in counts.items() if count is not None}, **sizes}


def _by_axis(given: Mapping[str, Any]) -> dict[str, object]:
    """Return the sizes that ONNX Runtime tells axis by axis, under the names that PyTorch has for them.

    >>> _by_axis({"stream": "0x5", "grid_x": "8", "grid_y": "2", "grid_z": "1", "block_x": "128"})
    {'grid': ['8', '2', '1'], 'block': ['128']}
    """
    sizes = {name: [given[key] for axis in "xyz" if (key := f"{name}_{axis}") in given] for name in ("grid", "block")}
    return {name: axes for name, axes in sizes.items() if axes}


def _extent(sizes: object) -> int | None:
    """Return the product of a list of three sizes."""
    if not isinstance(sizes, list) or not sizes:
        return None
    whole = [integer(str(size)) for size in sizes]
    return None if None in whole else prod(size for size in whole if size is not None)
