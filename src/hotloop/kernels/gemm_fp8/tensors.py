"""``hotloop::gemm_fp8``: products of 8-bit floats with scales, bias and activation."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from hotloop.dispatch import arguments
from hotloop.dispatch.activation import activation as named
from hotloop.dispatch.activation import epilogue
from hotloop.dispatch.arguments import torch
from hotloop.dispatch.finish import activated
from hotloop.errors import BadArrayError, BadShapeError
from hotloop.kernels._ruled import MATRIX, ByRule, Described
from hotloop.kernels.gemm_fp8 import KERNEL, rule
from hotloop.kernels.gemm_fp8.operands import CAPABILITY
from hotloop.kernels.gemm_fp8.problem import ACTIVATIONS, ALIGNED_K, ALIGNED_N, FAMILY, SCALES
from hotloop.model.problem import Problem
from hotloop.model.record import Record

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.kernel import Variant

SCALED = "torch._scaled_mm"
WIDENED = "torch.matmul on operands widened to float32"
EIGHT = torch.float8_e4m3fn
DTYPES = (torch.bfloat16, torch.float16, torch.float32)
"""Types that a result can have."""
_SCALED_CAPABILITY = 89
"""PyTorch's own product of 8-bit floats: "torch._scaled_mm is only supported on CUDA devices with compute capability >= 9.0 or 8.9"."""


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


class _Fp8(ByRule[Call]):
    arguments = Call
    operands = 5
    hinted = 1
    kernel = KERNEL
    least_capability = CAPABILITY

    def check(self, call: Call) -> None:
        _check(call)

    def described(self, call: Call, *, gradient: bool) -> Described:
        return Described(
            problem=self.problem(call).replace(lda=0, ldw=0),
            function=SCALED if not gradient and _scaled_takes(call) else WIDENED,
            gradient=gradient,
            obstacle="" if gradient else _obstacle(call),
        )

    def problem(self, call: Call) -> Problem:
        m, n, k = call.sizes
        rows, columns = call.scale_a.numel() > 1, call.scale_b.numel() > 1
        sizes = Record(
            m=m,
            n=n,
            k=k,
            dtype=arguments.text(call.dtype),
            scales=SCALES[rows + 2 * columns],
            epilogue=epilogue(call.activation, bias=call.bias is not None),
            fast_accum=call.fast_accum,
            lda=call.a.stride(0) if m > 1 else k,  # the stride of a single row means nothing
            ldw=call.b.stride(1) if n > 1 else k,
        )
        return Problem(FAMILY, sizes)

    def ruled(self, problem: Problem, device: Device) -> Variant:
        return rule.variant(problem, device)

    def arrays(self, call: Call, made: torch.Tensor) -> dict[str, torch.Tensor]:
        given = {"a": call.a, "w": call.b.t(), "c": made}
        given["scale_a"], given["scale_b"] = call.scale_a.contiguous(), call.scale_b.contiguous()
        if call.bias is not None:
            given["bias"] = call.bias.contiguous()
        return given

    def own(self, call: Call) -> torch.Tensor:
        """Return the product in float32, rounded once at the end."""
        total = torch.matmul(call.a.float(), call.b.float()) * _broad(call.scale_a) * _broad(call.scale_b)
        total = total if call.bias is None else total + call.bias.float()
        return activated(total, call.activation).to(call.dtype)

    def peer(self, call: Call) -> torch.Tensor:
        return _scaled(call) if _scaled_takes(call) else self.own(call)

    def fake(self, call: Call) -> torch.Tensor:
        return call.a.new_empty((call.a.shape[0], call.b.shape[1]), dtype=call.dtype)


def _check(call: Call) -> None:
    for name in Call._fields[:5]:
        if name != "bias" or call.bias is not None:
            arguments.tensor(name, getattr(call, name))
    _check_operands(call)
    _check_factors(call)
    for name in ("b", "scale_a", "scale_b", "bias"):
        given = getattr(call, name)
        if given is not None and given.device != call.a.device:
            raise BadArrayError(f"a is on {call.a.device} and {name} on {given.device}; move one with to().")


