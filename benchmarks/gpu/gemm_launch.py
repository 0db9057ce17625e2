"""The bf16 GEMM kernels of `hotloop.kernels.gemm` as calls without arguments, launched as `hotloop.ops` does, for benchmarks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial

from hotloop.dispatch import launch
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.kernels.gemm.products import ACTIVATIONS
from hotloop.ops import place

DEVICE = "cuda"
MULTIPROCESSORS = 132
TILE = ("BM", "BN", "BK", "GROUP", "num_warps", "num_stages")
RING = ("BM", "BN", "BK", "STAGES", "GROUPS", "TAKE_TURNS", "BUFFERS", "GROUP")
KINDS = {
    "persistent": ("persistent", (*TILE, "HALVES", "FLATTEN", "RESIDENT")),
    "split": ("split", (*TILE, "SPLITS")),
    "meet": ("meet", (*TILE, "SPLITS")),
    "hopper": ("hopper", RING),
    "hopper-ahead": ("hopper", (*RING, "AHEAD")),
    "hopper-split": ("hopper", (*RING, "SPLITS")),
    "skinny": ("hopper-skinny", ("BM", "BN", "BK", "STAGES")),
}
"""Implementation of each kind of candidate, and its parameters in the order of a candidate's constants."""


@dataclass(frozen=True)
class Candidate:
    """A kernel and its constants."""

    kind: str
    config: tuple[int | bool, ...]
    chain: int = 0
    """How a launch begins while the kernel before it ends: CHAIN of the implementation."""

    def call(self, inputs, act=0):
        """Return a call on operands, bias and result; `act` is the kernels' number, 0 without bias too."""
        a, b, bias, c = inputs
        (m, k), n = a.shape, b.shape[1]
        program, device = planned(self, m, n, k, act, place.facts(a, "triton").device)
        arrays = {"a": a, "b": b, "c": c} | ({"bias": bias} if act else {})
        return partial(launch.prepared(program, device, arrays), arrays)


@cache
def planned(candidate, m, n, k, act, device):
    """Return a candidate's program on a shape, and the device that it is for."""
    name, parameters = KINDS[candidate.kind]
    implementation = KERNEL.implementation(name)
    values = {one: int(value) for one, value in zip(parameters, candidate.config, strict=True)}
    config = implementation.start.replace(**values, CHAIN=candidate.chain)
    finish = f"bias-{ACTIVATIONS[act]}" if act else "none"
    problem = DEFAULT.replace(m=m, n=n, k=k, dtype="bfloat16", epilogue=finish)
    return implementation.plan(problem, config, device), device
