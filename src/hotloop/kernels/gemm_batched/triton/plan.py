"""From problem and configuration of the kernel for products of a batch to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hotloop.kernels import _jit
from hotloop.kernels.gemm_batched.problem import ACTIVATIONS, ELEMENT_BYTES, Form, form_of
from hotloop.kernels.gemm_batched.triton.space import shared_bytes
from hotloop.model.device import Device
from hotloop.model.jit import Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Value
from hotloop.model.space import Config

_SOURCE, _IMPORTED = "hotloop.kernels.gemm_batched.triton.kernel", "hotloop.kernels.gemm.triton.tile"
_MOST_UNEVEN = 4096
"""Uneven products: every program reads all their ends."""
_OPTIONAL = ("bias", "residual", "ends")


@dataclass(frozen=True, slots=True)
class Steps:
    """Elements from one product, row and element of the arrays to the next; 0 for an operand that all share."""

    a: tuple[int, int, int]
    b: tuple[int, int, int]
    c: tuple[int, int]
    """Elements from one product, and from one row, of the result to the next; a row's elements lie side by side, the residual's too."""
    residual: tuple[int, int]
    bias: int

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
    values = {name: config[name] for name in ("BM", "BN", "BK", "GROUP", "PRECISION", "num_warps", "num_stages")}
    given = _given(form)
    meta = Meta(
        values={
            **values, "COUNT": form.batch if form.uneven else 0, "WIDTH": 1 << (form.batch - 1).bit_length(),
            "ACT": ACTIVATIONS.index(form.activation), "WHOLE": form.k % config.integer("BK") == 0,
            "WIDEN": form.dtype == "bfloat16" and device.interpreted,
            **{name: None for name in _OPTIONAL if name not in given},
        },
        dtypes={**dict.fromkeys(("a", "b", "c", "bias", "residual"), form.dtype), "ends": "int32"},
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
