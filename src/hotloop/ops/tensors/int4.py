"""``hotloop::gemm_int4``: products of 16-bit activations with weights of 4 bits and a scale for each 128 of them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from hotloop.dispatch import arguments
from hotloop.dispatch.activation import activation as named
from hotloop.dispatch.arguments import torch
from hotloop.dispatch.choice import Choice
from hotloop.dispatch.finish import activated
from hotloop.dispatch.remembered import Answer
from hotloop.errors import BadArrayError, BadShapeError
from hotloop.kernels.gemm import int4, products
from hotloop.kernels.gemm.tensors import MATRIX
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.ops.tensors.ruled import ByRule, Ruled

FUNCTION = "torch.matmul on widened weights"
WEIGHTS4 = "weights4"


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
    grouped = weight.detach().float().reshape(k // int4.GROUP, int4.GROUP, n)
    scales = (grouped.abs().amax(1) / int4.MOST).to(weight.dtype)
    safe = torch.where(scales == 0, 1, scales).float()[:, None]
    q = (grouped / safe).round().clamp(-int4.ZERO, int4.MOST).to(torch.int16) + int4.ZERO
    parts = q.to(torch.uint8).reshape(k // int4.GROUP, *int4.BITS, n // int4.COLUMNS, *int4.LANES).permute(int4.ORDER)
    low, high = parts.reshape(2, k // int4.GROUP, n // int4.COLUMNS, int4.BLOCK_BYTES)
    return low | (high << 4), scales


def widened(stored: torch.Tensor, scales: torch.Tensor) -> torch.Tensor:
    """Return the matrix [k, n] that stored weights and scales mean, in the type of the scales."""
    groups, n = scales.shape
    sizes = (groups, *int4.BITS, n // int4.COLUMNS, *int4.LANES)
    both = torch.stack([stored & 15, stored >> 4]).reshape([sizes[axis] for axis in int4.ORDER])
    back = sorted(range(len(int4.ORDER)), key=int4.ORDER.__getitem__)
    q = both.permute(back).reshape(groups, int4.GROUP, n)
    return ((q.to(scales.dtype) - int4.ZERO) * scales[:, None]).reshape(groups * int4.GROUP, n)


def gemm_int4(
    a: torch.Tensor,
    stored: torch.Tensor,
    scales: torch.Tensor,
    *,
    bias: torch.Tensor | None = None,
    activation: str = "none",
) -> torch.Tensor:
    """Return ``activation(a · W + bias)`` for the weights of `pack_int4`.

    Raises:
        BadShapeError: shapes do not go together.
        BadArrayError: types or devices differ, or the weights are not as `pack_int4` makes them.
        UnknownNameError: no such activation.
    """
    return _OPERATOR(Call(a, stored, scales, bias, named(activation)))


def explain(
    a: torch.Tensor,
    stored: torch.Tensor,
    scales: torch.Tensor,
    *,
    bias: torch.Tensor | None = None,
    activation: str = "none",
) -> Choice:
    """Return what `gemm_int4` would run for the same arguments, and why."""
    return _OPERATOR.explain(Call(a, stored, scales, bias, named(activation)))


class _Weights4(Ruled):
    __slots__ = ()

    @property
    def problem(self) -> Problem:
        return Problem("gemm", Record(m=self.m, n=self.n, k=self.k, dtype=self.dtype, weights="int4"))

    def cut(self, device: Device) -> int4.Plan:
        return int4.plan(self.m, self.n, self.k, device.compute_units)


class _Int4(ByRule[Call, _Weights4]):
    arguments = Call
    operands = 4
    kernel = WEIGHTS4
    least_capability = 80

    def check(self, call: Call) -> None:
        _check(call)

    def described(self, call: Call, *, gradient: bool) -> _Weights4:
        (m, k), n = call.a.shape, call.scales.shape[1]
        dtype = arguments.text(call.a.dtype)
        return _Weights4(
            m=m,
            n=n,
            k=k,
            dtype=dtype,
            activation=call.activation,
            function=FUNCTION,
            gradient=gradient,
            obstacle=_obstacle(dtype, call.activation, m),
        )

    def run(self, call: Call, answer: Answer) -> torch.Tensor:
        choice = answer.choice
        from hotloop.ops.tensors import int4_launch

        a = call.a
        return int4_launch.run(
            _plan(choice.config),
            a if a.stride(1) == 1 and a.stride(0) >= a.shape[1] else a.contiguous(),
            call.stored.contiguous(),
            call.scales.contiguous(),
            None if call.bias is None else call.bias.contiguous(),
            call.activation,
        )

    def own(self, call: Call) -> torch.Tensor:
        total = torch.matmul(call.a, widened(call.stored, call.scales))
        return activated(total if call.bias is None else total + call.bias, call.activation)

    def fake(self, call: Call) -> torch.Tensor:
        return call.a.new_empty((call.a.shape[0], call.scales.shape[1]))


@cache
def _plan(config: Config) -> int4.Plan:
    return int4.Plan(**dict(config))  # type: ignore[arg-type]


def _blocks(k: int, n: int) -> None:
    if k % int4.GROUP or n % int4.COLUMNS or not k or not n:
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
    _blocks(groups * int4.GROUP, n)
    wanted = (groups, n // int4.COLUMNS, int4.BLOCK_BYTES)
    if stored.dtype != torch.uint8 or stored.device != a.device or tuple(stored.shape) != wanted:
        raise BadArrayError(
            f"stored weights are {arguments.text(stored.dtype)} of {tuple(stored.shape)} on {stored.device}; these scales go with "
            f"uint8 of {wanted} on {a.device}: take both from one call of pack_int4."
        )
    if a.shape[1] != groups * int4.GROUP:
        raise BadShapeError(
            f"a has {a.shape[1]} columns and the weights have {groups * int4.GROUP} rows: they must agree."
        )
    if bias is not None and bias.shape != (n,):
        raise BadShapeError(
            f"bias has shape {tuple(bias.shape)}; it must have one element for each of the {n} columns."
        )


def _obstacle(dtype: str, activation: str, rows: int) -> str:
    if dtype not in products.DTYPES:
        return f"the kernel takes {' and '.join(products.DTYPES)}, not {dtype}"
    if activation not in products.ACTIVATIONS:
        return f"the kernel has no {activation}"
    return "" if rows else "there is nothing to multiply"


_OPERATOR = _Int4("gemm_int4", "(Tensor a, Tensor stored, Tensor scales, Tensor? bias, str activation) -> Tensor")
