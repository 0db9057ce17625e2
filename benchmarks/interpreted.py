"""Triton's interpreter with the arithmetic that it lacks: `mend()` before it runs.

Triton 3.9's rounds to 8-bit floats without a carry into the exponent, cuts off what bfloat16 does not hold, and adds, multiplies and contracts
bfloat16 as the whole numbers that its bits are. PyTorch converts instead; bfloat16 is computed in float32 and rounded.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import triton.language as tl
from triton.runtime import interpreter

FLOATS = {
    tl.bfloat16: torch.bfloat16, tl.float16: torch.float16, tl.float32: torch.float32, tl.float64: torch.float64,
    tl.float8e4nv: torch.float8_e4m3fn, tl.float8e5: torch.float8_e5m2, tl.float8e4b8: torch.float8_e4m3fnuz,
    tl.float8e5b16: torch.float8_e5m2fnuz,
}  # fmt: skip
BITS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
LARGEST = 448.0
"""Of float8e4nv, which Triton saturates to."""
BITWISE = ("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift")
CONVERT = interpreter._convert_float  # noqa: SLF001 - there is no other way in
PATCH = interpreter._patch_lang_tensor  # noqa: SLF001
BINARY, DOT = interpreter.InterpreterBuilder.binary_op, interpreter.InterpreterBuilder.create_dot


def converted(data: Any, source: Any, wanted: Any, rounding: Any) -> Any:
    """Return the bits of numbers in another type."""
    if source not in FLOATS or wanted not in FLOATS:
        return CONVERT(data, source, wanted, rounding)
    bits = torch.from_numpy(np.array(data, copy=True).reshape(-1).view(np.uint8)).view(FLOATS[source])
    wide = bits.double() if tl.float64 in (source, wanted) else bits.float()
    if wanted == tl.float8e4nv:
        wide = wide.clamp(-LARGEST, LARGEST)
    made = wide.to(FLOATS[wanted])
    return made.view(torch.uint8).numpy().view(BITS[made.element_size()]).reshape(np.shape(data))


def widened(handle: Any) -> Any:
    """Return bfloat16 as float32."""
    return converted(handle.data, tl.bfloat16, tl.float32, None).view(np.float32)


def binary(self: Any, left: Any, right: Any, op: Any) -> Any:
    """Compute with two operands."""
    if left.dtype.scalar != tl.bfloat16 or getattr(op, "__name__", "") in BITWISE:
        return BINARY(self, left, right, op)
    made = np.asarray(op(widened(left), widened(right)))
    if made.dtype == np.bool_:
        return interpreter.TensorHandle(made, tl.int1)
    return interpreter.TensorHandle(converted(made.astype(np.float32), tl.float32, tl.bfloat16, None), tl.bfloat16)


def dot(self: Any, left: Any, right: Any, sums: Any, precision: Any, imprecise: Any) -> Any:
    """Contract two operands."""
    if tl.bfloat16 not in (left.dtype.scalar, right.dtype.scalar):
        return DOT(self, left, right, sums, precision, imprecise)
    return interpreter.TensorHandle(np.matmul(widened(left), widened(right)) + sums.data, sums.dtype.scalar)


def indexed(tensor: Any, scope: Any) -> None:
    """Let numbers of one element be bounds of loops, which NumPy has refused since 2.4."""
    PATCH(tensor, scope)
    scope.set_attr(tensor, "__index__", lambda self: int(np.asarray(self.handle.data).reshape(-1)[0]))


def mend() -> None:
    """Put them in place of the interpreter's own."""
    interpreter._convert_float = converted  # noqa: SLF001
    interpreter.InterpreterBuilder.binary_op = binary
    interpreter.InterpreterBuilder.create_dot = dot
    interpreter._patch_lang_tensor = indexed  # noqa: SLF001
