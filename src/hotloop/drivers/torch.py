"""What backends on PyTorch share: its GPUs, banded buffers, timing by events and graphs, and faults that end the worker.

PyTorch allocates and keeps time; it computes nothing here. It is imported when a device is asked for, not with this module.
After an illegal access or a failed assertion on a GPU, every later call of the process fails too. The worker then ends at
once, so that its death is recorded as this candidate's outcome and a fresh worker goes on.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import itertools
import os
import sys
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hotloop.errors import MissingExtraError, first_line
from hotloop.model.device import Device
from hotloop.ports import BAND_BYTES, LaunchError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FAULT_STATUS = 70
"""Exit status of a worker whose GPU context is dead."""
LEAD_CYCLES, GRAPH_LEAD_CYCLES = 100_000, 20_000
"""Clock cycles (about 60 and 12 µs) that the GPU is kept busy before a measurement begins, while the launches of one call or
the first of many are still being submitted: without that, the host's time would count as theirs."""
HOST_SHARE, MOST_TRIES, CYCLES_PER_NS, MOST_LEAD_CYCLES = 0.5, 4, 2.0, 40_000_000
"""Where submitting calls took more than this part of what they took on the device, beyond the lead, the device may have waited for the
host, as it does when compilers take the host's cores: such calls are run again, at most so often, behind a lead of up to 20 ms. The
clock is that of the fastest GPUs, so that a lead is not thought longer than it is."""
BLOCK = 16
"""Calls in one graph: replaying one takes about 5 µs of the host, which must be less than the calls take on the device."""
MOST_GRAPHS, MOST_PLANS = 32, 16
"""Graphs and samples that are kept; each holds on to the buffers of its calls."""
MEMORY = "torch"
"""Name of the memory of all backends on PyTorch: they share the arrays of a dataset."""
_MAX_GROUP = 1024
_NVIDIA_GRID = (2**31 - 1, 65535, 65535)
"""CUDA C++ Programming Guide, table of technical specifications: the same for every compute capability; PyTorch does not tell it."""
_NUMBERS = itertools.count()


def load() -> Any:  # noqa: ANN401 - PyTorch is not installed where hotloop is checked
    """Return PyTorch. Raises MissingExtraError."""
    try:
        import torch
    except ModuleNotFoundError as error:
        raise MissingExtraError("running Triton and Gluon kernels", "torch") from error
    return torch


def version(package: str) -> str:
    """Return the version of an installed package without importing it; empty when there is none."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def gpus(backend: str, compiler: str) -> tuple[Device, ...]:
    """Return the GPUs that PyTorch can use, in its order; `compiler` says what makes their code.

    Raises:
        MissingExtraError: PyTorch is not installed.
    """
    torch = load()
    if not torch.cuda.is_available():
        return ()
    return tuple(_facts(torch, index, backend, compiler) for index in range(torch.cuda.device_count()))


def matches(device: Device, wanted: str) -> bool:
    """Tell whether a device's key or runtime contains a text; case does not matter."""
    return wanted.casefold() in f"{device.key} {device.runtime}".casefold()


def probe(index: int) -> str:
    """Use a GPU and compute something on it; returns why that fails, or an empty text."""
    torch = load()
    try:
        torch.cuda.set_device(index)
        right = bool((torch.arange(1000, device="cuda") * 2).sum().item() == 999_000)
    except RuntimeError as error:
        return first_line(error)
    return "" if right else "computes wrong results"


