"""What the 16-bit kernels on tensor descriptors have in common: the problems and devices they take, descriptors, options.

They are fast and narrow: operands of 16 bits, each by rows or by columns, with sums in float32, no scale factors. What they cannot take is refused
in one sentence, so that whoever asks may choose another implementation.
"""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels import _jit
from hotloop.kernels._jit import ALIGNED_BYTES, LEAST_CAPABILITY
from hotloop.kernels.gemm.problem import ELEMENT_BYTES, Gemm, Matrix, gemm
from hotloop.model.device import Device
from hotloop.model.jit import Descriptor
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Scratch, Value
from hotloop.model.space import Config
from hotloop.targets.target import Target

DTYPES = ("bfloat16", "float16")
ACTIVATIONS = ("none", "relu", "gelu-erf", "silu")
"""Position is the kernels' ACT constant."""
ELEMENT = 2
"""Bytes of an operand's element."""
HOPPER = 90
"""Compute capability, times ten, that has launches that depend on the one before, and `wgmma`."""


def tiles(extent: int, block: int) -> int:
    """Return how many blocks an extent takes."""
    return -(-extent // block)


def taken(problem: Problem, *, turns_a: bool = True) -> Gemm:
    """Return the row-major form of a problem that the kernels take; `turns_a` tells whether one takes A by columns.

    Raises:
        ValueError: they do not take it.
    """
    form = gemm(problem)
    if form.dtype not in DTYPES:
        raise ValueError(f"the kernels take {' and '.join(DTYPES)}, not {form.dtype}")
    if form.accumulate != "float32":
        raise ValueError(f"the kernels add up in float32, not in {form.accumulate}")
    if max(form.m, form.n, form.k) >= 1 << 31 or max(form.m, form.n) * form.k >= 1 << 40:
        raise ValueError("the sizes exceed the kernels' 32-bit indices")
    if form.alpha != 1 or form.beta != 0:
        raise ValueError("the kernels have no alpha, beta and c")
    if form.activation not in ACTIVATIONS:
        raise ValueError(f"the kernels have no {form.activation}")
    if form.bias == "rows":
        raise ValueError("the kernels add a bias to columns of a row-major result only")
    if form.k == 0:
        raise ValueError("there is nothing to multiply")
    if form.transposed_a and not turns_a:
        raise ValueError(f"{form.a.name} lies by columns, and the kernel takes its rows only")
    for matrix in (form.a, form.b):
        refuse_rows(matrix)
    return form


def refuse_rows(matrix: Matrix) -> None:
    """Raise ValueError where a descriptor cannot read a matrix."""
    if matrix.offset or matrix.ld * ELEMENT % ALIGNED_BYTES:
        raise ValueError(f"{matrix.name} has not all its rows at multiples of {ALIGNED_BYTES} bytes")


def refuse_gaps(form: Gemm) -> None:
    """Raise ValueError where rows of C do not follow one another, which kernels that write through a pointer want."""
    if form.c.offset or form.c.ld != form.n:
        raise ValueError(f"rows of {form.c.name} lie apart")


def refuse_device(device: Device, *, least: int = LEAST_CAPABILITY, interpreted: bool = False) -> None:
    """Raise ValueError where a device lacks the kernels' instructions; `least` of `HOPPER` means Hopper alone."""
    if interpreted and device.interpreted:
        return
    target = Target.of(device.target)
    if not target.at_least(LEAST_CAPABILITY):
        raise ValueError(
            f"the kernels are for NVIDIA GPUs from compute capability 8.0 on, not {device.target or device.name}"
        )
    if least == HOPPER and target.capability != HOPPER:
        raise ValueError(f"the kernel runs on sm_{HOPPER} only, not {device.target}")


def refuse_shared(device: Device, asked_bytes: int) -> None:
    """Raise ValueError where a block may not have so much shared memory."""
    if device.local_mem_bytes is not None and asked_bytes > device.local_mem_bytes:
        raise ValueError(f"{asked_bytes} B of shared memory exceed the device's {device.local_mem_bytes} B")


def described(matrix: Matrix, rows: int, columns: int, *, turned: bool = False) -> Descriptor:
    """Return Triton's descriptor of a matrix for blocks of rows and columns of op(matrix); `turned` where op is the transpose."""
    block = (columns, rows) if turned else (rows, columns)
    return Descriptor((matrix.rows, matrix.columns), block, (matrix.ld, 1))


def operands(form: Gemm, rows: int, columns: int, depth: int) -> dict[str, Descriptor]:
    """Return Triton's descriptors of A and B for tiles of C and steps of k, whichever way the two lie."""
    return {
        form.a.name: described(form.a, rows, depth, turned=form.transposed_a),
        form.b.name: described(form.b, depth, columns, turned=form.transposed_b),
    }


def turns(form: Gemm) -> Mapping[str, object]:
    """Return the constants that say which operand is read as the transpose of what lies in memory; none for plain ones."""
    turned = {"TRANSA": form.transposed_a, "TRANSB": form.transposed_b}
    return {name: True for name, is_turned in turned.items() if is_turned}


def laid(matrix: Matrix, rows: int, columns: int, element: int = ELEMENT, *, turned: bool = False) -> Descriptor:
    """Return Gluon's descriptor with the widest swizzle that the block allows; `turned` as in `described`."""
    block = (columns, rows) if turned else (rows, columns)
    layout = _jit.swizzled(block[1], element)
    return Descriptor((matrix.rows, matrix.columns), block, (matrix.ld, 1), layout)


def epilogue(form: Gemm) -> Mapping[str, object]:
    """Return the constants that say what is fused."""
    return {"BIAS": form.bias != "none", "ACT": ACTIVATIONS.index(form.activation)}


def bias(form: Gemm) -> Argument:
    """Return the bias, or what stands for one that is not read."""
    return unread() if form.bias == "none" else Array("bias")


def unread() -> Argument:
    """Return an argument for a parameter that a kernel does not look at."""
    return Value(0, "int32")


def sizes(form: Gemm) -> tuple[Argument, ...]:
    """Return m, n and k as the kernels take them."""
    return tuple(Value(extent, "int32") for extent in (form.m, form.n, form.k))


def dtypes(form: Gemm) -> dict[str, str]:
    """Return the types of the arrays by name."""
    named = {**dict.fromkeys("abc", form.dtype), "work": "float32", "arrived": "int32"}
    return named if form.bias == "none" else {**named, "bias": form.dtype}


def facts_of(problem: Problem, block: tuple[int, int, int], threads: int, stages: int) -> Mapping[str, float]:
    """Return what the tile alone tells; names and units in `hotloop.metrics.vocabulary`."""
    bm, bn, bk = block
    element = ELEMENT_BYTES[gemm(problem).dtype]
    return {
        "config.accumulators": bm * bn / threads,
        "config.reuse": 2.0 * bm * bn / ((bm + bn) * element),
        "config.local_bytes": float((bm + bn) * bk * element * stages),
    }


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return what the configuration of a kernel without consumer groups alone tells."""
    bm, bn, bk, warps, stages = config.integers("BM", "BN", "BK", "num_warps", "num_stages")
    return facts_of(problem, (bm, bn, bk), 32 * warps, stages)


def areas(config: Config, count: int) -> tuple[Scratch, ...]:
    """Return memory for the sums of all slices, and a counter for each tile."""
    bm, bn, splits = config.integers("BM", "BN", "SPLITS")
    return Scratch("work", 4 * count * splits * bm * bn), Scratch("arrived", 4 * count, zeroed=True)
