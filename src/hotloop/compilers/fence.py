"""The memory fence that HIP's headers up to 5.x call, as LLVM IR: it is in no library that pip installs.

AMD's ``opencl.bc`` defines ``__atomic_work_item_fence`` by a fence of that order and scope; the memory orders and scopes are
numbered as in OpenCL C 2.0. A fence with a constant order and scope is what is left of it once it is inlined.
"""

from __future__ import annotations

from itertools import product

_ORDERS = {2: "acquire", 3: "release", 4: "acq_rel", 5: "seq_cst"}
"""By the numbers of ``memory_order``; relaxed is 0 and needs no fence."""
_SCOPES = {1: "workgroup", 2: "agent", 3: "", 4: "wavefront"}
"""By the numbers of ``memory_scope``; a single work-item is 0 and needs no fence, all devices are LLVM's scope without a name."""


def _block(order: int, scope: int) -> str:
    named = f'syncscope("{_SCOPES[scope]}") ' if _SCOPES[scope] else ""
    return f"f{order}{scope}:\n  fence {named}{_ORDERS[order]}\n  ret void"


def _text() -> str:
    pairs = tuple(product(_ORDERS, _SCOPES))
    cases = " ".join(f"i32 {order * 8 + scope}, label %f{order}{scope}" for order, scope in pairs)
    return "\n".join(
        (
            "define linkonce_odr hidden void @__atomic_work_item_fence(i32 %flags, i32 %order, i32 %scope) alwaysinline convergent nounwind {",
            "  %high = shl i32 %order, 3",
            "  %which = or i32 %high, %scope",
            f"  switch i32 %which, label %none [{cases}]",
            *(_block(*pair) for pair in pairs),
            "none:\n  ret void\n}\n",
        )
    )


TEXT = _text()
"""The definition, to be linked where the text of a kernel asks for it."""
