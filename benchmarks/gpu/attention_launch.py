"""Attention's planned programs on PyTorch tensors, with any configuration: what the operators do with the shipped ones."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import torch
import triton

from hotloop.dispatch import launch
from hotloop.drivers.torch import gpus
from hotloop.kernels.attention.gluon import plan as gluon
from hotloop.kernels.attention.gluon.rows import few_queries, row_for
from hotloop.kernels.attention.problem import Shape
from hotloop.kernels.attention.tensors import steps
from hotloop.kernels.attention.triton import plan as plain
from hotloop.kernels.attention_packed import shape as packed_shape
from hotloop.kernels.attention_packed.gluon import plan as packed_plan


@cache
def device():
    """Return the facts of the current GPU."""
    return gpus("gluon", f"Triton {triton.__version__}")[torch.cuda.current_device()]


def shape_of(q, k, **more):
    """Return the sizes of a call."""
    sizes = (q.shape[0], q.shape[1], k.shape[1], q.shape[2], k.shape[2], q.shape[3])
    return Shape(*sizes, str(q.dtype).removeprefix("torch."), **more)


def bound(config, q, k, v, o, *, lse=None, causal=False, scale=0.0, shift=0):
    """Return a call of a configuration with fixed arguments: of the Hopper kernel, or of the plain one, which alone has warps."""
    shape = shape_of(q, k, causal=causal, lse=lse is not None, scale=scale, shift=shift)
    lying = {"q": steps(q), "k": steps(k), "v": steps(v), "o": steps(o)}
    arrays = {"q": q, "k": k, "v": v, "o": o} | ({} if lse is None else {"lse": lse})
    if "warps" in config:
        program = plain.program(shape, lying, config, device())
    else:
        program = gluon.program(shape, gluon.Strides(**lying), config, device())
    launches = launch.prepared(program, device(), arrays)
    return lambda: launches(dict(arrays))


def attend(q, k, v, *, causal=False, scale=None, shift=0, want_lse=False):
    """Return output and logarithms with the shipped configuration."""
    o = torch.empty_like(q)
    lse = torch.empty(q.shape[:3], dtype=torch.float32, device=q.device) if want_lse else None
    few = row_for(q.shape[3], few=True).config
    shape = replace(shape_of(q, k), causal=causal, shift=shift)
    config = few if few_queries(shape, few) else row_for(q.shape[3]).config
    bound(config, q, k, v, o, lse=lse, causal=causal, scale=scale or 0.0, shift=shift)()
    return o, lse


def bound_packed(q, k, v, starts_q, starts_k, longest_q, longest_k, o, *, lse=None, causal=False, scale=0.0):
    """Return a call of packed sequences with fixed arguments and the shipped configuration."""
    shape = packed_shape.Shape(
        sequences=len(starts_q) - 1, heads=q.shape[1], kv_heads=k.shape[1], longest_q=longest_q, longest_k=longest_k,
        rows_q=q.shape[0], rows_k=k.shape[0], size=q.shape[2], dtype=str(q.dtype).removeprefix("torch."), causal=causal,
        lse=lse is not None, scale=scale,
    )  # fmt: skip
    lying = (steps(x.transpose(0, 1).unsqueeze(0)) for x in (q, k, v, o))
    program = packed_plan.program(shape, gluon.Strides(*lying), row_for(q.shape[2]).config, device())
    arrays = {"q": q, "k": k, "v": v, "o": o, "starts_q": starts_q, "starts_k": starts_k}
    arrays |= {} if lse is None else {"lse": lse}
    launches = launch.prepared(program, device(), arrays)
    return lambda: launches(dict(arrays))
