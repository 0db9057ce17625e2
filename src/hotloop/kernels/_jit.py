"""Shared by families with Triton and Gluon kernels: module text, shared-memory swizzles, dependent launches."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from hotloop.kernels import _text
from hotloop.model.device import Device
from hotloop.model.record import digest
from hotloop.model.space import Config
from hotloop.targets.machine import nvidia
from hotloop.targets.target import Target

SHARED_BYTES = nvidia("sm_90").shared_block_bytes
"""Largest shared memory of a block with compute capability 9.0; devices with less are checked when a program is planned."""
GROUP_THREADS = 4 * nvidia("sm_90").warp
"""Threads of a warp group, which multiply together: PTX ISA, wgmma."""
_CHAINS = 90
"""Compute capability times ten from which programmatic dependent launch exists: CUDA programming guide."""
ALIGNED_BYTES = 16
"""Alignment of rows and of the first element that the tensor memory accelerator needs: CUDA driver API, cuTensorMapEncodeTiled."""
LEAST_CAPABILITY = 80
"""Compute capability, times ten, from which matrix instructions take bfloat16: no kernel here is made for older GPUs."""
_SWIZZLES = (128, 64, 32)
"""Bytes of a row that the tensor memory accelerator swizzles: CUDA driver API, cuTensorMapEncodeTiled."""


def text(module: str) -> str:
    """Return a module's text without importing it: it needs Triton."""
    package, _, name = module.rpartition(".")
    return _text.read(package, f"{name}.py")


@cache
def uses(*modules: str) -> Mapping[str, str]:
    """Return digests of the modules that a source imports, so that a change in them changes the program's fingerprint."""
    return {module: digest([text(module)]) for module in modules}


def chained(config: Config, device: Device) -> Mapping[str, object]:
    """Return the launch option that starts a kernel while the previous one ends; the kernel itself waits before it reads.

    Devices without programmatic dependent launch get no option, whatever the configuration's CHAIN is.
    """
    knows = Target.of(device.target).at_least(_CHAINS) and not device.interpreted
    chain = config.integer("CHAIN") if knows else 0
    return {"CHAIN": chain, "launch_pdl": True} if chain else {"CHAIN": 0}


def swizzled(columns: int, element_bytes: int) -> str:
    """Return Gluon's layout of a block in shared memory with the widest swizzle that its rows allow, as an expression.

    >>> swizzled(128, 1), swizzled(16, 2)
    ('NVMMASharedLayout(128, 8)', 'NVMMASharedLayout(32, 16)')
    """
    width = next(width for width in _SWIZZLES if columns * element_bytes % width == 0)
    return f"NVMMASharedLayout({width}, {8 * element_bytes})"
