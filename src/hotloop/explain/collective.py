"""Kernels of communication libraries, which rules about a kernel's own work do not fit.

Their work-groups are channels that the library chose, and most of their time they wait for other processes and for links: neither
is told by counters or times of one device.
"""

from __future__ import annotations

import re
from typing import Final

from hotloop.profiles.names import parsed

_LIBRARY: Final = re.compile(
    r"(?:\w+::)*(?:nccl|rccl|msccl|nvshmem|rocshmem|oneccl|cross_device_reduce)", re.IGNORECASE
)
WORDS: Final = (
    "It is a collective: it waits for other processes and their links, which this device's times and counters do not tell; "
    "its times on all ranks, side by side, show who is late"
)


def collective(kernel: str) -> bool:
    """Tell whether a kernel is a communication library's.

    >>> collective("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)"), collective("void rcclGenericKernel<1, false>")
    (True, True)
    >>> collective("spmv_csr(float const*)")
    False
    """
    return _LIBRARY.match(parsed(kernel).base) is not None
