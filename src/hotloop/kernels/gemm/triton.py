"""The Triton implementation: one source from a masked tile to persistent programs on tensor descriptors and split k.

It takes every problem of the family in float16, bfloat16 and float32; sums are float32. Triton's interpreter (seen in 3.9)
multiplies the bits of bfloat16 as integers, so there the operands are widened first, which is exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

from hotloop.kernels.gemm.problem import ACTIVATIONS, ELEMENT_BYTES, Gemm, Matrix, gemm
from hotloop.model.device import Device
from hotloop.model.jit import Descriptor, Meta, threads
from hotloop.model.kernel import Implementation
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Scratch, Value
from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.targets.target import Target

PARAMETERS = (
    # Matrix instructions of a warp group take 64 rows: below that Triton falls back to those of a warp.
    Parameter("BM", (16, 32, 64, 128, 256), "larger-matrix-instruction"),
    Parameter("BN", (16, 32, 64, 128, 256), "larger-tile"),
    Parameter("BK", (16, 32, 64, 128), "unroll"),
    Parameter("GROUP", (1, 4, 8, 16), "rasterize"),
    Parameter("SPLITS", (1, 2, 4, 8, 16), "split-k"),
    Parameter("PERSISTENT", (0, 1, 2), "persistent"),
    Parameter("PATH", ("pointers", "descriptors"), "async-copy"),
    Parameter("PRECISION", ("ieee", "tf32x3"), "matrix-instructions", ordinal=False),
    Parameter("num_warps", (1, 2, 4, 8), "workgroup-size"),
    Parameter("num_stages", (1, 2, 3, 4, 5), "prefetch"),
)
_MOST_SUMS = 256
"""Sums of one thread; a thread has 255 registers, but Hopper's matrix instructions may hold two tiles in four warps."""
_ALIGNED_BYTES = 16
"""Rows and first element that the tensor memory accelerator reads: CUDA driver API, cuTensorMapEncodeTiled."""
_HAS_DESCRIPTORS = 90
_FINISH = (16, 64)
"""Rows and columns of C that one program of the adding kernel finishes."""
_STATIC_BYTES = 227 * 1024


def _sums_fit(config: Config) -> bool:
    return config.integer("BM") * config.integer("BN") <= _MOST_SUMS * 32 * config.integer("num_warps")


def _operands_fit(config: Config) -> bool:
    width, depth = config.integer("BM") + config.integer("BN"), config.integer("BK")
    return 2 * width * depth * max(1, config.integer("num_stages")) <= _STATIC_BYTES


SPACE = Space(
    PARAMETERS,
    (
        Constraint(f"at most {_MOST_SUMS} sums of a thread", _sums_fit, ("BM", "BN", "num_warps")),
        Constraint(
            "staged operands of 16 bits fit into shared memory", _operands_fit, ("BM", "BN", "BK", "num_stages")
        ),
    ),
)
START = Config(
    BM=32, BN=32, BK=32, GROUP=1, SPLITS=1, PERSISTENT=0, PATH="pointers", PRECISION="ieee", num_warps=4, num_stages=1
)  # fmt: skip


@cache
def source() -> str:
    """Return Triton's text."""
    return (resources.files("hotloop.kernels.gemm") / "sources" / "tile.py").read_text(encoding="utf-8")


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
        not matrix.offset and matrix.ld * element % _ALIGNED_BYTES == 0 and matrix.rows and matrix.columns
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
        "WIDEN": form.dtype == "bfloat16" and device.runtime_key == "interpreter",
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


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond a plain tile."""
    switched = (config.PATH != "pointers") + (config.PRECISION != "ieee") + (config.integer("PERSISTENT") > 0)
    return float(switched + sum(config.integer(name) > 1 for name in ("GROUP", "SPLITS", "num_stages")))


TRITON = Implementation("triton", "triton", SPACE, START, plan, simplicity, traits)
