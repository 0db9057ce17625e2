"""CUDA graphs of PyTorch's calls, for what is measured on tensors and not on programs: dispatch, and peers with storage of their own."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

DEVICE = "cuda"
L2_BYTES = 64 << 20


def graphed(runs, passes):
    """Capture `passes` passes over calls as one graph, so that short kernels are not timed by their launches."""
    for run in runs:
        run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(passes):
            for run in runs:
                run()
    graph.replay()
    torch.cuda.synchronize()
    return Graph(graph, runs, passes * len(runs))


@dataclass(frozen=True)
class Graph:
    """A captured sequence; it keeps alive what the calls use."""

    graph: object
    runs: list
    calls: int

    def sample(self, repeats):
        """Return ms of one call."""
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(repeats):
            self.graph.replay()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / repeats / self.calls


def interleaved(graphs, repeats, rounds):
    """Return raw ms of a call for each graph: each round runs them forwards, then backwards."""
    times = {name: [] for name in graphs}
    for index in range(rounds):
        order = list(graphs) if index % 2 == 0 else list(reversed(graphs))
        for name in (*order, *reversed(order)):
            times[name].append(graphs[name].sample(repeats[name]))
    return times


def pairs(values):
    """Return the mean of each round's two samples."""
    return [(values[i] + values[i + 1]) / 2 for i in range(0, len(values), 2)]


def geometric(values):
    return math.exp(sum(map(math.log, values)) / len(values))