class BandedBuffer:
    """Memory with canary bands, on the GPU or for the interpreter; kernels see only the payload."""

    def __init__(self, banded_bytes: int, where: str) -> None:
        torch = load()
        with launching(where):
            self.whole = torch.empty(banded_bytes, dtype=torch.uint8, device=where)

    def write(self, banded: NDArray[np.uint8]) -> None:
        """Copy host bytes to the whole buffer."""
        with launching(self.whole.device.type):
            self.whole.copy_(load().from_numpy(banded))

    def fill(self, banded: NDArray[np.uint8], word: int) -> None:
        """Copy the bands, and fill the payload between them with a word of four bytes, whose bits are given unsigned."""
        torch = load()
        with launching(self.whole.device.type):
            for place in (slice(None, BAND_BYTES), slice(-BAND_BYTES, None)):
                self.whole[place].copy_(torch.from_numpy(banded[place]))
            signed = word - (1 << 32) if word >= 1 << 31 else word
            self.whole[BAND_BYTES:-BAND_BYTES].view(torch.int32).fill_(signed)

    def read(self, banded: NDArray[np.uint8]) -> None:
        """Copy the whole buffer to host bytes."""
        with launching(self.whole.device.type):
            load().from_numpy(banded).copy_(self.whole)

    def payload(self, dtype: str) -> Any:  # noqa: ANN401
        """Return what lies between the bands as a flat tensor. Raises LaunchError for a type that PyTorch does not have."""
        inner = self.whole[BAND_BYTES : self.whole.numel() - BAND_BYTES]
        return inner.view(torch_type(dtype))


def pin(array: NDArray[np.uint8]) -> None:
    """Lock pages of the host in memory for faster copies; one that cannot be locked is left as it is: files of most file systems cannot."""
    torch = load()
    if torch.cuda.is_initialized():
        _asked(torch, lambda runtime: runtime.cudaHostRegister(array.ctypes.data, array.nbytes, 0))


def unpin(array: NDArray[np.uint8]) -> None:
    """Release pages that were locked; any others are left as they are."""
    torch = load()
    if torch.cuda.is_initialized():
        _asked(torch, lambda runtime: runtime.cudaHostUnregister(array.ctypes.data))


def _asked(torch: Any, ask: Callable[[Any], Any]) -> None:  # noqa: ANN401
    """Ask the runtime for something that it may refuse, and take its refusal: the runtime keeps it for who asks next, whose launch would fail by it."""
    refused = True
    with contextlib.suppress(Exception):  # a runtime that refuses copies as it did before
        refused = int(ask(torch.cuda.cudart())) != 0
    if refused:
        with contextlib.suppress(RuntimeError):  # which tells, and thereby clears, what is kept
            torch.ones(1, device="cuda")


def torch_type(name: str) -> Any:  # noqa: ANN401
    """Return PyTorch's type of a name such as ``float16`` or ``bfloat16``. Raises LaunchError."""
    torch = load()
    kind = getattr(torch, name, None)
    if not isinstance(kind, torch.dtype):
        raise LaunchError(f"PyTorch has no type {name!r}")
    return kind


@contextlib.contextmanager
def launching(where: str) -> Iterator[None]:
    """Turn a refusal of the runtime into a `LaunchError`, and end the process when the device's context is dead."""
    try:
        yield
    except (LaunchError, MemoryError):
        raise
    except Exception as error:
        text = first_line(error)
        if where == "cuda":
            _leave_if_dead(text)
        raise LaunchError(text) from error


