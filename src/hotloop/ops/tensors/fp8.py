"""``hotloop::gemm_fp8``: products of 8-bit floats with scales, bias and activation."""

# mypy: disable-error-code="untyped-decorator"
from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import NamedTuple

from hotloop.errors import BadShapeError
from hotloop.kernels.gemm import fp8
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.ops.activation import activation as named
from hotloop.ops.choice import Candidate, Choice, Origin
from hotloop.ops.operand import BadArrayError
from hotloop.ops.tensors import common, gemm, place, products
from hotloop.ops.tensors.common import NO_GRADIENT, torch
from hotloop.ops.tensors.select import PEER, Asked, own, select

SCALED = "torch._scaled_mm"
WIDENED = "torch.matmul on operands widened to float32"
FP8 = "fp8"
EIGHT = torch.float8_e4m3fn
DTYPES = (torch.bfloat16, torch.float16, torch.float32)
"""Of results."""
_LEAST_CAPABILITY = 90
"""Tensor memory accelerator; matrix instructions for 8-bit floats."""
_SCALED_CAPABILITY = 89
"""PyTorch's own product of 8-bit floats: "torch._scaled_mm is only supported on CUDA devices with compute capability >= 9.0 or 8.9"."""
_ALIGNED = 16
"""Bytes, and elements, to which the copy engine and PyTorch's product want rows aligned."""
_WHOLE = 8
"""Columns of 16-bit results in 16 bytes."""


class Call(NamedTuple):
    """The operator's arguments, in its order."""

    a: torch.Tensor
    b: torch.Tensor
    scale_a: torch.Tensor
    scale_b: torch.Tensor
    bias: torch.Tensor | None
    activation: str
    dtype: torch.dtype
    fast_accum: bool

    @property
    def sizes(self) -> tuple[int, int, int]:
        """m, n and k."""
        return self.a.shape[0], self.b.shape[1], self.a.shape[1]


def gemm_fp8(
    a: torch.Tensor, b: torch.Tensor, scale_a: torch.Tensor, scale_b: torch.Tensor, *,
    bias: torch.Tensor | None = None, activation: str = "none", dtype: torch.dtype = torch.bfloat16,
    fast_accum: bool = False,
) -> torch.Tensor:  # fmt: skip
    """Return ``activation(scale_a · scale_b · (a · b) + bias)``; see `hotloop.ops.gemm_fp8`.

    Raises:
        BadShapeError: shapes do not go together.
        BadArrayError: types or devices differ from what is taken.
        UnknownNameError: no such activation.
    """
    call = Call(a, b, scale_a, scale_b, bias, named(activation), dtype, fast_accum)
    if _gradient(call):
        _check(call)
        if not torch.compiler.is_compiling():
            _choice(call, gradient=True)
        with common.as_given(a):
            return widened(call)
    made: torch.Tensor = _made(call) if common.direct(*call[:5]) else torch.ops.hotloop.gemm_fp8(*call)
    return made


def explain(
    a: torch.Tensor, b: torch.Tensor, scale_a: torch.Tensor, scale_b: torch.Tensor, *,
    bias: torch.Tensor | None = None, activation: str = "none", dtype: torch.dtype = torch.bfloat16,
    fast_accum: bool = False,
) -> Choice:  # fmt: skip
    """Return what `gemm_fp8` would run for the same arguments, and why."""
    call = Call(a, b, scale_a, scale_b, bias, named(activation), dtype, fast_accum)
    _check(call)
    return _choice(call, gradient=_gradient(call))


@torch.library.custom_op("hotloop::gemm_fp8", mutates_args=())
def _gemm_fp8(
    a: torch.Tensor, b: torch.Tensor, scale_a: torch.Tensor, scale_b: torch.Tensor, bias: torch.Tensor | None,
    activation: str, dtype: torch.dtype, fast_accum: bool,  # noqa: FBT001 - the operator's schema
) -> torch.Tensor:  # fmt: skip
    with common.as_given(a):
        return _made(Call(a, b, scale_a, scale_b, bias, activation, dtype, fast_accum))


@_gemm_fp8.register_fake
def _fake(
    a: torch.Tensor, b: torch.Tensor, scale_a: torch.Tensor, scale_b: torch.Tensor, bias: torch.Tensor | None,
    activation: str, dtype: torch.dtype, fast_accum: bool,  # noqa: FBT001 - the operator's schema
) -> torch.Tensor:  # fmt: skip
    _check(Call(a, b, scale_a, scale_b, bias, activation, dtype, fast_accum))
    return a.new_empty((a.shape[0], b.shape[1]), dtype=dtype)


