"""How calls are timed in a user's process: on a GPU by replays of a graph between two events, elsewhere by the clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

from hotloop.dispatch.arguments import torch

_SAMPLE_NS = 200_000.0
"""Least time of a sample in ns: starting a CUDA graph is then a few per cent of it, and the same for all."""
_MOST = 64
"""Most calls of a sample."""
_MOST_BRIEF = 24
_LONG_NS = 60_000.0
"""Calls that take longer are no other in a graph: of shorter ones the pauses between launches are a good part."""
_BEGIN_CYCLES, _SUBMIT_CYCLES = 500_000, 100_000
"""Cycles of the GPU's clock in which the host begins, and in which it submits a call, with room: 250 and 50 µs."""
_DOUBTED_NS = 1e6
"""Calls that seem to take no longer are timed once more: the host may have been late."""
_SHORT_NS = 20_000.0
"""Calls for which a sample has as many as it may: how long such a call takes a single one does not tell."""
_REPLAY_CYCLES = 200_000
"""Cycles of the GPU's clock in which the host submits a graph: about 100 µs. What the host does in that time counts for nobody."""
_WARM = 3


class Pace(Protocol):
    """Something that times calls."""

    def timed(self, run: Callable[[], Any], *, long: bool = False) -> Callable[[], float]:
        """Return what makes one sample, the ns that a call takes; `long`: of as many calls as tell most."""


class Replays:
    """Times calls on the current GPU as graphs, which leave out what the host does."""

    def timed(self, run: Callable[[], Any], *, long: bool = True) -> Callable[[], float]:
        """Capture as many calls as make a sample."""
        del long
        for _ in range(_WARM):
            run()
        torch.cuda.synchronize()
        graph = _captured(run, 1)
        count = _calls(min(_replayed(graph, 1) for _ in range(_WARM)), _MOST)
        graph = _captured(run, count) if count > 1 else graph
        return lambda: _replayed(graph, count)


def _calls(once_ns: float, most: int) -> int:
    """Return how many calls make a sample."""
    return most if once_ns < _SHORT_NS else max(1, min(most, round(_SAMPLE_NS / once_ns)))


def _captured(run: Callable[[], Any], count: int) -> Any:  # noqa: ANN401 - PyTorch's
    """Return a graph of some calls, which was replayed once.

    PyTorch's context for this empties its cache of memory first, which the program would have to ask for again.
    """
    graph, stream = torch.cuda.CUDAGraph(), torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        graph.capture_begin(capture_error_mode="thread_local")
        try:
            for _ in range(count):
                run()
        finally:
            graph.capture_end()
    graph.replay()
    torch.cuda.synchronize()
    return graph


def _replayed(graph: Any, count: int) -> float:  # noqa: ANN401
    """Return the ns that each of some calls takes in a replay, which waits until it is submitted."""
    first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda._sleep(_REPLAY_CYCLES)  # noqa: SLF001 - PyTorch has no public name for it
    first.record()
    graph.replay()
    last.record()
    last.synchronize()
    return 1e6 * float(first.elapsed_time(last)) / count


class Brief:
    """Times calls on the current GPU as `Replays` does, in as little time as tells: calls that take long wait in the GPU's queue instead.

    What is timed must have run before.
    """

    def timed(self, run: Callable[[], Any], *, long: bool = False) -> Callable[[], float]:
        """Submit, or capture, as many calls as make a sample; `long`: as many as `Replays` does."""
        once = _queued(run, 1)
        once = min(once, _queued(run, 1)) if once < _DOUBTED_NS else once
        count = _calls(once, _MOST if long else _MOST_BRIEF)
        queued = lambda: _queued(run, count)  # noqa: E731
        if once > _LONG_NS:
            return queued
        try:
            graph = _captured(run, count)
        except RuntimeError:  # it waits for the GPU, which no graph can
            return queued
        return lambda: _replayed(graph, count)


def _queued(run: Callable[[], Any], count: int) -> float:
    """Return the ns that each of some calls takes that wait until all are submitted, so that what the host does counts for nobody."""
    first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda._sleep(_BEGIN_CYCLES + _SUBMIT_CYCLES * count)  # noqa: SLF001 - PyTorch has no public name for it
    first.record()
    for _ in range(count):
        run()
    last.record()
    last.synchronize()
    return 1e6 * float(first.elapsed_time(last)) / count


class Clock:
    """Times calls on the processor."""

    def timed(self, run: Callable[[], Any], *, long: bool = False) -> Callable[[], float]:
        """Return a sample of a single call."""
        del long

        def sample() -> float:
            began = time.perf_counter_ns()
            run()
            return float(time.perf_counter_ns() - began)

        return sample


def of(tensor: torch.Tensor, *, brief: bool = False) -> Pace:
    """Return how calls on a tensor's device are timed, `brief` or with more samples."""
    if tensor.device.type != "cuda":
        return Clock()
    return Brief() if brief else Replays()
