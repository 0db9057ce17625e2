"""Matrix products of NumPy arrays and PyTorch tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.dispatch.functions import Functions
from hotloop.kernels.gemm import arrays

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from hotloop.kernels.gemm.operand import Matrix

_multiply: Callable[..., Matrix] | None = None
"""Function of the module that imports PyTorch, set once that is imported: an import statement costs half a microsecond in every call."""


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
    if hasattr(a, "is_cuda") or hasattr(b, "is_cuda"):  # a tensor, told without importing PyTorch
        global _multiply  # noqa: PLW0603
        if _multiply is None:
            from hotloop.kernels.gemm.tensors import multiply

            _multiply = multiply
        return _multiply(a, b, alpha, beta, c, transpose_a, transpose_b, bias, activation, out, device)
    return arrays.multiply(
        a, b, alpha=alpha, beta=beta, c=c, transpose_a=transpose_a, transpose_b=transpose_b, bias=bias,
        activation=activation, out=out, device=device,
    )  # fmt: skip


OPERATOR = Functions((gemm,), "hotloop.kernels.gemm.tensors")