_gemm_fp8.register_autograd(common.no_backward("gemm_fp8"))


def _gradient(call: Call) -> bool:
    return common.wants_gradient(a=call.a, b=call.b, scale_a=call.scale_a, scale_b=call.scale_b, bias=call.bias)


def _made(call: Call) -> torch.Tensor:
    _check(call)
    choice = _choice(call)
    if choice.implementation == PEER:
        return _own(call)
    try:
        return _run(call, choice)
    except Exception as error:
        trouble = common.compile_trouble(error)
        if not trouble:
            raise
        why = f"{choice.implementation} cannot run here: {trouble}"
        place.replace(_key(call, gradient=False), own(_asked(call, choice), why, choice.notes))
        return _own(call)


def _run(call: Call, choice: Choice) -> torch.Tensor:
    from hotloop.ops.tensors import fp8_launch

    m, n, _ = call.sizes
    return fp8_launch.run(
        fp8.Plan(**dict(choice.config)),  # type: ignore[arg-type]
        choice.device.compute_units,
        call.a,
        call.b.t(),
        call.scale_a.contiguous(),
        call.scale_b.contiguous(),
        None if call.bias is None else call.bias.contiguous(),
        call.activation,
        torch.empty((m, n), dtype=call.dtype, device=call.a.device),
        fast=call.fast_accum,
    )


def _check(call: Call) -> None:
    for name in Call._fields[:5]:
        if name != "bias" or call.bias is not None:
            common.tensor(name, getattr(call, name))
    _check_operands(call)
    _check_factors(call)
    for name in ("b", "scale_a", "scale_b", "bias"):
        one = getattr(call, name)
        if one is not None and one.device != call.a.device:
            raise BadArrayError(f"a is on {call.a.device} and {name} on {one.device}; move one with to().")


def _check_operands(call: Call) -> None:
    for name, one in (("a", call.a), ("b", call.b)):
        if one.dtype != EIGHT:
            raise BadArrayError(f"{name} has dtype {common.text(one.dtype)}; convert it with to(torch.float8_e4m3fn).")
        if one.dim() != gemm.MATRIX:
            raise BadArrayError(f"{name} has {one.dim()} dimensions, and a matrix has 2.")
    if call.a.shape[1] != call.b.shape[0]:
        raise BadShapeError(f"a has {call.a.shape[1]} columns and b has {call.b.shape[0]} rows: they must agree.")
    if call.dtype not in DTYPES:
        raise BadArrayError(f"dtype is {common.text(call.dtype)}; results are {', '.join(map(common.text, DTYPES))}.")


def _check_factors(call: Call) -> None:
    m, n, _ = call.sizes
    for name, scale, wide in (("scale_a", call.scale_a, (m, 1)), ("scale_b", call.scale_b, (1, n))):
        if scale.dtype != torch.float32:
            raise BadArrayError(f"{name} has dtype {common.text(scale.dtype)}; scales are float32.")
        if scale.numel() != 1 and scale.shape != wide:
            raise BadShapeError(f"{name} has shape {tuple(scale.shape)}; it must have one element, or shape {wide}.")
    if call.bias is not None and call.bias.dtype != call.dtype:
        raise BadArrayError(f"bias is {common.text(call.bias.dtype)} and the result {common.text(call.dtype)}.")
    if call.bias is not None and call.bias.shape != (n,):
        raise BadShapeError(
            f"bias has shape {tuple(call.bias.shape)}; it must have one element for each of the {n} columns."
        )


def _choice(call: Call, *, gradient: bool = False) -> Choice:
    return place.remembered(_key(call, gradient=gradient), partial(_choose, call, gradient=gradient))


def _key(call: Call, *, gradient: bool) -> tuple[object, ...]:
    forms = tuple(None if x is None else common.form(x) for x in call[:5])
    return ("gemm_fp8", forms, *call[5:], gradient)


def _choose(call: Call, *, gradient: bool) -> Choice:
    device = place.facts(call.a, "triton")
    m, n, k = call.sizes
    sizes = Record(m=m, n=n, k=k, dtype="float8_e4m3fn", out=common.text(call.dtype))
    function = SCALED if _scaled_takes(call) and not gradient else WIDENED
    asked = Asked(
        problem=Problem("gemm", sizes),
        device=place.elsewhere(call.a) if isinstance(device, str) else device,
        function=function,
        weights={},
    )
    why = device if isinstance(device, str) else _obstacle(call, device.target)
    if why := NO_GRADIENT if gradient else why:
        return own(asked, why)
    start = Candidate(
        origin=Origin.START,
        implementation=FP8,
        config=Config(asdict(_plan(call, asked.device))),
        sizes=Record(),
        source="cut to fill the device, a rule",
    )
    return select(asked, (), start, lambda one: one.config)