def _check_operands(call: Call) -> None:
    for name, operand in (("a", call.a), ("b", call.b)):
        if operand.dtype != EIGHT:
            raise BadArrayError(
                f"{name} has dtype {arguments.text(operand.dtype)}; convert it with to(torch.float8_e4m3fn)."
            )
        if operand.dim() != MATRIX:
            raise BadArrayError(f"{name} has {operand.dim()} dimensions, and a matrix has 2.")
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
    if call.activation not in ACTIVATIONS:
        return f"the kernel has no {call.activation}"
    if min(m, n, k) < 1:
        return "there is nothing to multiply"
    if max(m, n, k) >= 1 << 31:
        return "the sizes exceed the kernel's 32-bit indices"
    if k % ALIGNED_K or n % ALIGNED_N:
        return f"k={k} must be a multiple of {ALIGNED_K} and n={n} of {ALIGNED_N} for copies of 16 bytes"
    if loose := next((name for name, x in (("a", call.a), ("b.t()", call.b.t())) if not arguments.row_major(x)), ""):
        return f"{loose} is not row-major with rows at multiples of 16 bytes"
    return ""


def _scaled_takes(call: Call) -> bool:
    """Tell whether PyTorch's own product takes the operands; factors of rows and columns it takes for bfloat16 only.

    It hands addresses to cuBLAS as they are, which wants 8-bit operands at multiples of 16 bytes (cuBLAS documentation, "8-bit
    floating point data types usage").
    """
    if not _multiplies(call.a.device):
        return False
    m, n, k = call.sizes
    if min(m, n, k) < 1 or k % ALIGNED_K or n % ALIGNED_K:
        return False
    laid = all(x.is_contiguous() and arguments.aligned(x) for x in (call.a, call.b.t()))
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
        scale_a, scale_b = _broad(scale_a).expand(m, 1), _broad(scale_b).expand(1, n)
    else:  # PyTorch transposes even a single factor, which has two dimensions at most then
        scale_a, scale_b = scale_a.reshape(1), scale_b.reshape(1)
    made = torch._scaled_mm(  # noqa: SLF001 - PyTorch's name for it
        _plain(call.a), call.b, scale_a=_own(scale_a), scale_b=_own(scale_b), bias=None if call.bias is None else _own(call.bias),
        out_dtype=call.dtype, use_fast_accum=call.fast_accum,
    )  # fmt: skip
    return activated(made, call.activation)


def _plain(a: torch.Tensor) -> torch.Tensor:
    """Return a matrix without gaps with the strides that such a one has: of a single row PyTorch hands on whatever stride it has."""
    return a.as_strided(a.shape, (a.shape[1], 1))


def _own(x: torch.Tensor) -> torch.Tensor:
    """Return a bias or factors as cuBLAS and PyTorch's kernel read them: without gaps, where wide accesses may begin, with the usual strides.

    Of a single factor the kernel asks for a stride of 1, which means nothing (aten/src/ATen/native/cuda/RowwiseScaledMM.cu).
    """
    lying = x if x.is_contiguous() and arguments.aligned(x) else x.clone(memory_format=torch.contiguous_format)
    return lying.as_strided(x.shape, (x.shape[-1], 1)[2 - x.dim() :])


def _broad(scale: torch.Tensor) -> torch.Tensor:
    """Return a scale that leaves a matrix a matrix, whatever the dimensions of its one element."""
    return scale.reshape(()) if scale.numel() == 1 else scale


_OPERATOR = _Fp8(
    "gemm_fp8",
    "(Tensor a, Tensor b, Tensor scale_a, Tensor scale_b, Tensor? bias, str activation, ScalarType dtype, "
    "bool fast_accum) -> Tensor",
)


def gemm_fp8(
    a: torch.Tensor, b: torch.Tensor, scale_a: torch.Tensor, scale_b: torch.Tensor, *,
    bias: torch.Tensor | None = None, activation: str = "none", dtype: torch.dtype | None = None,
    fast_accum: bool = False,
) -> tuple[_Fp8, Call]:  # fmt: skip
    """Return the operator and its arguments. Raises UnknownNameError for an activation that there is not."""
    wanted = DTYPES[0] if dtype is None else dtype
    return _OPERATOR, Call(a, b, scale_a, scale_b, bias, named(activation), wanted, fast_accum)
