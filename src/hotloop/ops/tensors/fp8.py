"""``hotloop::gemm_fp8``: products of 8-bit floats with scales, bias and activation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from hotloop.dispatch import arguments
from hotloop.dispatch.activation import activation as named
from hotloop.dispatch.arguments import torch
from hotloop.dispatch.choice import Choice
from hotloop.dispatch.finish import activated
from hotloop.dispatch.remembered import Answer
from hotloop.errors import BadArrayError, BadShapeError
from hotloop.kernels.gemm import fp8, products
from hotloop.kernels.gemm.tensors import MATRIX
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.ops.tensors.ruled import ByRule, Ruled

SCALED = "torch._scaled_mm"
WIDENED = "torch.matmul on operands widened to float32"
FP8 = "fp8"
EIGHT = torch.float8_e4m3fn
DTYPES = (torch.bfloat16, torch.float16, torch.float32)
"""Of results."""
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
    return _OPERATOR(Call(a, b, scale_a, scale_b, bias, named(activation), dtype, fast_accum))


def explain(
    a: torch.Tensor, b: torch.Tensor, scale_a: torch.Tensor, scale_b: torch.Tensor, *,
    bias: torch.Tensor | None = None, activation: str = "none", dtype: torch.dtype = torch.bfloat16,
    fast_accum: bool = False,
) -> Choice:  # fmt: skip
    """Return what `gemm_fp8` would run for the same arguments, and why."""
    return _OPERATOR.explain(Call(a, b, scale_a, scale_b, bias, named(activation), dtype, fast_accum))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scaled(Ruled):
    fast: bool
    form: tuple[bool, bool, bool]
    """Whether there are factors of rows, of columns, and a bias: each is a kernel of its own."""

    @property
    def problem(self) -> Problem:
        return Problem("gemm", Record(m=self.m, n=self.n, k=self.k, dtype=arguments.text(EIGHT), out=self.dtype))

    def cut(self, device: Device) -> fp8.Plan:
        hopper = device.target == products.TARGET
        return fp8.plan(self.m, self.n, self.k, device.compute_units, hopper=hopper, fast=self.fast)


class _Fp8(ByRule[Call, _Scaled]):
    arguments = Call
    operands = 5
    kernel = FP8
    least_capability = 90  # tensor memory accelerator; matrix instructions for 8-bit floats

    def check(self, call: Call) -> None:
        _check(call)

    def described(self, call: Call, *, gradient: bool) -> _Scaled:
        m, n, k = call.sizes
        return _Scaled(
            m=m,
            n=n,
            k=k,
            dtype=arguments.text(call.dtype),
            activation=call.activation,
            function=SCALED if not gradient and _scaled_takes(call) else WIDENED,
            gradient=gradient,
            obstacle="" if gradient else _obstacle(call),
            fast=call.fast_accum,
            form=(call.scale_a.numel() > 1, call.scale_b.numel() > 1, call.bias is not None),
        )

    def run(self, call: Call, answer: Answer) -> torch.Tensor:
        choice = answer.choice
        from hotloop.ops.tensors import fp8_launch

        return fp8_launch.run(
            _plan(choice.config),
            choice.device.compute_units,
            call.a,
            call.b.t(),
            call.scale_a.contiguous(),
            call.scale_b.contiguous(),
            None if call.bias is None else call.bias.contiguous(),
            call.activation,
            self.fake(call),
            fast=call.fast_accum,
        )

    def own(self, call: Call) -> torch.Tensor:
        """Return the product in float32, rounded once at the end."""
        total = torch.matmul(call.a.float(), call.b.float()) * _broad(call.scale_a) * _broad(call.scale_b)
        total = total if call.bias is None else total + call.bias.float()
        return activated(total, call.activation).to(call.dtype)

    def peer(self, call: Call) -> torch.Tensor:
        return _scaled(call) if _scaled_takes(call) else self.own(call)

    def fake(self, call: Call) -> torch.Tensor:
        return call.a.new_empty((call.a.shape[0], call.b.shape[1]), dtype=call.dtype)


@cache
def _plan(config: Config) -> fp8.Plan:
    return fp8.Plan(**dict(config))  # type: ignore[arg-type]


def _check(call: Call) -> None:
    for name in Call._fields[:5]:
        if name != "bias" or call.bias is not None:
            arguments.tensor(name, getattr(call, name))
    _check_operands(call)
    _check_factors(call)
    for name in ("b", "scale_a", "scale_b", "bias"):
        one = getattr(call, name)
        if one is not None and one.device != call.a.device:
            raise BadArrayError(f"a is on {call.a.device} and {name} on {one.device}; move one with to().")


def _check_operands(call: Call) -> None:
    for name, one in (("a", call.a), ("b", call.b)):
        if one.dtype != EIGHT:
            raise BadArrayError(
                f"{name} has dtype {arguments.text(one.dtype)}; convert it with to(torch.float8_e4m3fn)."
            )
        if one.dim() != MATRIX:
            raise BadArrayError(f"{name} has {one.dim()} dimensions, and a matrix has 2.")
    if call.a.shape[1] != call.b.shape[0]:
        raise BadShapeError(f"a has {call.a.shape[1]} columns and b has {call.b.shape[0]} rows: they must agree.")
    if call.dtype not in DTYPES:
        raise BadArrayError(
            f"dtype is {arguments.text(call.dtype)}; results are {', '.join(map(arguments.text, DTYPES))}."
        )


def _check_factors(call: Call) -> None:
    m, n, _ = call.sizes
    for name, scale, wide in (("scale_a", call.scale_a, (m, 1)), ("scale_b", call.scale_b, (1, n))):
        if scale.dtype != torch.float32:
            raise BadArrayError(f"{name} has dtype {arguments.text(scale.dtype)}; scales are float32.")
        if scale.numel() != 1 and scale.shape != wide:
            raise BadShapeError(f"{name} has shape {tuple(scale.shape)}; it must have one element, or shape {wide}.")
    if call.bias is not None and call.bias.dtype != call.dtype:
        raise BadArrayError(f"bias is {arguments.text(call.bias.dtype)} and the result {arguments.text(call.dtype)}.")
    if call.bias is not None and call.bias.shape != (n,):
        raise BadShapeError(
            f"bias has shape {tuple(call.bias.shape)}; it must have one element for each of the {n} columns."
        )


def _obstacle(call: Call) -> str:
    m, n, k = call.sizes
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
    if loose := next((name for name, x in (("a", call.a), ("b.t()", call.b.t())) if not arguments.row_major(x)), ""):
        return f"{loose} is not row-major with rows at multiples of 16 bytes"
    return ""


def _scaled_takes(call: Call) -> bool:
    """Tell whether PyTorch's own product takes the operands; factors of rows and columns it takes for bfloat16 only."""
    if not _multiplies(call.a.device):
        return False
    m, n, k = call.sizes
    if min(m, n, k) < 1 or k % _ALIGNED or n % _ALIGNED:
        return False
    laid = call.a.stride(1) == 1 and call.b.stride(0) == 1 and call.a.is_contiguous() and call.b.t().is_contiguous()
    single = call.scale_a.numel() == 1 and call.scale_b.numel() == 1
    biased = call.bias is None or call.dtype != torch.float32
    return bool(laid and biased and (single or call.dtype == torch.bfloat16))


