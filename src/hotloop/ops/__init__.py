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
    from hotloop.dispatch.choice import Choice as Choice
    from hotloop.dispatch.choice import Origin as Origin
    from hotloop.errors import BadArrayError as BadArrayError
    from hotloop.kernels.attention.operator import attention as attention
    from hotloop.kernels.attention_packed.operator import attention_packed as attention_packed
    from hotloop.kernels.conv3d_depthwise.operator import depthwise_conv3d as depthwise_conv3d
    from hotloop.kernels.gemm.operator import gemm as gemm
    from hotloop.kernels.gemm_batched.operator import gemm_batched as gemm_batched
    from hotloop.kernels.gemm_batched.operator import gemm_grouped as gemm_grouped
    from hotloop.kernels.gemm_fp8.operator import gemm_fp8 as gemm_fp8
    from hotloop.kernels.gemm_int4.operator import gemm_int4 as gemm_int4
    from hotloop.kernels.gemm_int4.operator import pack_int4 as pack_int4
    from hotloop.kernels.reduction.operator import softmax as softmax
    from hotloop.ops.asking import explain_choice as explain_choice
    from hotloop.ops.entry import explain as explain
    from hotloop.ops.entry import use as use
    from hotloop.ops.entry import used as used
    from hotloop.ops.entry import warm as warm
    from hotloop.ops.recording import record as record
    from hotloop.ops.renewal import refresh as refresh

HOMES = {
    "BadArrayError": "errors",
    "Choice": "dispatch.choice",
    "Origin": "dispatch.choice",
    "explain": "ops.entry",
    "explain_choice": "ops.asking",
    "record": "ops.recording",
    "refresh": "ops.renewal",
    "use": "ops.entry",
    "used": "ops.entry",
    "warm": "ops.entry",
}
"""Modules of the names that no kernel family provides; the registry finds the others. The imports above, which only type
checkers read, are written by ``docs/generate.py``."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - lazy public names
    if name == "__all__":
        return __dir__()
    if name.startswith("_"):
        raise AttributeError(f"module 'hotloop.ops' has no attribute {name!r}")
    functions = importlib.import_module("hotloop.ops.functions").public()
    if name in HOMES:
        value = getattr(importlib.import_module(f"hotloop.{HOMES[name]}"), name)
    elif name in functions:
        value = functions[name]
    else:
        raise AttributeError(f"module 'hotloop.ops' has no attribute {name!r}")
    globals()[name] = value  # the next look-up is an ordinary attribute
    return value


def __dir__() -> list[str]:
    return sorted([*HOMES, *importlib.import_module("hotloop.ops.functions").public()])
