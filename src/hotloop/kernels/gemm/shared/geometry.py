"""What the OpenCL implementations have in common: tiles and groups, what a device refuses, source texts, macros, arguments."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

from hotloop.kernels.gemm.problem import ACTIVATIONS, Gemm, Matrix
from hotloop.model.device import Device
from hotloop.model.program import Argument, Array, Value
from hotloop.model.space import Config

_PRECISION = {"float16": 16, "float32": 32, "float64": 64}

_LARGEST_INT = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Geometry:
    """Sizes that follow from problem and configuration."""

    tile_m: int
    """Rows of C per tile of a work-group: MDIM·MWI."""
    tile_n: int
    tiles_m: int
    tiles_n: int
    groups: int
    stage_k: int
    """Steps of k in local memory when staging per block."""
    local_bytes: int
    """Local memory of a work-group."""


def refuse(form: Gemm, config: Config, geometry: Geometry, device: Device) -> None:
    """Raise ValueError when the device cannot run a configuration on a problem."""
    items = config.integer("MDIM") * config.integer("NDIM")
    if items > device.max_workgroup:
        raise ValueError(f"{items} work-items per group exceed the device's {device.max_workgroup}")
    if device.local_mem_bytes is not None and geometry.local_bytes > device.local_mem_bytes:
        raise ValueError(f"{geometry.local_bytes} B of local memory exceed the device's {device.local_mem_bytes} B")
    if form.dtype not in _PRECISION:
        raise ValueError(f"OpenCL C has no {form.dtype}; multiply in Triton: gemm@triton, or --implementation triton")
    if form.dtype == "float16" and form.accumulate == "float64":
        raise ValueError("OpenCL C adds float16 up in float16 or float32 here, not in float64")
    if (form.dtype == "float64" and not device.fp64) or (form.dtype == "float16" and not device.fp16):
        raise ValueError(f"{device.name} has no {form.dtype} in OpenCL C")
    for matrix in (form.a, form.b, form.c):
        if max(matrix.ld, matrix.rows) > _LARGEST_INT:
            raise ValueError(f"{matrix.name.upper()} has a size beyond 32-bit indices")


def text(*parts: str) -> str:
    """Return parts of the OpenCL C sources, paths without suffix below this family's folder, as one text."""
    folder = resources.files("hotloop.kernels.gemm")
    return "\n".join((folder / f"{part}.cl").read_text(encoding="utf-8") for part in parts)


def macros_of(form: Gemm) -> dict[str, int]:
    """Return the macros that say what the problem is, without its sizes."""
    return {
        "PRECISION": _PRECISION[form.dtype],
        "ACC32": int(form.accumulate == "float32"),
        "TRANSA": int(form.transposed_a),
        "TRANSB": int(form.transposed_b),
        "BIAS": ("none", "columns", "rows").index(form.bias),
        "ACTIVATION": ACTIVATIONS.index(form.activation),
    }


def values(dtype: str, *numbers: float) -> tuple[Argument, ...]:
    """Return numbers as arguments of one type."""
    return tuple(Value(number, dtype) for number in numbers)


def located(matrix: Matrix) -> tuple[Argument, ...]:
    """Return a matrix as the kernels take it: array, elements before the first one, leading dimension."""
    return Array(matrix.name), Value(matrix.offset, "uint64"), Value(matrix.ld, "int32")