@cache
def _multiplies(device: torch.device) -> bool:
    """Tell whether PyTorch has a product of 8-bit floats on a device."""
    if device.type != "cuda" or torch.version.hip is not None:
        return False
    major, minor = torch.cuda.get_device_capability(device)
    return bool(10 * major + minor >= _SCALED_CAPABILITY)


def _scaled(call: Call) -> torch.Tensor:
    m, n, _ = call.sizes
    scale_a, scale_b = call.scale_a, call.scale_b
    if scale_a.numel() > 1 or scale_b.numel() > 1:  # both or neither: one factor is spread beside many
        scale_a, scale_b = _broad(scale_a).expand(m, 1).contiguous(), _broad(scale_b).expand(1, n).contiguous()
    made = torch._scaled_mm(  # noqa: SLF001 - PyTorch's name for it
        call.a, call.b, scale_a=scale_a, scale_b=scale_b, bias=call.bias, out_dtype=call.dtype,
        use_fast_accum=call.fast_accum,
    )  # fmt: skip
    return activated(made, call.activation)


def _broad(scale: torch.Tensor) -> torch.Tensor:
    """Return a scale that leaves a matrix a matrix, whatever the dimensions of its one element."""
    return scale.reshape(()) if scale.numel() == 1 else scale


_OPERATOR = _Fp8(
    "gemm_fp8",
    "(Tensor a, Tensor b, Tensor scale_a, Tensor scale_b, Tensor? bias, str activation, ScalarType dtype, "
    "bool fast_accum) -> Tensor",
)
