"""hotloop makes compute kernels faster: measure, verify, explain, change one thing, compare, keep or revert.

The public names are loaded when they are first used, so that importing hotloop costs next to nothing.
"""

from __future__ import annotations

from hotloop.version import VERSION

TYPE_CHECKING = False  # typing takes longer to load than all that is here
if TYPE_CHECKING:
    from typing import Any

    from hotloop import ops
    from hotloop.api import CUDA, HIP, OpenCL, Tolerance, Work, empty, kernel
    from hotloop.offline_api import offline
    from hotloop.source_api import source

__version__ = VERSION
__all__ = [
    "CUDA",
    "HIP",
    "Descriptor",
    "Gluon",
    "OpenCL",
    "Tolerance",
    "Triton",
    "Work",
    "__version__",
    "bfloat16",
    "empty",
    "kernel",
    "offline",
    "ops",
    "source",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - lazy public names
    import importlib

    if name == "ops":
        return importlib.import_module("hotloop.ops")
    if name == "offline":
        return importlib.import_module("hotloop.offline_api").offline
    if name == "source":
        return importlib.import_module("hotloop.source_api").source
    if name in __all__:
        return getattr(importlib.import_module("hotloop.api"), name)
    raise AttributeError(f"module 'hotloop' has no attribute {name!r}")
