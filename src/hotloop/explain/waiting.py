"""What a device waits for that no kernel decides: other processes, in kernels of communication libraries; the host, between launches.

Work-groups of a communication library are channels that it chose, and most of their time they wait for other processes and for links: neither
is told by counters or times of one device. Pauses between launches are told by a trace of them.
"""

from __future__ import annotations

import re
from typing import Final

from hotloop import units
from hotloop.explain.code import is_copy
from hotloop.explain.material import Material
from hotloop.profiles.names import parsed
from hotloop.profiles.profile import Profile

_LIBRARY: Final = re.compile(
    r"(?:\w+::)*(?:nccl|rccl|msccl|nvshmem|rocshmem|oneccl|cross_device_reduce)", re.IGNORECASE
)
WORDS: Final = (
    "It is a collective: it waits for other processes and their links, which this device's times and counters do not tell; "
    "its times on all ranks, side by side, show who is late"
)
MUCH = 0.5
"""Share of the time between the first and the last launch from which standing still is worth a sentence."""
_FEWEST = 8
"""Launches below which a pause between them is as likely the person's own."""
_FILL = "memset"


def collective(kernel: str) -> bool:
    """Tell whether a kernel is a communication library's.

    >>> collective("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"), collective("void rcclGenericKernel<1, false>")
    (True, True)
    >>> collective("spmv_csr(float const*)")
    False
    """
    return _LIBRARY.match(parsed(kernel).base) is not None


def idle(material: Material) -> str:
    """Return that the device stands still for most of the time between its launches, as a clause; empty where nothing says so.

    Tools that count run launches one after another, so a profile with counters says nothing of pauses.
    """
    if any(kernel.counters for profile in material.profiles for kernel in profile.kernels):
        return ""
    return next((clause for profile in material.profiles if (clause := _clause(profile))), "")


def _clause(profile: Profile) -> str:
    launches = sum(kernel.dispatches for kernel in profile.kernels)
    if not profile.span_ns or launches < _FEWEST:
        return ""
    busy = _busy_ns(profile)
    share = 1 - busy / profile.span_ns
    if share < MUCH:
        return ""
    return (
        f"between its first and its last launch the device works {units.duration(busy)} of {units.duration(profile.span_ns)} under the "
        f"profiler: it stands still {units.percent(share)} of the time at least and waits for the host, so a faster kernel changes little"
    )


def _busy_ns(profile: Profile) -> float:
    """Return the time of kernels, copies and fills, as if none ran beside another: so it is at least the time in which the device worked."""
    kernels = sum(kernel.duration_ns.total for kernel in profile.kernels if kernel.duration_ns)
    return kernels + sum(c.duration_ns.total for c in profile.calls if is_copy(c) or _FILL in c.domain.lower())
