"""``hotloop::gemm_int4``: products of 16-bit activations with weights of 4 bits and a scale for each 128 of them."""

# mypy: disable-error-code="untyped-decorator"
from __future__ import annotations

from dataclasses import asdict
from functools import partial

from hotloop.errors import BadShapeError
from hotloop.kernels.gemm import int4
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.ops.activation import activation as named
from hotloop.ops.choice import Candidate, Choice, Origin
from hotloop.ops.operand import BadArrayError
from hotloop.ops.tensors import common, gemm, place, products
from hotloop.ops.tensors.common import NO_GRADIENT, torch
from hotloop.ops.tensors.select import PEER, Asked, own, select

FUNCTION = "torch.matmul on widened weights"
WEIGHTS4 = "weights4"
_LEAST_CAPABILITY = 80


def pack_int4(weight: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return stored weights and scales of a matrix [k, n], rounded to the nearest of 15 steps of each group.

    Raises:
        BadShapeError: k or n is no multiple of a block.
        BadArrayError: `weight` is no matrix of floats.
    """
    common.tensors(weight=weight)
    if weight.dim() != gemm.MATRIX:
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
    given = (a, stored, scales, bias, named(activation))
    if common.wants_gradient(a=a, stored=stored, scales=scales, bias=bias):
        _check(*given[:4])
        if not torch.compiler.is_compiling():
            _choice(a, scales.shape[1], given[4], gradient=True)
        with common.as_given(a):
            return _own(*given)
    made: torch.Tensor = _made(*given) if common.direct(*given[:4]) else torch.ops.hotloop.gemm_int4(*given)
    return made


def explain(
    a: torch.Tensor,
    stored: torch.Tensor,
    scales: torch.Tensor,
    *,
    bias: torch.Tensor | None = None,
    activation: str = "none",
) -> Choice:
    """Return what `gemm_int4` would run for the same arguments, and why."""
    gradient = common.wants_gradient(a=a, stored=stored, scales=scales, bias=bias)
    _check(a, stored, scales, bias)
    return _choice(a, scales.shape[1], named(activation), gradient=gradient)


@torch.library.custom_op("hotloop::gemm_int4", mutates_args=())
def _gemm_int4(
    a: torch.Tensor, stored: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor | None, activation: str
) -> torch.Tensor:
    with common.as_given(a):
        return _made(a, stored, scales, bias, activation)


def _made(
    a: torch.Tensor, stored: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor | None, activation: str
) -> torch.Tensor:
    _check(a, stored, scales, bias)
    choice = _choice(a, scales.shape[1], activation)
    if choice.implementation == PEER:
        return _own(a, stored, scales, bias, activation)
    try:
        return _run(choice, a, stored, scales, bias, activation)
    except Exception as error:
        trouble = common.compile_trouble(error)
        if not trouble:
            raise
        asked = Asked(problem=choice.problem, device=choice.device, function=FUNCTION, weights={})
        why = f"{choice.implementation} cannot run here: {trouble}"
        place.replace(_key(choice.problem, activation, a, gradient=False), own(asked, why, choice.notes))
        return _own(a, stored, scales, bias, activation)


def _run(
    choice: Choice,
    a: torch.Tensor,
    stored: torch.Tensor,
    scales: torch.Tensor,
    bias: torch.Tensor | None,
    activation: str,
) -> torch.Tensor:
    from hotloop.ops.tensors import int4_launch

    a = a if a.stride(1) == 1 and a.stride(0) >= a.shape[1] else a.contiguous()
    return int4_launch.run(
        int4.Plan(**dict(choice.config)),  # type: ignore[arg-type]
        a,
        stored.contiguous(),
        scales.contiguous(),
        None if bias is None else bias.contiguous(),
        activation,
    )


@_gemm_int4.register_fake
def _fake(
    a: torch.Tensor, stored: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor | None, activation: str
) -> torch.Tensor:
    del activation
    _check(a, stored, scales, bias)
    return a.new_empty((a.shape[0], scales.shape[1]))


_gemm_int4.register_autograd(common.no_backward("gemm_int4"))


def _blocks(k: int, n: int) -> None:
    if k % int4.GROUP or n % int4.COLUMNS or not k or not n:
        raise BadShapeError(
            f"a weight of {k} by {n} cannot be stored: k must be a multiple of 128, n of 64; pad with zeros."
        )


def _check(a: torch.Tensor, stored: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor | None) -> None:
    common.tensors(a=a, scales=scales, bias=bias)
    common.tensor("stored", stored)
    if a.dim() != gemm.MATRIX or scales.dim() != gemm.MATRIX:
        raise BadArrayError(f"a and scales must be matrices; they have {a.dim()} and {scales.dim()} dimensions.")
    groups, n = scales.shape
    _blocks(groups * int4.GROUP, n)
    wanted = (groups, n // int4.COLUMNS, int4.BLOCK_BYTES)
    if stored.dtype != torch.uint8 or stored.device != a.device or tuple(stored.shape) != wanted:
        raise BadArrayError(
            f"stored weights are {common.text(stored.dtype)} of {tuple(stored.shape)} on {stored.device}; these scales go with "
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


def _choice(a: torch.Tensor, n: int, activation: str, *, gradient: bool = False) -> Choice:
    problem = Problem("gemm", Record(m=a.shape[0], n=n, k=a.shape[1], dtype=common.text(a.dtype), weights="int4"))
    key = _key(problem, activation, a, gradient=gradient)
    return place.remembered(key, partial(_choose, problem, activation, a, gradient=gradient))


def _key(problem: Problem, activation: str, a: torch.Tensor, *, gradient: bool) -> tuple[object, ...]:
    return (problem, activation, a.device, gradient)


def _choose(problem: Problem, activation: str, a: torch.Tensor, *, gradient: bool) -> Choice:
    device = place.facts(a, "triton")
    known = place.elsewhere(a) if isinstance(device, str) else device
    asked = Asked(problem=problem, device=known, function=FUNCTION, weights={})
    why = device if isinstance(device, str) else _obstacle(a, activation, device.target)
    if why := NO_GRADIENT if gradient else why:
        return own(asked, why)
    cut = int4.plan(a.shape[0], int(problem.sizes["n"]), a.shape[1], known.compute_units)
    config = Config(asdict(cut))
    start = Candidate(
        origin=Origin.START,
        implementation=WEIGHTS4,
        config=config,
        sizes=Record(),
        source="cut to fill the device, a rule",
    )
    return select(asked, (), start, lambda one: one.config)


def _obstacle(a: torch.Tensor, activation: str, target: str) -> str:
    digits = target.removeprefix("sm_")
    if not digits.isdigit() or int(digits) < _LEAST_CAPABILITY:
        return f"the kernel is for NVIDIA GPUs from compute capability 8.0 on, not {target}"
    if common.text(a.dtype) not in products.DTYPES:
        return f"the kernel takes {' and '.join(products.DTYPES)}, not {common.text(a.dtype)}"
    if activation not in products.ACTIVATIONS:
        return f"the kernel has no {activation}"
    return "" if a.shape[0] else "there is nothing to multiply"


def _own(
    a: torch.Tensor, stored: torch.Tensor, scales: torch.Tensor, bias: torch.Tensor | None, activation: str
) -> torch.Tensor:
    total = torch.matmul(a, widened(stored, scales))
    return gemm.activated(total if bias is None else total + bias, activation)
