"""The family's own Triton program, `hotloop.kernels.gemm.triton`, launched on tensors instead of banded buffers."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Any

import torch

from hotloop.dispatch.arguments import aligned
from hotloop.drivers import jit as _jit
from hotloop.kernels.gemm.triton import TRITON
from hotloop.model.jit import Meta, parse
from hotloop.model.program import Argument, Array, Launch, Program, Value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config

_COMPILER = ("num_warps", "num_stages")
"""Values that are no parameters of a kernel."""


def run(
    problem: Problem, config: Config, device: Device, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor,
    bias: torch.Tensor | None,
) -> None:  # fmt: skip
    """Compute the problem into `c`, which is read too where beta is not zero.

    Raises:
        ValueError: the configuration does not suit the problem.
    """
    if not (aligned(a) and aligned(b)):
        config = config.replace(PATH="pointers")
    program = TRITON.plan(problem, config, device)
    tensors = {"a": a, "b": b, "c": c} | ({} if bias is None else {"bias": bias})
    for area in program.scratch:
        tensors[area.name] = torch.empty(-(-area.scratch_bytes // 4), dtype=torch.float32, device=c.device)
    with torch.cuda.device(c.device):
        for launch in program.launches:
            _launch(program, launch, tensors)


def _launch(program: Program, launch: Launch, tensors: Mapping[str, torch.Tensor]) -> None:
    meta = parse(program.options)
    module = _jit.Module(_names(), meta, meta.values)
    function = _jit.function(module, launch.entry)
    placed = _jit.placed(function, module, launch, lambda argument: _value(meta, argument, tensors))
    options = {name: meta.values[name] for name in _COMPILER if name in meta.values}
    function[_jit.grid(launch)](**placed, **options)


def _value(meta: Meta, argument: Argument, tensors: Mapping[str, torch.Tensor]) -> object:
    if isinstance(argument, Value):
        return float(argument.value) if argument.dtype.startswith("float") else int(argument.value)
    assert isinstance(argument, Array)
    tensor, described = tensors[argument.name], meta.descriptors.get(argument.name)
    if described is None:
        return tensor
    from triton.tools.tensor_descriptor import TensorDescriptor

    return TensorDescriptor(tensor, list(described.shape), list(described.strides), list(described.block))


@cache
def _names() -> dict[str, Any]:
    """Return what the source defines."""
    return vars(importlib.import_module("hotloop.kernels.gemm.triton.tile"))
