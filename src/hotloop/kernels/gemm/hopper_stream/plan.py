"""From problem and configuration of the stream-K kernel for any number of rows to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels._jit import GROUP_THREADS
from hotloop.kernels.gemm.hopper_skinny.plan import Threads, shared_out
from hotloop.kernels.gemm.hopper_stream.space import registers, warps
from hotloop.kernels.gemm.shared import tiles
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.space import Config


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch of programs that share the steps of all tiles evenly.

    Raises:
        ValueError: the kernel does not take the problem, or the device lacks instructions or shared memory.
    """
    form = tiles.taken(problem, turns_a=False)
    return shared_out(form, config, device, Threads(warps(config), registers(config)))


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return what the configuration alone tells."""
    bm, bn, bk, stages, groups = config.integers("BM", "BN", "BK", "STAGES", "GROUPS")
    return tiles.facts_of(problem, (bm, bn, bk), GROUP_THREADS * groups, stages)
