"""The witness's operations on PyTorch's tensors: what each NumPy function of `far` means there."""

# ruff: noqa: ANN401, FBT001 - PyTorch is not installed everywhere, and not typed

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.drivers.torch import load, pin, unpin
from hotloop.errors import MissingExtraError

if TYPE_CHECKING:
    from numpy.typing import NDArray

SAME = [
    "add",
    "subtract",
    "multiply",
    "floor_divide",
    "remainder",
    "negative",
    "positive",
    "sign",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "square",
    "reciprocal",
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "arctan2",
    "sinh",
    "cosh",
    "tanh",
    "arcsinh",
    "arccosh",
    "arctanh",
    "hypot",
    "maximum",
    "minimum",
    "fmax",
    "fmin",
    "floor",
    "ceil",
    "trunc",
    "isfinite",
    "isnan",
    "isinf",
    "signbit",
    "copysign",
    "not_equal",
    "less",
    "less_equal",
    "greater",
    "greater_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
    "logical_not",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "matmul",
    "logaddexp",
]
"""Functions that have one name in both."""
OTHERS = {
    "divide": "true_divide", "power": "pow", "absolute": "abs", "fabs": "abs", "rint": "round", "equal": "eq", "invert": "bitwise_not",
    "left_shift": "bitwise_left_shift", "right_shift": "bitwise_right_shift",
}  # fmt: skip


_NUMBERS = 1024
"""Most constants (single numbers) that are kept on the device."""


def operations(torch: Any, device: str) -> dict[str, Callable[..., Any]]:
    """Return every operation by NumPy's name."""

    def elementwise(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*operands: Any) -> Any:
            kind = next(operand.dtype for operand in operands if isinstance(operand, torch.Tensor))
            return function(*(number(operand, kind) for operand in operands))

        return call

    @lru_cache(maxsize=_NUMBERS)  # each is a copy to the device, which waits for what is under way there
    def constant(value: Any, kind: Any, _text: str) -> Any:
        return torch.tensor(value, dtype=kind, device=device)

    def number(value: Any, kind: Any) -> Any:
        return value if isinstance(value, torch.Tensor) else constant(value, kind, repr(value))

    table = {name: elementwise(getattr(torch, name)) for name in SAME}
    table |= {name: elementwise(getattr(torch, other)) for name, other in OTHERS.items()}
    return {
        **table,
        "sign": lambda x: torch.where(torch.isnan(x), x, torch.sign(x)) if x.is_floating_point() else torch.sign(x),
        "cbrt": lambda x: torch.sign(x) * torch.abs(x) ** (1 / 3),
        "copy": lambda x: x.clone(),
        "assign": lambda target, x: target.copy_(x),
        "getitem": lambda x, index: _indexed(torch, x, index),
        "setitem": _put,
        "reshape": lambda x, shape: x.reshape(shape),
        "erf": torch.erf,
        "strided": lambda x, shape, steps, offset: torch.as_strided(x, shape, steps, x.storage_offset() + offset),
        "transpose": lambda x, order: x.permute(order),
        "sum": lambda x, axes, kept: x.sum(axes, keepdim=kept) if axes else x.clone(),
        "mean": lambda x, axes, kept: x.mean(axes, keepdim=kept),
        "var": lambda x, axes, kept: x.var(axes, correction=0, keepdim=kept),
        "std": lambda x, axes, kept: x.std(axes, correction=0, keepdim=kept),
        "max": lambda x, axes, kept: torch.amax(x, axes, keepdim=kept),
        "min": lambda x, axes, kept: torch.amin(x, axes, keepdim=kept),
        "any": lambda x, axes, kept: _each(x, axes, torch.any, kept),
        "all": lambda x, axes, kept: _each(x, axes, torch.all, kept),
        "prod": lambda x, axes, kept: _each(x, axes, torch.prod, kept),
        "where": lambda chosen, operand, other, dtype: torch.where(
            chosen, number(operand, dtype), number(other, dtype)
        ),
        "einsum": torch.einsum,
        "tril": torch.tril,
        "triu": torch.triu,
        "full": lambda shape, value, dtype: torch.full(shape, value, dtype=dtype, device=device),
        "expand_dims": torch.unsqueeze,
        "broadcast_to": torch.broadcast_to,
        "concatenate": torch.cat,
        "stack": torch.stack,
        "repeat": lambda x, times, axis: x.repeat_interleave(times, axis),
        "cumsum": torch.cumsum,
        "flip": lambda x, axis: torch.flip(x, (axis,)),
        "sort": lambda x, axis: torch.sort(x, axis).values,
    }


def _each(x: Any, axes: Sequence[int], reduce: Callable[..., Any], kept: bool) -> Any:
    for axis in sorted(axes, reverse=True):
        x = reduce(x, axis, keepdim=kept)
    return x


def _indexed(torch: Any, x: Any, index: tuple[Any, ...]) -> Any:
    """Return elements as NumPy does; a slice that goes backwards is taken forwards and turned."""
    backwards = [subscript for subscript in index if isinstance(subscript, slice) and (subscript.step or 1) < 0]
    if not backwards:
        return x[index]
    if any(not isinstance(subscript, int | slice) for subscript in index):
        raise ValueError("backwards, and by other arrays")
    turned, kept = [], 0
    forward = []
    for place, subscript in enumerate(index):
        if isinstance(subscript, slice) and (subscript.step or 1) < 0:
            taken = range(*subscript.indices(x.shape[place]))
            forward.append(slice(taken[-1], taken[0] + 1, -taken.step) if taken else slice(0, 0))
            turned.append(kept)
        else:
            forward.append(subscript)
        kept += isinstance(subscript, slice)
    return torch.flip(x[tuple(forward)], turned)


