"""Runtime dispatch for users' programs: the best known configuration for device and shape, with the reason.

    from hotloop import ops
    c = ops.gemm(a, b)                                          # NumPy in, NumPy out
    print(ops.explain_choice("gemm", m=512, n=64, k=4096))      # which configuration, where it comes from, how near
    y = ops.attention(q, k, v, causal=True)                     # PyTorch tensors in and out; so do gemm and softmax
    print(ops.explain_choice("attention", q, k, v, causal=True))

Kernels run in the caller's process. Importing this package costs next to nothing; the first call opens the device and
compiles.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hotloop.ops.choice import Choice, Origin
    from hotloop.ops.explain import explain_choice
    from hotloop.ops.fp8 import gemm_fp8
    from hotloop.ops.multiply import gemm
    from hotloop.ops.network import attention, attention_packed, depthwise_conv3d, gemm_int4, pack_int4, softmax
    from hotloop.ops.operand import BadArrayError
    from hotloop.ops.renewal import refresh

_HOMES = {
    "BadArrayError": "operand",
    "Choice": "choice",
    "Origin": "choice",
    "attention": "network",
    "attention_packed": "network",
    "depthwise_conv3d": "network",
    "explain_choice": "explain",
    "gemm": "multiply",
    "gemm_fp8": "fp8",
    "gemm_int4": "network",
    "pack_int4": "network",
    "refresh": "renewal",
    "softmax": "network",
}
__all__ = [
    "BadArrayError",
    "Choice",
    "Origin",
    "attention",
    "attention_packed",
    "depthwise_conv3d",
    "explain_choice",
    "gemm",
    "gemm_fp8",
    "gemm_int4",
    "pack_int4",
    "refresh",
    "softmax",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - lazy public names
    if name not in _HOMES:
        raise AttributeError(f"module 'hotloop.ops' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"hotloop.ops.{_HOMES[name]}"), name)
    globals()[name] = value  # the next look-up is an ordinary attribute
    return value


def __dir__() -> list[str]:
    return __all__
