"""How calls are timed in a user's process: on a GPU by replays of a graph between two events, elsewhere by the clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

from hotloop.dispatch.arguments import torch

_SAMPLE_NS = 200_000.0
"""What a sample takes at least: a graph's start is then a few per cent of it, and the same for all."""
_MOST = 64
"""Most calls of a sample."""
_MOST_QUEUED = 16
_SUBMIT_CYCLES = 100_000
"""Cycles of the GPU's clock in which a call is submitted, with room: 50 µs."""
_WARM = 3


class Pace(Protocol):
    """Something that times calls."""

    def timed(self, run: Callable[[], Any]) -> Callable[[], float]:
        """Return what makes one sample: the ns that a call takes."""


class Replays:
    """Times calls on the current GPU as graphs, which leave out what the host does."""

    def timed(self, run: Callable[[], Any]) -> Callable[[], float]:
        """Capture as many calls as make a sample."""
        for _ in range(_WARM):
            run()
        torch.cuda.synchronize()
        graph = self._graph(run, 1)
        once = self._sample(graph, 1)
        count = max(1, min(_MOST, round(_SAMPLE_NS / max(once, 1.0))))
        graph = self._graph(run, count) if count > 1 else graph
        return lambda: self._sample(graph, count)

    def _graph(self, run: Callable[[], Any], count: int) -> Any:  # noqa: ANN401 - PyTorch's
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, capture_error_mode="thread_local"):
            for _ in range(count):
                run()
        graph.replay()
        torch.cuda.synchronize()
        return graph

    def _sample(self, graph: Any, count: int) -> float:  # noqa: ANN401
        first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        first.record()
        graph.replay()
        last.record()
        last.synchronize()
        return 1e6 * float(first.elapsed_time(last)) / count


class Queued:
    """Times calls on the current GPU that wait in its queue until all are submitted, so that what the host does counts for nobody.

    That leaves a program's memory as it is, where capturing a graph empties PyTorch's cache of it; calls that wait for the GPU themselves take
    longer here.
    """

    def timed(self, run: Callable[[], Any]) -> Callable[[], float]:
        """Submit as many calls as make a sample."""
        run()
        once = min(self._sample(run, 1) for _ in range(2))
        count = max(1, min(_MOST_QUEUED, round(_SAMPLE_NS / max(once, 1.0))))
        return lambda: self._sample(run, count)

    def _sample(self, run: Callable[[], Any], count: int) -> float:
        first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        torch.cuda._sleep(_SUBMIT_CYCLES * count)  # noqa: SLF001 - PyTorch has no public name for it
        first.record()
        for _ in range(count):
            run()
        last.record()
        last.synchronize()
        return 1e6 * float(first.elapsed_time(last)) / count


class Clock:
    """Times calls on the processor."""

    def timed(self, run: Callable[[], Any]) -> Callable[[], float]:
        """Return a sample of a single call."""

        def sample() -> float:
            began = time.perf_counter_ns()
            run()
            return float(time.perf_counter_ns() - began)

        return sample


def of(tensor: torch.Tensor, *, queued: bool = False) -> Pace:
    """Return how calls on a tensor's device are timed; `queued`: on a GPU without capturing a graph."""
    if tensor.device.type != "cuda":
        return Clock()
    return Queued() if queued else Replays()
