"""Matrix products of NumPy arrays: arguments checked, layouts recognised, one prepared program launched."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from hotloop.dispatch import place as places
from hotloop.dispatch import watching
from hotloop.dispatch.activation import activation as named
from hotloop.dispatch.activation import epilogue
from hotloop.errors import BadArrayError, BadShapeError, UsageError
from hotloop.kernels.gemm import operand
from hotloop.kernels.gemm.operand import DTYPES, Matrix, Stored

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from hotloop.dispatch.family import Family
    from hotloop.dispatch.place import Session
    from hotloop.model.problem import Problem


def multiply(
    a: ArrayLike, b: ArrayLike, *, alpha: float, beta: float, c: Matrix | None, transpose_a: bool, transpose_b: bool,
    bias: Matrix | None, activation: str, out: Matrix | None, device: str,
) -> Matrix:  # fmt: skip
    """Return the product of arrays; see `hotloop.ops.gemm`."""
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
        call.run(places.session(device), left, right, bias, place)
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
        began = time.perf_counter_ns() if watching.WATCHERS else 0
        prepared.run(inputs, "c", c.memory)
        for watcher in watching.WATCHERS:
            watcher(self._problem(name, finish, a, b, c), float(time.perf_counter_ns() - began))
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
    from hotloop.kernels.gemm.family import FAMILY

    return FAMILY


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
