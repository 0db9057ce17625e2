"""rocprofv3's ``--output-format json``: one record a process, with agents, kernel symbols, dispatches and counters.

Dispatches refer to kernels, agents and counters by number, and the tables that hold the names may stand before or after
them, so everything is summed by number first and named at the end. Files beyond 64 MiB are streamed; then single
dispatches are not kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import Final

from hotloop.model.evidence import Absent
from hotloop.profilers.jsontext import End, Json, integer_of, load, stream, whole
from hotloop.profilers.summary import Summary, absences, merged
from hotloop.profilers.tables.callsums import CallSums
from hotloop.profiles.profile import Calls, DeviceFact, Dispatch, KernelProfile, Profile
from hotloop.targets.target import Target

ROOT: Final = "rocprofiler-sdk-tool"
_TABLES: Final = ("agents", "counters", "kernel_symbols")
_CALLS: Final = (
    "hip_api",
    "hsa_api",
    "marker_api",
    "memory_copy",
    "memory_allocation",
    "rocdecoder_api",
    "rccl_api",
    "scratch_memory",
)
_BUFFERS: Final = ("kernel_dispatch", *_CALLS)
_ITEMS: Final = frozenset(
    [(ROOT, "[]", t, "[]") for t in _TABLES]
    + [(ROOT, "[]", "buffer_records", b, "[]") for b in _BUFFERS]
    + [(ROOT, "[]", "callback_records", "counter_collection", "[]"), (ROOT, "[]", "strings", "buffer_records", "[]")]
    + [(ROOT, "[]", "metadata")]
)
_RECORDS: Final = frozenset([(ROOT, "[]")])
_REASONS: Final = {
    "counters": "the run collected no counters", "scratch_bytes": "the record holds no scratch size",
    "duration_ns": "the run traced no kernels, and counter records have no time stamps",
    "vgprs": "only counter records hold registers", "sgprs": "only counter records hold registers",
    "agprs": "the format has no field for it", "wave_size": "the record names no agent",
}  # fmt: skip
_FACTS: Final = ("name", "product_name", "gfx_target_version", "wave_front_size", "num_xcc", "cu_count", "simd_per_cu",
                 "lds_size_in_kb", "max_waves_per_simd", "max_engine_clk_fcompute")  # fmt: skip


@dataclass(slots=True)
class _Process:
    """One process record while it is read; names are resolved at its end."""

    agents: dict[int, dict[str, Json]] = field(default_factory=dict)
    symbols: dict[int, str] = field(default_factory=dict)
    counters: dict[int, str] = field(default_factory=dict)
    kinds: dict[int, tuple[str, list[Json]]] = field(default_factory=dict)
    calls: dict[str, CallSums] = field(default_factory=dict)
    launches: dict[int, Dispatch] = field(default_factory=dict)
    streamed: bool = False
    counted: Summary = field(default_factory=Summary)
    """Counts of the launches, instead of `launches`, when the file is streamed."""
    timed: Summary = field(default_factory=Summary)
    pid: int | None = None

    def take(self, place: tuple[str, ...], item: Json) -> None:
        """Sort one item in; what has another shape than the schema says is passed over."""
        if not isinstance(item, dict):
            return
        table = place[2]
        if table == "metadata":
            self.pid = integer_of(item.get("pid"))
        elif table == "agents":
            self.agents[_handle(item.get("id"))] = item
        elif table == "counters":
            self.counters[_handle(item.get("id"))] = str(item.get("name", ""))
        elif table == "kernel_symbols":
            name = item.get("formatted_kernel_name") or item.get("demangled_kernel_name") or item.get("kernel_name")
            self.symbols[integer_of(item.get("kernel_id")) or 0] = str(name or "")
        elif table == "strings":
            operations = item.get("operations")
            self.kinds[len(self.kinds)] = (
                str(item.get("kind", "")),
                operations if isinstance(operations, list) else [],
            )
        elif place[3] == "counter_collection":
            self._counted(item)
        elif place[3] == "kernel_dispatch":
            self._timed(item)
        else:
            self._called(place[3], item)

    def _counted(self, item: dict[str, Json]) -> None:
        data = item.get("dispatch_data")
        info = data.get("dispatch_info") if isinstance(data, dict) else None
        records = item.get("records")
        if not isinstance(info, dict) or not isinstance(records, list):
            return
        dispatch = self._launch(info)
        sums = dict(dispatch.counters)
        for record in records:
            value = record.get("value") if isinstance(record, dict) else None
            if isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value):
                key = str(_handle(record.get("counter_id")))
                sums[key] = sums.get(key, 0.0) + float(value)
        self._keep(self.counted, replace(dispatch, counters=sums, vgprs=integer_of(item.get("arch_vgpr_count")),
                           sgprs=integer_of(item.get("sgpr_count")),
                           lds_bytes=_first(integer_of(item.get("lds_block_size_v")), dispatch.lds_bytes)))  # fmt: skip

    def _timed(self, item: dict[str, Json]) -> None:
        info = item.get("dispatch_info")
        if not isinstance(info, dict):
            return
        start, end = integer_of(item.get("start_timestamp")), integer_of(item.get("end_timestamp"))
        timed = start is not None and end is not None and end > start
        self._keep(self.timed, replace(self._launch(info), start_ns=start, end_ns=end,
                           duration_ns=float(end - start) if timed and start is not None and end is not None else None))  # fmt: skip

    def _launch(self, info: dict[str, Json]) -> Dispatch:
        number = integer_of(info.get("dispatch_id"))
        earlier = self.launches.get(-1 if number is None else number)
        return earlier or Dispatch(
            kernel=str(integer_of(info.get("kernel_id")) or 0),
            dispatch_id=number,
            device=str(_handle(info.get("agent_id"))),
            grid_items=_volume(info.get("grid_size")),
            workgroup_items=_volume(info.get("workgroup_size")),
            lds_bytes=integer_of(info.get("group_segment_size")),
            scratch_bytes=integer_of(info.get("private_segment_size")),
        )

    def _keep(self, summary: Summary, dispatch: Dispatch) -> None:
        if self.streamed:
            summary.add(dispatch)
            return
        self.launches[-1 - len(self.launches) if dispatch.dispatch_id is None else dispatch.dispatch_id] = dispatch

    def _called(self, table: str, item: dict[str, Json]) -> None:
        start, end = integer_of(item.get("start_timestamp")), integer_of(item.get("end_timestamp"))
        if start is None or end is None or end < start:
            return
        kind, operation = integer_of(item.get("kind")), integer_of(item.get("operation"))
        self.calls.setdefault(table, CallSums()).add(str(kind), str(operation), float(end - start))

    def dispatches(self) -> Iterator[Dispatch]:
        """Yield the dispatches by number with all names resolved."""
        for dispatch in self.launches.values():
            agent = self.agents.get(int(dispatch.device or 0), {})
            node = integer_of(agent.get("node_id"))
            yield replace(
                dispatch,
                kernel=self.symbols.get(int(dispatch.kernel), f"kernel {dispatch.kernel}"),
                device=dispatch.device if node is None else f"Agent {node}",
                process_id=self.pid,
                wave_size=integer_of(agent.get("wave_front_size")),
                counters={self.counters.get(int(h), f"counter {h}"): v for h, v in dispatch.counters.items()},
            )

    def kernels(self) -> Iterator[KernelProfile]:
        """Yield the kernels of a streamed record: counters and times of the same dispatches, with all names resolved."""
        counted, timed = ({k.kernel: k for k in s.kernels()} for s in (self.counted, self.timed))
        for number in dict.fromkeys((*counted, *timed)):
            parts = [part[number] for part in (counted, timed) if number in part]
            whole = merged(parts[0], parts[-1], max(p.dispatches for p in parts)) if len(parts) > 1 else parts[0]
            counters = {self.counters.get(int(h), f"counter {h}"): t for h, t in whole.counters.items()}
            yield replace(whole, kernel=self.symbols.get(int(number), f"kernel {number}"), counters=counters)

    def named_calls(self) -> Iterator[Calls]:
        """Yield the calls with the names of their kinds and operations."""
        for table, sums in self.calls.items():
            for call in sums.calls():
                kind, operations = self.kinds.get(_number(call.domain), (table, []))
                place = _number(call.name)
                name = operations[place] if 0 <= place < len(operations) else f"operation {call.name}"
                yield Calls(kind, str(name), call.duration_ns)

    def facts(self) -> Iterator[DeviceFact]:
        """Yield what is said of the graphics processors."""
        for handle, agent in self.agents.items():
            node = integer_of(agent.get("node_id"))
            device = f"Agent {handle if node is None else node}"
            yield from (DeviceFact(device, n, str(agent[n])) for n in _FACTS if n in agent)


def read(path: Path) -> Profile:
    """Return dispatches, calls and facts of all processes. Raises ProfileError."""
    summary, streamed, calls, facts = Summary(), dict[str, KernelProfile](), list[Calls](), list[DeviceFact]()
    for process in _processes(path):
        for dispatch in process.dispatches():
            summary.add(dispatch)
        for kernel in process.kernels():
            before = streamed.get(kernel.kernel)
            streamed[kernel.kernel] = (
                kernel if before is None else merged(before, kernel, before.dispatches + kernel.dispatches)
            )
        calls.extend(process.named_calls())
        facts.extend(process.facts())
    kernels = summary.kernels() or tuple(streamed.values())
    absent = (
        absences(kernels, _REASONS, kept=not streamed)
        if kernels
        else (Absent("dispatches", "the run recorded no kernel"),)
    )
    return Profile(tool="rocprofv3", source=path.name, format="records (JSON)", dispatches=summary.dispatches(), kernels=kernels, span_ns=summary.span_ns(),
                   calls=tuple(calls), facts=tuple(facts), architecture=_architecture(facts), absent=absent)  # fmt: skip


def _processes(path: Path) -> Iterator[_Process]:
    if whole(path):
        yield from _held(load(path))
        return
    process = _Process(streamed=True)
    for place, item in stream(path, _ITEMS, _RECORDS):
        if isinstance(item, End):
            yield process
            process = _Process(streamed=True)
        else:
            process.take(place, item)


def _held(content: Json) -> Iterator[_Process]:
    records = content.get(ROOT) if isinstance(content, dict) else None
    for record in records if isinstance(records, list) else [records]:
        process = _Process()
        for place in sorted(_ITEMS):
            here: Json = record
            for key in place[2:]:
                here = here if key == "[]" else here.get(key) if isinstance(here, dict) else None
            for item in here if isinstance(here, list) else [here]:
                process.take(place, item)
        yield process


def _architecture(facts: list[DeviceFact]) -> str | None:
    names = {f.value for f in facts if f.name == "name" and Target.of(f.value).amd}
    return names.pop() if len(names) == 1 else None


def _handle(value: Json) -> int:
    return integer_of(value.get("handle") if isinstance(value, dict) else value) or 0


def _volume(size: Json) -> int | None:
    if not isinstance(size, dict):
        return None
    sides = [integer_of(size.get(axis)) for axis in "xyz"]
    product = 1
    for side in sides:
        if side is None:
            return None
        product *= side
    return product


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else -1