class Timeline:
    """Runs submitted calls and tells how long the device took.

    Calls are collected and run when somebody waits. A single one is launched as it is, with events between its phases.
    Several run back to back behind one pair of events, most of them out of graphs, because launching a kernel takes
    the host longer than short kernels run.
    """

    def __init__(self, *, graphs: bool = True) -> None:
        self._torch = load()
        self._graphs: OrderedDict[tuple[BoundProgram, ...], Any] = OrderedDict()
        self._plans: OrderedDict[tuple[BoundProgram, ...], Sequence[Callable[[], None]]] = OrderedDict()
        self._capturing = graphs
        self._waiting: list[BoundProgram] = []

    def add(self, call: BoundProgram) -> None:
        """Submit a call."""
        self._waiting.append(call)

    def run(self) -> tuple[float, Mapping[str, float]]:
        """Run what was submitted; returns device ns, and those by phase if it was one call."""
        calls, self._waiting = self._waiting, []
        if not calls:
            return 0.0, {}
        with launching("cuda"):
            if len(calls) == 1:
                return self._once(calls[0])
            spent_ns = self._many(calls)
            self._deliver(calls[-1])
            return spent_ns, {}

    def _deliver(self, call: BoundProgram) -> None:
        """Bring the last call's result to where it is looked at; it runs once more for that, as a replayed graph does not tell where results lie."""
        if call.after is not None:
            _each((call,))()
            call.after()

    def _once(self, call: BoundProgram) -> tuple[float, Mapping[str, float]]:
        marks = [self._event() for _ in range(len(call.launches) + 1)]
        self._torch.cuda._sleep(LEAD_CYCLES)  # noqa: SLF001 - PyTorch's own benchmarks use it
        marks[0].record()
        for mark, (_, launch) in zip(marks[1:], call.launches, strict=True):
            launch()
            mark.record()
        marks[-1].synchronize()
        if call.after is not None:
            call.after()
        spent: dict[str, float] = defaultdict(float)
        for before, after, (phase, _) in zip(marks, marks[1:], call.launches, strict=False):
            spent[phase] += 1e6 * before.elapsed_time(after)
        return sum(spent.values()), dict(spent)

    def _many(self, calls: Sequence[BoundProgram]) -> float:
        """Return the device's time, run again behind a longer lead while submitting may have been what it waited for."""
        steps, lead, spent_ns = self._planned(tuple(calls)), GRAPH_LEAD_CYCLES, list[float]()
        while True:
            host_ns, device_ns = self._submitted(steps, lead)
            spent_ns.append(device_ns)
            in_time = host_ns < lead / CYCLES_PER_NS + HOST_SHARE * device_ns
            if in_time or len(spent_ns) == MOST_TRIES:
                return min(spent_ns)
            lead = min(MOST_LEAD_CYCLES, max(4 * lead, int(2 * CYCLES_PER_NS * host_ns)))

    def _submitted(self, steps: Sequence[Callable[[], None]], lead: int) -> tuple[float, float]:
        """Run steps behind a lead; return how long the host submitted them and how long the device ran them, in ns."""
        begin, end = self._event(), self._event()
        began_ns = time.perf_counter_ns()
        self._torch.cuda._sleep(lead)  # noqa: SLF001
        begin.record()
        for step in steps:
            step()
        end.record()
        host_ns = time.perf_counter_ns() - began_ns
        end.synchronize()
        return float(host_ns), 1e6 * float(begin.elapsed_time(end))

    def _planned(self, calls: tuple[BoundProgram, ...]) -> Sequence[Callable[[], None]]:
        """Return the steps of a sample; samples of the same calls come again and again."""
        if calls not in self._plans:
            self._plans[calls] = [self._step(part) for part in blocks(calls)]
        self._plans.move_to_end(calls)
        while len(self._plans) > MOST_PLANS:
            self._plans.popitem(last=False)
        return self._plans[calls]

    def _step(self, part: Sequence[BoundProgram]) -> Callable[[], None]:
        """Return what runs a part: the replay of its graph, or its launches one by one."""
        graph = self._graph(tuple(part)) if len(part) > 1 and self._capturing else None
        return _each(part) if graph is None else graph.replay

    def _graph(self, part: tuple[BoundProgram, ...]) -> Any:  # noqa: ANN401
        """Return the graph of a part, captured when it is first needed; None when the calls cannot be captured."""
        if part in self._graphs:
            self._graphs.move_to_end(part)
            return self._graphs[part]
        self._graphs[part] = self._captured(part)
        while len(self._graphs) > MOST_GRAPHS:
            self._graphs.popitem(last=False)
        return self._graphs[part]

    def _captured(self, part: Sequence[BoundProgram]) -> Any:  # noqa: ANN401
        torch = self._torch
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.stream(torch.cuda.Stream()):
            graph.capture_begin(capture_error_mode="thread_local")
            try:
                _each(part)()
            except Exception:  # noqa: BLE001 - whatever cannot be captured can still be launched
                with contextlib.suppress(RuntimeError):
                    graph.capture_end()
                return None
            graph.capture_end()
        return graph

    def _event(self) -> Any:  # noqa: ANN401
        return self._torch.cuda.Event(enable_timing=True)