def _put(x: Any, index: tuple[Any, ...], value: Any) -> Any:
    x[index] = value
    return x


def preload() -> None:
    """Import PyTorch, which takes seconds, if it is there."""
    with suppress(MissingExtraError):
        load()


class Torched:
    """Tensors of one device, and what the witness does with them."""

    def __init__(self, device: str) -> None:
        self._torch = load()
        self._device = device if device == "cpu" else f"cuda:{device or 0}"
        for matrices in (self._torch.backends.cuda.matmul, self._torch.backends.cudnn):
            matrices.allow_tf32 = False  # a reference has all its bits
        self.table = operations(self._torch, self._device)
        self.load_bytes(np.zeros(1, np.uint8))  # a device that does not answer says so now

    @property
    def version(self) -> str:
        """Return what computes here, in words."""
        return f"PyTorch {self._torch.__version__} on {self._device}"

    def load_bytes(self, payload: NDArray[np.uint8]) -> Any:
        """Return bytes as a tensor of their own."""
        return self._torch.from_numpy(payload).to(self._device, copy=True)

    def pin(self, array: NDArray[np.uint8]) -> None:
        """Lock pages of the host in memory, from which copies to a GPU are faster."""
        if self._device != "cpu":
            pin(array)

    def unpin(self, array: NDArray[np.uint8]) -> None:
        """Release locked pages."""
        if self._device != "cpu":
            unpin(array)

    def load(self, payload: NDArray[np.uint8], dtype: str, shape: Sequence[int]) -> Any:
        """Return an array's bytes as a tensor. Raises KeyError for a type that the device does not know."""
        kind = self.kind(dtype)
        return self.load_bytes(payload).view(kind).reshape(tuple(shape))

    def kind(self, dtype: str) -> Any:
        """Return PyTorch's type of a name. Raises KeyError."""
        dtype_of_torch = getattr(self._torch, dtype, None)
        if dtype not in _TYPES or dtype_of_torch is None:
            raise KeyError(f"no type {dtype}")
        return dtype_of_torch

    def cast(self, x: Any, dtype: str) -> Any:
        """Return a tensor in a type, the same one where it has it."""
        return x.to(self.kind(dtype))

    def bytes(self, x: Any) -> NDArray[np.uint8]:
        """Return a tensor's elements in their order, as bytes."""
        return x.contiguous().reshape(-1).view(self._torch.uint8).cpu().numpy()  # type: ignore[no-any-return]

    def told(self, x: Any) -> tuple[str, list[int]]:
        """Return type and shape."""
        return str(x.dtype).removeprefix("torch."), list(x.shape)

    def tidy(self) -> None:
        """Give memory that nothing holds back to the device: the candidates need it."""
        if self._device != "cpu":
            self._torch.cuda.empty_cache()

    def within(self, actual: Any, reference: Any, magnitude: Any, bound: Sequence[float]) -> list[float] | None:
        """Return the measures of a result that is within its bounds everywhere, None for any other.

        That is: largest error, largest ratio of error to bound, and the sums of squares of error, reference and result, and of
        the products of both. In float64, by the formulas of `hotloop.verify.tolerance.Bound` and `hotloop.verify.compare`.
        """
        torch, parts = self._torch, []
        relative, absolute, rounding = bound
        flat: list[Any] = [None if values is None else values.reshape(-1) for values in (actual, reference, magnitude)]
        for begin in range(0, flat[0].numel(), _PIECE):
            piece: list[Any] = [
                None if values is None else values[begin : begin + _PIECE].to(torch.float64) for values in flat
            ]
            value, due, scale = piece
            error = value - due
            allowed = relative * (due.abs() if scale is None else scale) + rounding * due.abs() + absolute
            away = error.abs()
            ratio = torch.where(away == 0, 0.0, away / allowed)
            right = (torch.isfinite(value) & torch.isfinite(due) & (ratio <= 1.0)).all()
            sums = [torch.dot(error, error), torch.dot(due, due), torch.dot(value, value), torch.dot(value, due)]
            parts.append(torch.stack([right.to(torch.float64), away.max(), ratio.max(), *sums]))
        rows = torch.stack(parts).cpu().numpy()
        if not (rows[:, 0] == 1.0).all() or not np.isfinite(rows).all():
            return None
        return [*rows[:, 1:3].max(0).tolist(), *rows[:, 3:].sum(0).tolist()]


_PIECE = 1 << 25
"""Elements that are compared at once: a quarter of a gigabyte in float64."""
_TYPES = frozenset(
    [
        "bool",
        "uint8",
        "int8",
        "int16",
        "int32",
        "int64",
        "float16",
        "bfloat16",
        "float32",
        "float64",
        "float8_e4m3fn",
        "float8_e5m2",
        "float8_e4m3fnuz",
        "float8_e5m2fnuz",
    ]
)
