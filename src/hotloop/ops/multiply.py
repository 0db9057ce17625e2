"""Matrix products of NumPy arrays: arguments checked, layouts recognised, one prepared program launched."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hotloop.dispatch.activation import activation as named
from hotloop.dispatch.activation import epilogue
from hotloop.errors import BadArrayError, BadShapeError, UsageError
from hotloop.ops import operand
from hotloop.ops.operand import DTYPES, Matrix, Stored
from hotloop.ops.session import Session, session

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from hotloop.model.problem import Problem
    from hotloop.ops.family import Family


def gemm(
    a: ArrayLike,
    b: ArrayLike,
    *,
    alpha: float = 1.0,
    beta: float = 0.0,
    c: Matrix | None = None,
    transpose_a: bool = False,
    transpose_b: bool = False,
    bias: Matrix | None = None,
    activation: str = "none",
    out: Matrix | None = None,
    device: str = "",
) -> Matrix:
    """Return ``activation(alpha · op(a) · op(b) + beta · c + bias)`` with the best configuration known for the shape.

    Row-major, column-major and strided arrays with unit inner stride are used where they lie; others are copied first.
    PyTorch tensors give a tensor on their own device: bfloat16 and float16 on NVIDIA GPUs run in hotloop's kernels where
    those are known to be good, everything else in PyTorch; `explain_choice` says which and why.

    Args:
        a: m by k matrix (k by m with `transpose_a`) of float16, float32 or float64; float16 where the device has it.
        b: k by n matrix (n by k with `transpose_b`) of the same type.
        alpha: factor of the product; with 0 neither `a` nor `b` is read.
        beta: factor of `c`; with 0 `c` is not read.
        c: m by n matrix that is added; it stays as it is unless it is also `out`.
        transpose_a: whether op(a) is the transpose of `a`.
        transpose_b: whether op(b) is the transpose of `b`.
        bias: n elements, one added to each column.
        activation: ``none``, ``relu``, ``gelu`` (exact, by erf), ``gelu-tanh`` or ``silu``.
        out: m by n matrix that receives the result and is returned; default: a new C-order array.
        device: part of a device's name or runtime; default: HOTLOOP_DEVICE, else the best that works.

    Raises:
        BadShapeError: shapes do not go together.
        BadArrayError: an argument is no matrix of floats, types differ, or `out` cannot be written.
        UnknownNameError: no such activation.
        UsageError: the device cannot compute this, for example float16 where it has none.
        NoDeviceError: no OpenCL device works; see ``hotloop doctor``.
    """
    if any(hasattr(one, "is_cuda") for one in (a, b)):  # a tensor, told without importing PyTorch
        from hotloop.ops.tensors import gemm as tensors

        made: Matrix = tensors.gemm(
            a, b, alpha=alpha, beta=beta, c=c, transpose_a=transpose_a, transpose_b=transpose_b, bias=bias,
            activation=activation, out=out, device=device,
        )  # fmt: skip
        return made
    left, right = operand.matrix("a", a), operand.matrix("b", b)
    m, n, k = _sizes(left, right, transpose_a, transpose_b)
    if bias is not None:
        bias = _vector(bias, n, left)
    function = named(activation)
    target = _target(out, c, beta, (m, n), left)
    if m and n:
        place = _place(target, (left, right, bias), given=out is not None)
        if c is not None and beta != 0 and place is not c:
            np.copyto(place, c)
        call = _Call(m, n, k, bool(transpose_a), bool(transpose_b), float(alpha), float(beta), function)
        call.run(session(device), left, right, bias, place)
        if place is not target:
            np.copyto(target, place)
    return target


class _Call(NamedTuple):
    """One product: what of it, besides the operands' layout, decides which program runs."""

    m: int
    n: int
    k: int
    transpose_a: bool
    transpose_b: bool
    alpha: float
    beta: float
    activation: str

    def run(self, opened: Session, left: Matrix, right: Matrix, bias: Matrix | None, place: Matrix) -> None:
        """Write the product to `place`, whose elements lie in a usable way."""
        lay = operand.readable if opened.in_place else operand.tight
        a, b, c = lay(left), lay(right), lay(place)
        name, finish = DTYPES[left.dtype], epilogue(self.activation, bias=bias is not None)
        key = (self, name, finish, a.flipped, b.flipped, c.flipped, a.ld, b.ld, c.ld)
        prepared = opened.prepared(key, _family, partial(self._problem, name, finish, a, b, c))
        reads = self.k > 0 and self.alpha != 0
        inputs = {"a": a.memory if reads else c.memory, "b": b.memory if reads else c.memory}
        if bias is not None:
            inputs["bias"] = bias
        prepared.run(inputs, "c", c.memory)
        if not opened.in_place and not np.may_share_memory(c.memory, place):
            np.copyto(place, c.memory)

    def _problem(self, dtype: str, finish: str, a: Stored, b: Stored, c: Stored) -> Problem:
        """Return the problem in the layout of the result.

        A matrix that lies the other way round is its own transpose, so its letter turns: no data move.
        """
        letters = (
            "t" if self.transpose_a != (a.flipped != c.flipped) else "n",
            "t" if self.transpose_b != (b.flipped != c.flipped) else "n",
        )
        return _family().kernel.problem.replace(
            m=self.m,
            n=self.n,
            k=self.k,
            dtype=dtype,
            layout="col" if c.flipped else "row",
            op="".join(letters),
            alpha=self.alpha,
            beta=self.beta,
            epilogue=finish,
            lda=a.ld,
            ldb=b.ld,
            ldc=c.ld,
        )