class BoundProgram:
    """Launches with their arguments, in order on one stream."""

    def __init__(
        self,
        timeline: Timeline,
        launches: Sequence[tuple[str, Callable[[], None]]],
        after: Callable[[], None] | None = None,
    ) -> None:
        self.launches = tuple(launches)
        """(phase, launch)."""
        self.after = after
        """Done after the last call of a sample, outside its time: brings what was returned to where it is looked at. None: results are there."""
        self.number = next(_NUMBERS)
        """Grows with every program that is bound; in a rotation the smallest begins."""
        self._timeline = timeline
        self._phases: Mapping[str, float] = {}

    def enqueue(self) -> None:
        """Submit all launches once."""
        self._timeline.add(self)

    def finish(self) -> float | None:
        """Run what was submitted through this or any other program, and return its device time in ns.

        Whoever asks first gets all of it, because calls that run back to back have no times of their own.
        """
        spent_ns, self._phases = self._timeline.run()
        return spent_ns

    def phases(self) -> Mapping[str, float]:
        """Device ns by phase of what the last `finish` covered, if that was one call."""
        return self._phases


def blocks(calls: Sequence[BoundProgram]) -> Iterator[Sequence[BoundProgram]]:
    """Yield the parts in which a rotation of calls is run: single ones until it begins anew, then blocks, then the rest.

    Samples begin at any place of the rotation. Blocks always begin at the same places, so few graphs serve all samples.
    """
    period = next((n for n in range(1, len(calls)) if calls[n] is calls[0]), 0)
    rotating = period > 0 and all(call is calls[index % period] for index, call in enumerate(calls))
    if not rotating or len(calls) < 2 * BLOCK:
        yield from ([call] for call in calls)
        return
    first = min(range(period), key=lambda index: calls[index].number)
    round_ = period * -(-BLOCK // period)  # whole rotations, at least a block
    sizes = [round_] if period < BLOCK else [min(BLOCK, round_ - start) for start in range(0, round_, BLOCK)]
    yield from ([call] for call in calls[:first])
    at = first
    while True:
        for size in sizes:
            if at + size > len(calls):
                yield from ([call] for call in calls[at:])
                return
            yield calls[at : at + size]
            at += size


def _each(part: Sequence[BoundProgram]) -> Callable[[], None]:
    launches = [launch for call in part for _, launch in call.launches]

    def run() -> None:
        for launch in launches:
            launch()

    return run


def _leave_if_dead(text: str) -> None:
    torch = load()
    try:
        torch.cuda.synchronize()
    except RuntimeError:
        sys.stderr.write(f"\n{text}\n")
        sys.stderr.flush()
        os._exit(FAULT_STATUS)


def _facts(torch: Any, index: int, backend: str, compiler: str) -> Device:  # noqa: ANN401
    properties = torch.cuda.get_device_properties(index)
    amd = torch.version.hip is not None
    target = properties.gcnArchName.partition(":")[0] if amd else f"sm_{properties.major}{properties.minor}"
    local = getattr(properties, "shared_memory_per_block_optin", None) or properties.shared_memory_per_block
    return Device(
        name=properties.name,
        kind="gpu",
        backend=backend,
        runtime=f"{compiler}, PyTorch {torch.__version__}",
        runtime_key="hip" if amd else "cuda",
        driver=str(torch.version.hip or torch.version.cuda),
        target=target,
        compute_units=properties.multi_processor_count,
        local_mem_bytes=local,
        local_mem_dedicated=True,
        global_mem_bytes=properties.total_memory,
        max_workgroup=_MAX_GROUP,
        grid_extents=() if amd else _NVIDIA_GRID,
        cache_line_bytes=128,
        llc_bytes=properties.L2_cache_size or None,
        fp16=True,
        fp64=True,
        subgroups=True,
    )