def _plan(call: Call, device: Device) -> fp8.Plan:
    return fp8.plan(*call.sizes, device.compute_units, hopper=device.target == products.TARGET, fast=call.fast_accum)


def _asked(call: Call, choice: Choice) -> Asked:
    function = SCALED if _scaled_takes(call) else WIDENED
    return Asked(problem=choice.problem, device=choice.device, function=function, weights={})


def _obstacle(call: Call, target: str) -> str:
    digits = target.removeprefix("sm_")
    m, n, k = call.sizes
    if not digits.isdigit() or int(digits) < _LEAST_CAPABILITY:
        return f"the kernel is for NVIDIA GPUs from compute capability 9.0 on, not {target}"
    if call.dtype == torch.float32:
        return "the kernel writes bfloat16 and float16, not float32"
    if call.activation not in products.ACTIVATIONS:
        return f"the kernel has no {call.activation}"
    if min(m, n, k) < 1:
        return "there is nothing to multiply"
    if max(m, n, k) >= 1 << 31:
        return "the sizes exceed the kernel's 32-bit indices"
    if k % _ALIGNED or n % _WHOLE:
        return f"k={k} must be a multiple of {_ALIGNED} and n={n} of {_WHOLE} for copies of 16 bytes"
    if loose := next((name for name, x in (("a", call.a), ("b.t()", call.b.t())) if not _row_major(x)), ""):
        return f"{loose} is not row-major with rows at multiples of 16 bytes"
    return ""


def _row_major(x: torch.Tensor) -> bool:
    """Tell whether the copy engine can read a matrix."""
    gap = x.shape[0] == 1 or (x.stride(0) >= x.shape[1] and x.stride(0) % _ALIGNED == 0)
    return bool(gap and x.stride(1) == 1 and common.aligned(x))


def _scaled_takes(call: Call) -> bool:
    """Tell whether PyTorch's own product takes the operands; factors of rows and columns it takes for bfloat16 only."""
    m, n, k = call.sizes
    if (
        call.a.device.type != "cuda"
        or torch.version.hip is not None
        or min(m, n, k) < 1
        or k % _ALIGNED
        or n % _ALIGNED
    ):
        return False
    major, minor = torch.cuda.get_device_capability(call.a.device)
    laid = call.a.stride(1) == 1 and call.b.stride(0) == 1 and call.a.is_contiguous() and call.b.t().is_contiguous()
    single = call.scale_a.numel() == 1 and call.scale_b.numel() == 1
    biased = call.bias is None or call.dtype != torch.float32
    known = 10 * major + minor >= _SCALED_CAPABILITY
    return bool(known and laid and biased and (single or call.dtype == torch.bfloat16))


def _own(call: Call) -> torch.Tensor:
    if not _scaled_takes(call):
        return widened(call)
    m, n, _ = call.sizes
    scale_a, scale_b = call.scale_a, call.scale_b
    if scale_a.numel() > 1 or scale_b.numel() > 1:  # both or neither: one factor is spread beside many
        scale_a, scale_b = _broad(scale_a).expand(m, 1).contiguous(), _broad(scale_b).expand(1, n).contiguous()
    made = torch._scaled_mm(  # noqa: SLF001 - PyTorch's name for it
        call.a, call.b, scale_a=scale_a, scale_b=scale_b, bias=call.bias, out_dtype=call.dtype,
        use_fast_accum=call.fast_accum,
    )  # fmt: skip
    return gemm.activated(made, call.activation)


def widened(call: Call) -> torch.Tensor:
    """Return the same in float32, rounded once at the end."""
    total = torch.matmul(call.a.float(), call.b.float()) * _broad(call.scale_a) * _broad(call.scale_b)
    total = total if call.bias is None else total + call.bias.float()
    return gemm.activated(total, call.activation).to(call.dtype)


def _broad(scale: torch.Tensor) -> torch.Tensor:
    """Return a scale that leaves a matrix a matrix, whatever the dimensions of its one element."""
    return scale.reshape(()) if scale.numel() == 1 else scale
