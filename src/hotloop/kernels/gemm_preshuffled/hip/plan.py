"""From a configuration to the macros and the launch of ``preshuffled.cuh``: pure."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hotloop.kernels import _text
from hotloop.kernels.gemm_preshuffled.hip.space import SEGMENT_BYTES, THREADS, UNIT_BYTES, WAVES
from hotloop.kernels.gemm_preshuffled.problem import BLOCK_N, Form, product
from hotloop.model.dtype import FLOAT8, FLOAT8_FNUZ
from hotloop.model.program import Array, Launch, Program, Value
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config

ARRAYS = ("a", "w", "c", "scale_a", "scale_w")
ENTRY = "preshuffled"
DEEPER = "matrix instructions with block factors"
"""The feature of targets that have gfx950's instructions."""
_SINCE, _FNUZ = "matrix instructions of 64 lanes on 8-bit floats", "8-bit floats without negative zero"
"""The features of targets that the kernel is for, and of those whose 8-bit floats are the older ones."""
_NAMES = ("BM", "BN", "BKB", "STAGE_B", "BUFFERS", "SWIZZLE", "AHEAD", "WIDE", "SWAP", "UNPACK", "HINTS")
_DEEP = 2
"""Segments of gfx950's deep instructions of 8-bit floats."""


source = partial(_text.read, "hotloop.kernels.gemm_preshuffled.hip", "preshuffled.cuh")


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration.

    Raises:
        ValueError: the problem has no meaning, or the configuration does not fit it or the processor.
    """
    asked, target = product(problem), Target.of(device.target)
    _check_target(asked.form, config, target)
    _check_steps(asked.form, asked.k, config)
    local = local_bytes(asked.form, config)
    if device.local_mem_bytes is not None and local > device.local_mem_bytes:
        raise ValueError(f"{local} bytes of local memory are needed, {device.name} has {device.local_mem_bytes}")
    macros = {"FORM": asked.form.number, **{name: config.integer(name) for name in _NAMES}}
    blocks = -(-asked.n // macros["BN"]), -(-asked.m // macros["BM"])
    launch = Launch(
        ENTRY,
        (*map(Array, ARRAYS), *(Value(size, "int32") for size in (asked.m, asked.n, asked.k))),
        (blocks[0] * THREADS, blocks[1]),
        (THREADS, 1),
    )
    options = tuple(f"-D{name}={value}" for name, value in macros.items())
    return Program("hip", source(), options, (launch,), source_name="preshuffled.cuh")


def local_bytes(form: Form, config: Config) -> int:
    """Return the local memory of a work-group."""
    bm, bn, step, staged, places = config.integers("BM", "BN", "BKB", "STAGE_B", "BUFFERS")
    weights = bn // BLOCK_N * (step // SEGMENT_BYTES // form.segments) * 64 * UNIT_BYTES
    return places * (bm * step + (weights if staged else 0))


def _check_target(form: Form, config: Config, target: Target) -> None:
    if not target.has(_SINCE):
        raise ValueError(f"the kernel is for AMD's gfx942 and gfx950, not {target.name}")
    if form.activations == (FLOAT8 if target.has(_FNUZ) else FLOAT8_FNUZ):
        raise ValueError(f"{form.activations} is not what {target.name} means by an 8-bit float")
    if (form.blocks or config.integer("WIDE")) and not target.has(DEEPER):
        raise ValueError(f"{target.name} has no {DEEPER}")


def _check_steps(form: Form, k: int, config: Config) -> None:
    step, wide, unpack = config.integers("BKB", "WIDE", "UNPACK")
    segments = step // SEGMENT_BYTES
    row_bytes = k * form.activation_bytes
    if row_bytes % step:
        raise ValueError(f"rows of {row_bytes} bytes are no whole steps of {step}")
    if segments % form.segments:
        raise ValueError(f"a step of {step} bytes is no whole pack of {form.segments} segments")
    deep = form.blocks or (wide and form.number == 1)
    if deep and segments % _DEEP:
        raise ValueError(f"a step of {step} bytes is no whole matrix instruction of {_DEEP} segments")
    if unpack and form.weight_bits > 4:
        raise ValueError(f"{form.name} has nothing to unpack")
    if config.integer("STAGE_B") and config.integer("BN") // BLOCK_N * (segments // form.segments) * 64 % THREADS:
        raise ValueError(f"{WAVES} waves cannot share the packs of {config.integer('BN')} columns evenly")
