"""``hotloop::gemm_int4``: products of 16-bit activations with weights of 4 bits and a scale for each 128 of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hotloop.dispatch import arguments
from hotloop.dispatch.activation import activation as named
from hotloop.dispatch.activation import epilogue
from hotloop.dispatch.arguments import torch
from hotloop.dispatch.finish import activated
from hotloop.errors import BadArrayError, BadShapeError
from hotloop.kernels._ruled import MATRIX, ByRule, Described
from hotloop.kernels.gemm_fp8.problem import ACTIVATIONS
from hotloop.kernels.gemm_int4 import KERNEL, rule, storage
from hotloop.kernels.gemm_int4.problem import DTYPES, FAMILY
from hotloop.kernels.gemm_int4.triton.plan import CAPABILITY
from hotloop.model.problem import Problem
from hotloop.model.record import Record

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.kernel import Variant

FUNCTION = "torch.matmul on widened weights"


class Call(NamedTuple):
    """The operator's arguments, in its order."""

    a: torch.Tensor
    stored: torch.Tensor
    scales: torch.Tensor
    bias: torch.Tensor | None
    activation: str


def pack_int4(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return stored weights and scales of a matrix [k, n], rounded to the nearest of 15 steps of each group.

    Raises:
        BadShapeError: k or n is no multiple of a block.
        BadArrayError: `weight` is no matrix of floats.
    """
    arguments.tensors(weight=weight)
    if weight.dim() != MATRIX:
        raise BadArrayError(f"weight has {weight.dim()} dimensions, and a matrix has 2.")
    k, n = weight.shape
    _blocks(k, n)
    grouped = weight.detach().float().reshape(k // storage.GROUP, storage.GROUP, n)
    scales = (grouped.abs().amax(1) / storage.MOST).to(weight.dtype)
    safe = torch.where(scales == 0, 1, scales).float()[:, None]
    q = (grouped / safe).round().clamp(-storage.ZERO, storage.MOST).to(torch.int16) + storage.ZERO
    parts = (
        q.to(torch.uint8)
        .reshape(k // storage.GROUP, *storage.BITS, n // storage.COLUMNS, *storage.LANES)
        .permute(storage.ORDER)
    )
    low, high = parts.reshape(2, k // storage.GROUP, n // storage.COLUMNS, storage.BLOCK_BYTES)
    return low | (high << 4), scales


def widened(stored: torch.Tensor, scales: torch.Tensor) -> torch.Tensor:
    """Return the matrix [k, n] that stored weights and scales mean, in the type of the scales."""
    groups, n = scales.shape
    sizes = (groups, *storage.BITS, n // storage.COLUMNS, *storage.LANES)
    both = torch.stack([stored & 15, stored >> 4]).reshape([sizes[axis] for axis in storage.ORDER])
    back = sorted(range(len(storage.ORDER)), key=storage.ORDER.__getitem__)
    q = both.permute(back).reshape(groups, storage.GROUP, n)
    return ((q.to(scales.dtype) - storage.ZERO) * scales[:, None]).reshape(groups * storage.GROUP, n)


class _Int4(ByRule[Call]):
    arguments = Call
    operands = 4
    hinted = 1
    kernel = KERNEL
    least_capability = CAPABILITY

    def check(self, call: Call) -> None:
        _check(call)

    def described(self, call: Call, *, gradient: bool) -> Described:
        obstacle = _obstacle(arguments.text(call.a.dtype), call.activation, call.a.shape[0])
        problem = self.problem(call).replace(lda=0)
        return Described(problem=problem, function=FUNCTION, gradient=gradient, obstacle=obstacle)

    def problem(self, call: Call) -> Problem:
        (m, k), n = call.a.shape, call.scales.shape[1]
        sizes = Record(
            m=m,
            n=n,
            k=k,
            dtype=arguments.text(call.a.dtype),
            epilogue=epilogue(call.activation, bias=call.bias is not None),
            lda=call.a.stride(0) if m > 1 and _rows(call.a) else k,  # the stride of a single row means nothing
        )
        return Problem(FAMILY, sizes)

    def ruled(self, problem: Problem, device: Device) -> Variant:
        return rule.variant(problem, device)

    def arrays(self, call: Call, made: torch.Tensor) -> dict[str, torch.Tensor]:
        a = call.a
        given = {"a": a if _rows(a) else a.contiguous(), "w": call.stored.contiguous()}
        given |= {"scale": call.scales.contiguous(), "c": made}
        if call.bias is not None:
            given["bias"] = call.bias.contiguous()
        return given

    def own(self, call: Call) -> torch.Tensor:
        total = torch.matmul(call.a, widened(call.stored, call.scales))
        return activated(total if call.bias is None else total + call.bias, call.activation)

    def fake(self, call: Call) -> torch.Tensor:
        return call.a.new_empty((call.a.shape[0], call.scales.shape[1]))


def _rows(a: torch.Tensor) -> bool:
    """Tell whether the kernel can read a matrix as it lies: rows without gaps between elements that do not overlap."""
    return bool(a.stride(1) == 1 and a.stride(0) >= a.shape[1])


def _blocks(k: int, n: int) -> None:
    if k % storage.GROUP or n % storage.COLUMNS or not k or not n:
        raise BadShapeError(
            f"a weight of {k} by {n} cannot be stored: k must be a multiple of 128, n of 64; pad with zeros."
        )


def _check(call: Call) -> None:
    a, stored, scales, bias, _ = call
    arguments.tensors(a=a, scales=scales, bias=bias)
    arguments.tensor("stored", stored)
    if a.dim() != MATRIX or scales.dim() != MATRIX:
        raise BadArrayError(f"a and scales must be matrices; they have {a.dim()} and {scales.dim()} dimensions.")
    groups, n = scales.shape
    _blocks(groups * storage.GROUP, n)
    wanted = (groups, n // storage.COLUMNS, storage.BLOCK_BYTES)
    if stored.dtype != torch.uint8 or stored.device != a.device or tuple(stored.shape) != wanted:
        raise BadArrayError(
            f"stored weights are {arguments.text(stored.dtype)} of {tuple(stored.shape)} on {stored.device}; these scales go with "
            f"uint8 of {wanted} on {a.device}: take both from one call of pack_int4."
        )
    if a.shape[1] != groups * storage.GROUP:
        raise BadShapeError(
            f"a has {a.shape[1]} columns and the weights have {groups * storage.GROUP} rows: they must agree."
        )
    if bias is not None and bias.shape != (n,):
        raise BadShapeError(
            f"bias has shape {tuple(bias.shape)}; it must have one element for each of the {n} columns."
        )


def _obstacle(dtype: str, activation: str, rows: int) -> str:
    if dtype not in DTYPES:
        return f"the kernel takes {' and '.join(DTYPES)}, not {dtype}"
    if activation not in ACTIVATIONS:
        return f"the kernel has no {activation}"
    return "" if rows else "there is nothing to multiply"


_OPERATOR = _Int4("gemm_int4", "(Tensor a, Tensor stored, Tensor scales, Tensor? bias, str activation) -> Tensor")


def gemm_int4(
    a: torch.Tensor, stored: torch.Tensor, scales: torch.Tensor, *, bias: torch.Tensor | None = None,
    activation: str = "none",
) -> tuple[_Int4, Call]:  # fmt: skip
    """Return the operator and its arguments. Raises UnknownNameError for an activation that there is not."""
    return _OPERATOR, Call(a, stored, scales, bias, named(activation))