def _family() -> Family:
    from hotloop.ops.family import find

    return find("gemm")


def _sizes(left: Matrix, right: Matrix, transpose_a: bool, transpose_b: bool) -> tuple[int, int, int]:  # noqa: FBT001
    """Return m, n and k."""
    m, k = left.shape[::-1] if transpose_a else left.shape
    rows, n = right.shape[::-1] if transpose_b else right.shape
    if left.dtype != right.dtype:
        raise BadArrayError(f"a is {left.dtype} and b is {right.dtype}; convert one of them with astype().")
    if k != rows:
        raise BadShapeError(
            f"op(a) is {m} by {k} and op(b) is {rows} by {n}: the columns of op(a) must equal the rows of op(b)."
        )
    return m, n, k


def _vector(bias: object, n: int, like: Matrix) -> Matrix:
    """Return the bias as contiguous elements."""
    array = np.asarray(bias)
    if array.shape != (n,):
        raise BadShapeError(f"bias has shape {array.shape}; it must have one element for each of the {n} columns.")
    if array.dtype != like.dtype:
        raise BadArrayError(f"bias is {array.dtype} and a is {like.dtype}; convert it with astype().")
    return array if array.flags.c_contiguous and array.flags.aligned else np.array(array)


def _target(out: object, c: object, beta: float, shape: tuple[int, int], like: Matrix) -> Matrix:
    """Return the array that receives the result, and check `c`."""
    if beta != 0:
        if c is None:
            raise UsageError(f"beta is {beta:g} but there is no c to multiply; pass c=, or leave beta at 0.")
        _check("c", c, shape, like)
    if out is None:
        return operand.empty(*shape, like.dtype)
    made = _check("out", out, shape, like)
    if not made.flags.writeable:
        raise BadArrayError("out is read-only.")
    return made


def _check(name: str, value: object, shape: tuple[int, int], like: Matrix) -> Matrix:
    if not isinstance(value, np.ndarray):
        raise BadArrayError(f"{name} must be a NumPy array, not {type(value).__name__}.")
    if value.shape != shape:
        raise BadShapeError(f"{name} has shape {value.shape}; the product has shape {shape}.")
    if value.dtype != like.dtype:
        raise BadArrayError(f"{name} is {value.dtype} and a is {like.dtype}; they must be the same type.")
    return value


def _place(target: Matrix, others: tuple[Matrix | None, ...], *, given: bool) -> Matrix:
    """Return where the kernel writes: the target itself, or new memory when it lies unusably or under an input."""
    if not given:
        return target
    overlaps = any(np.may_share_memory(target, other) for other in others if other is not None)
    if overlaps or operand.stored(target) is None:
        return operand.empty(target.shape[0], target.shape[1], target.dtype)
    return target
