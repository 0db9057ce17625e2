"""What tells whether a program, its device and its software are what they were."""

from __future__ import annotations

import hashlib
import inspect
import sys
from functools import lru_cache
from typing import Any


def own_text(function: Any) -> str:  # noqa: ANN401
    """Return the fingerprint of a function as it stands in its file, and of what it closes over."""
    from hotloop.languages.enclosed import fingerprints

    closed = "".join(f"\n{name}: {value}" for name, value in sorted(fingerprints(function).items()))
    return hashlib.sha256((inspect.getsource(function) + closed).encode()).hexdigest()[:16]


def versions() -> str:
    """Return the versions that a Triton kernel's speed depends on."""
    parts = [
        f"{name} {getattr(sys.modules[name], '__version__', '')}" for name in ("triton", "torch") if name in sys.modules
    ]
    return ", ".join(parts)


def device(*, interpreted: bool) -> str:
    """Return the name of what Triton launches on."""
    torch = sys.modules.get("torch")
    return "Triton's interpreter" if interpreted or torch is None else str(torch.cuda.get_device_name())


@lru_cache(maxsize=512)
def signature(function: Any) -> inspect.Signature:  # noqa: ANN401
    """Return a function's parameters; to ask Python anew takes longer than a launch."""
    return inspect.signature(function)
