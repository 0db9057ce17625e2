"""From problem and configuration of the Triton tile to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from hotloop.kernels import _jit
from hotloop.kernels.gemm.problem import ACTIVATIONS, ELEMENT_BYTES, Gemm, Matrix, gemm
from hotloop.model.device import Device
from hotloop.model.jit import Descriptor, Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Scratch, Value
from hotloop.model.space import Config
from hotloop.targets.target import Target

_HAS_DESCRIPTORS = 90
_FINISH = (16, 64)
"""Rows and columns of C that one program of the adding kernel finishes."""


source = partial(_jit.text, "hotloop.kernels.gemm.triton.tile")


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch, or two where k is split.

    Raises:
        ValueError: the problem has no meaning, or its type, strides or the device rule the configuration out.
    """
    form = gemm(problem)
    _refuse(form, config, device)
    config = fitted(form, config)
    splits = config.integer("SPLITS")
    meta = _meta(form, config, device)
    scratch = (Scratch("work", 4 * splits * form.m * form.n),) if splits > 1 and not form.empty else ()
    if form.empty:
        return Program("triton", source(), meta.options, source_name="tile.py")
    return Program("triton", source(), meta.options, _launches(form, config, device), scratch, "tile.py")


def _refuse(form: Gemm, config: Config, device: Device) -> None:
    if form.dtype == "float64":
        raise ValueError("Triton's matrix product has no float64")
    if form.dtype != "float32" and config.PRECISION != "ieee":
        raise ValueError(f"PRECISION is for float32, not for {form.dtype}")
    if config.PATH != "descriptors":
        return
    if not Target.of(device.target).at_least(_HAS_DESCRIPTORS):
        raise ValueError(f"{device.name} copies no tiles by tensor descriptors")


def fitted(form: Gemm, config: Config) -> Config:
    """Return the configuration that is really built: matrices whose rows are not aligned are read through pointers."""
    element = ELEMENT_BYTES[form.dtype]
    aligned = all(
        not matrix.offset and matrix.ld * element % _jit.ALIGNED_BYTES == 0 and matrix.rows and matrix.columns
        for matrix in (form.a, form.b)
    )
    return config if aligned else config.replace(PATH="pointers")


def _programs(form: Gemm, config: Config, device: Device) -> tuple[int, int]:
    """Return the programs of the main launch, and those of a persistent one (0: one for each tile)."""
    tiles = -(-form.m // config.integer("BM")) * -(-form.n // config.integer("BN"))
    resident = config.integer("PERSISTENT") * device.compute_units
    return (min(tiles, resident), resident) if resident else (tiles, 0)


def _meta(form: Gemm, config: Config, device: Device) -> Meta:
    chosen = ("BM", "BN", "BK", "GROUP", "SPLITS", "PATH", "PRECISION", "num_warps", "num_stages")
    values: Mapping[str, object] = {
        **{name: config[name] for name in chosen},
        "PROGRAMS": _programs(form, config, device)[1],
        "WIDEN": form.dtype == "bfloat16" and device.interpreted,
        "TRANSA": form.transposed_a,
        "TRANSB": form.transposed_b,
        "BETA": form.beta != 0,
        "BIAS": ("none", "columns", "rows").index(form.bias),
        "ACT": ACTIVATIONS.index(form.activation),
        **({"ROWS": _FINISH[0], "COLUMNS": _FINISH[1]} if config.integer("SPLITS") > 1 else {}),
    }
    dtypes = {**dict.fromkeys("abc", form.dtype), "work": "float32"}
    if form.bias != "none":
        dtypes["bias"] = form.dtype
    return Meta(values=values, dtypes=dtypes, descriptors=_descriptors(form, config))


def _descriptors(form: Gemm, config: Config) -> dict[str, Descriptor]:
    if config.PATH != "descriptors":
        return {}
    bm, bn, bk = (config.integer(name) for name in ("BM", "BN", "BK"))
    return {
        form.a.name: _descriptor(form.a, (bk, bm) if form.transposed_a else (bm, bk)),
        form.b.name: _descriptor(form.b, (bn, bk) if form.transposed_b else (bk, bn)),
    }


def _descriptor(matrix: Matrix, block: tuple[int, int]) -> Descriptor:
    return Descriptor((matrix.rows, matrix.columns), block, (matrix.ld, 1))


def _launches(form: Gemm, config: Config, device: Device) -> tuple[Launch, ...]:
    splits, group = config.integer("SPLITS"), threads(config.integer("num_warps"), device.target)
    depth = form.k if form.reads_operands else 0  # operands that must not be read are no steps of k
    bias = Array("c" if form.bias == "none" else "bias")
    work = Array("work" if splits > 1 else form.c.name)
    main: tuple[Argument, ...] = (
        Array(form.a.name), Array(form.b.name), Array("c"), bias, work,
        *_integers(form.m, form.n, depth, form.a.ld, form.b.ld, form.c.ld, form.a.offset, form.b.offset, form.c.offset),
        Value(form.alpha, "float32"), Value(form.beta, "float32"),
    )  # fmt: skip
    programs = _programs(form, config, device)[0]
    first = Launch("tile", main, (programs * group, splits), (group, 1))
    if splits == 1:
        return (first,)
    last: tuple[Argument, ...] = (
        Array("c"), bias, work, *_integers(form.m, form.n, form.c.ld, form.c.offset),
        Value(form.alpha, "float32"), Value(form.beta, "float32"),
    )  # fmt: skip
    grid = (-(-form.m // _FINISH[0]) * group, -(-form.n // _FINISH[1]))
    return first, Launch("add_slices", last, grid, (group, 1), "add")


def _integers(*values: int) -> tuple[Argument, ...]:
    return tuple(Value(value, "int64") for value in values)


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return what the configuration alone tells."""
    form = gemm(problem)
    bm, bn, bk = (config.integer(name) for name in ("BM", "BN", "BK"))
    element = ELEMENT_BYTES[form.dtype]
    return {
        "config.accumulators": bm * bn / (32 * config.integer("num_warps")),
        "config.reuse": 2.0 * bm * bn / ((bm + bn) * element),
        "config.local_bytes": float((bm + bn) * bk * element * config.integer("num_stages")),
    }
