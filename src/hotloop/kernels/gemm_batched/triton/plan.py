"""From problem and configuration of the kernel for products of a batch to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hotloop.kernels import _jit
from hotloop.kernels.gemm_batched.problem import ACTIVATIONS, ELEMENT_BYTES, Form, form_of
from hotloop.kernels.gemm_batched.triton.space import shared_bytes
from hotloop.model.device import Device
from hotloop.model.jit import Descriptor, Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Value
from hotloop.model.space import Config
from hotloop.targets.target import Target

_SOURCE, _IMPORTED = "hotloop.kernels.gemm_batched.triton.kernel", "hotloop.kernels.gemm.triton.tile"
_MOST_UNEVEN = 4096
"""Uneven products: every program reads all their ends."""
_OPTIONAL = ("bias", "residual", "ends")
_HAS_DESCRIPTORS = 90
"""Compute capability, times ten, from which the copy engine reads tiles: CUDA C++ programming guide, tensor memory accelerator."""
_EIGHT = 8
"""Elements of 16 bits that are read at a time."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Elements from one product, row and element of the arrays to the next; 0 for an operand that all share."""

    a: tuple[int, int, int]
    b: tuple[int, int, int]
    c: tuple[int, int]
    """Elements from one product, and from one row, of the result to the next; a row's elements lie side by side, the residual's too."""
    residual: tuple[int, int]
    bias: int
    aligned: bool = True
    """Both operands begin at multiples of 16 bytes."""
    rows: int = 0
    """Rows of A of uneven products, where those are fewer than products times the average rounded up; 0: as many."""

    @classmethod
    def dense(cls, form: Form) -> Steps:
        """Return those of arrays without gaps."""
        a = (form.m * form.k, form.k, 1) if form.op[0] == "n" else (form.m * form.k, 1, form.m)
        b = (form.k * form.n, form.n, 1) if form.op[1] == "n" else (form.k * form.n, 1, form.k)
        left = (0, *a[1:]) if form.shared == "a" or form.uneven else a
        c = (0 if form.uneven else form.m * form.n, form.n)
        return cls(left, (0, *b[1:]) if form.shared == "b" else b, c, c, form.n)


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch.

    Raises:
        ValueError: the problem has no meaning, or its type or the device rule the configuration out.
    """
    form = form_of(problem)
    return program(form, Steps.dense(form), config, device)


def program(form: Form, steps: Steps, config: Config, device: Device) -> Program:
    """Return the program for arrays that lie as they do. Raises ValueError as `plan` does."""
    _refuse(form, config, device)
    if config.PATH == "descriptors" and not (
        describable(form, steps) and (device.interpreted or Target.of(device.target).at_least(_HAS_DESCRIPTORS))
    ):
        raise ValueError("the copy engine cannot read these operands, or the device has none")
    values = {
        name: config[name] for name in ("BM", "BN", "BK", "GROUP", "PATH", "PRECISION", "num_warps", "num_stages")
    }
    given = _given(form)
    meta = Meta(
        values={
            **values, "COUNT": form.batch if form.uneven else 0, "WIDTH": 1 << (form.batch - 1).bit_length(),
            "ACT": ACTIVATIONS.index(form.activation), "WHOLE": form.k % config.integer("BK") == 0,
            "WIDEN": form.dtype == "bfloat16" and device.interpreted, "EIGHT": _in_eights(form, steps),
            "TURNA": form.op[0] == "t", "TURNB": form.op[1] == "t", "ONE_A": steps.a[0] == 0, "ONE_B": steps.b[0] == 0,
            **{name: None for name in _OPTIONAL if name not in given},
        },
        dtypes={**dict.fromkeys(("a", "b", "c", "bias", "residual"), form.dtype), "ends": "int32"},
        descriptors=_descriptors(form, steps, config),
        uses=_jit.uses(_IMPORTED),
    )  # fmt: skip
    group = threads(config.integer("num_warps"), device.target)
    arguments: tuple[Argument, ...] = (
        Array("a"), Array("b"), Array("c"), *(Array(name) for name in given),
        *(Value(size, "int32") for size in (form.rows if form.uneven else form.m, form.n, form.k)),
        *(Value(step, "int64") for step in (*steps.a, *steps.b, *steps.c, *steps.residual, steps.bias)),
    )  # fmt: skip
    launch = Launch("multiply", arguments, (_programs(form, config) * group,), (group,))
    return Program("triton", _jit.text(_SOURCE), meta.options, (launch,), source_name="kernel.py")


def describable(form: Form, steps: Steps) -> bool:
    """Tell whether the copy engine can read both operands: unit steps in a row, all others multiples of 16 bytes."""
    element = ELEMENT_BYTES[form.dtype]
    seen = (_ordered(steps.a, turned=form.op[0] == "t"), _ordered(steps.b, turned=form.op[1] == "t"))
    return steps.aligned and all(
        unit == 1 and pitch > 0 and all(step * element % _jit.ALIGNED_BYTES == 0 for step in (item, pitch))
        for item, pitch, unit in seen
    )


def _ordered(steps: tuple[int, int, int], *, turned: bool) -> tuple[int, int, int]:
    """Return the steps from one product, row and element to the next as they lie in memory."""
    item, row, column = steps
    return (item, column, row) if turned else steps


def _in_eights(form: Form, steps: Steps) -> bool:
    """Tell whether all sizes and steps that are not 1 by their meaning are multiples of 8."""
    turned = form.op[0] == "t"
    a, b = _ordered(steps.a, turned=turned), _ordered(steps.b, turned=form.op[1] == "t")
    others = (*a[:2], *b[:2], *steps.c, *steps.residual, steps.bias, form.n, form.k, *((form.m,) if turned else ()))
    return a[2] == b[2] == 1 and not any(extent % _EIGHT for extent in others)


def _descriptors(form: Form, steps: Steps, config: Config) -> dict[str, Descriptor]:
    if config.PATH != "descriptors":
        return {}
    bm, bn, bk = config.integers("BM", "BN", "BK")
    b = _described(form.batch, (form.k, form.n), (bk, bn), steps.b, turned=form.op[1] == "t")
    if form.uneven:
        return {"a": Descriptor((steps.rows or form.rows, form.k), (bm, bk), steps.a[1:]), "b": b}
    return {"a": _described(form.batch, (form.m, form.k), (bm, bk), steps.a, turned=form.op[0] == "t"), "b": b}


def _described(
    count: int, shape: tuple[int, int], block: tuple[int, int], steps: tuple[int, int, int], *, turned: bool
) -> Descriptor:
    """Return the descriptor of the matrices of an operand; one that all products share is one matrix."""
    item, pitch, unit = _ordered(steps, turned=turned)
    rows, columns = reversed(shape) if turned else shape
    high, wide = reversed(block) if turned else block
    return Descriptor((count if item else 1, rows, columns), (1, high, wide), (item or rows * pitch, pitch, unit))


def _given(form: Form) -> tuple[str, ...]:
    asked = {"bias": form.bias, "residual": form.residual, "ends": form.uneven}
    return tuple(name for name in _OPTIONAL if asked[name])


def _programs(form: Form, config: Config) -> int:
    """Return the tiles; of uneven products as many as there can be: each may have one that is not full."""
    bm, columns = config.integer("BM"), -(-form.n // config.integer("BN"))
    if form.uneven:
        return columns * (form.rows // bm + min(form.batch, form.rows))
    return columns * -(-form.m // bm) * form.batch


def _refuse(form: Form, config: Config, device: Device) -> None:
    if form.dtype != "float32" and config.PRECISION != "ieee":
        raise ValueError(f"PRECISION is for float32, not for {form.dtype}")
    if form.uneven and form.batch > _MOST_UNEVEN:
        raise ValueError(f"{form.batch} uneven products; {_MOST_UNEVEN} are the most")
    if max(form.m, form.n, form.k, form.rows if form.uneven else 0, _programs(form, config)) >= 1 << 31:
        raise ValueError("the sizes exceed the kernel's 32-bit indices")
    used = shared_bytes(config, ELEMENT_BYTES[form.dtype])
    device.check_shared(used)


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return what the configuration alone tells."""
    bm, bn = config.integers("BM", "BN")
    element = ELEMENT_BYTES[form_of(problem).dtype]
    return {
        "config.accumulators": bm * bn / (32 * config.integer("num_warps")),
        "config.reuse": 2.0 * bm * bn / ((bm + bn) * element),
        "config.local_bytes": float(shared_bytes(config, element)),
    }
