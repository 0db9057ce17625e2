"""What the programs of both implementations have in common: arguments, types and constants that the problem sets."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels.gemm_fp8.problem import ACTIVATIONS, OPERANDS, Product
from hotloop.model.device import Device
from hotloop.model.program import Argument, Array, Value
from hotloop.targets.target import Target

CAPABILITY = 90
"""Compute capability times ten, from which on there are the tensor memory accelerator and matrix instructions for 8-bit floats."""


def refuse(device: Device) -> None:
    """Raise ValueError for a device that has no such instructions and is no interpreter of them."""
    if not device.interpreted and not Target.of(device.target).at_least(CAPABILITY):
        raise ValueError(f"{device.name} is no NVIDIA GPU of compute capability 9.0 or later, which the kernel is for")


def arguments(form: Product, between: tuple[Argument, ...] = ()) -> tuple[Argument, ...]:
    """Return arrays, sizes, and what a kernel takes `between` them; a factor stands for a bias that is not read."""
    bias = "bias" if form.bias else "scale_a"
    arrays = tuple(Array(name) for name in ("a", "w", "c", bias, "scale_a", "scale_b"))
    return (*arrays, *between, *(Value(size, "int32") for size in (form.m, form.n, form.k)))


def dtypes(form: Product) -> Mapping[str, str]:
    """Return the types of the arrays."""
    given = {"a": OPERANDS, "w": OPERANDS, "c": form.dtype, "scale_a": "float32", "scale_b": "float32"}
    return {**given, "bias": form.dtype} if form.bias else given


def constants(form: Product) -> Mapping[str, object]:
    """Return the kernels' constants that say what is computed."""
    return {
        "ROWS": form.row_scales,
        "COLUMNS": form.column_scales,
        "BIAS": form.bias,
        "ACT": ACTIVATIONS.index(form.activation),
    }
