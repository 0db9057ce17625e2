"""Asking Nsight Compute for its full set of metrics; it replays each launch, so one run of the program is enough.

Clocks are left alone (``--clock-control none``): locking them needs rights, changes the machine for others, and gives
times of clocks at which the kernel never runs. ``--launch-skip`` counts launches of the selected kernel only.
"""

from __future__ import annotations

import re
from typing import Final

from hotloop.profilers.collector import PATTERN, Collector, Refusal, Run, Vendor, Wanted

PAGE: Final = "ncu.csv"
_REFUSALS: Final = (
    (
        re.compile(r"ERR_NVGPUCTRPERM|does not have permission to access NVIDIA GPU Performance Counters"),
        Refusal(
            "this user may not read NVIDIA's performance counters",
            "run as root, or set 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' in /etc/modprobe.d and reboot "
            "(in a container: --cap-add=SYS_ADMIN)",
        ),
    ),
    (
        re.compile(r"LibraryNotLoaded|Failed to initialize the profiler"),
        Refusal(
            "the driver's profiling library cannot be loaded here, as in some sandboxes and virtual GPUs",
            "run on a machine or in a container that passes the whole driver through",
        ),
    ),
    (
        re.compile(r"[Dd]river resource was unavailable|ResourceUnavailable"),
        Refusal("another tool holds the GPU's counters", "stop it, for DCGM with 'dcgmi profile --pause'"),
    ),
    (
        re.compile(r"==ERROR== (?:Cuda driver is not compatible|Unsupported GPU|The driver version)", re.IGNORECASE),
        Refusal("this version of ncu does not fit the driver or the GPU", "install the Nsight Compute of the driver's CUDA version"),
    ),
    (
        re.compile(r"No kernels were profiled"),
        Refusal("ncu saw no launch of the kernel", "check --kernel, --skip and that the program uses CUDA: OpenCL is not seen"),
    ),
)  # fmt: skip


def runs(wanted: Wanted, folder: str) -> tuple[Run, ...]:
    """Return the one run; with counters named, only those are collected."""
    chosen = ("--metrics", ",".join(wanted.counters)) if wanted.counters else ("--set", "full")
    kernel = ("--kernel-name", _filter(wanted.kernel)) if wanted.kernel else ()
    skip = ("--launch-skip", str(wanted.skip)) if wanted.skip else ()
    return (
        Run(
            name="all metrics",
            arguments=(
                *chosen, "--csv", "--page", "raw", "--clock-control", "none", "--target-processes", "all", *kernel, *skip,
                "--launch-count", str(wanted.most), "--force-overwrite", "--log-file", f"{folder}/{PAGE}", *wanted.command,
            ),
            results=(PAGE,),
            counters=wanted.counters,
            filtered=True,
        ),
    )  # fmt: skip


def _filter(kernel: str) -> str:
    """Return the filter as ncu spells it; a name with arguments or templates is found by its function."""
    return kernel if kernel.startswith(PATTERN) else re.split(r"[<(]", kernel, maxsplit=1)[0].rpartition("::")[2]


COLLECTORS = (
    Collector(
        name="ncu", vendor=Vendor.NVIDIA, rank=0, program="ncu",
        folders=("/usr/local/cuda/bin", "/opt/cuda/bin", "/opt/nvidia/nsight-compute"),
        install="install the CUDA toolkit's Nsight Compute, or put /usr/local/cuda/bin on PATH",
        runs=runs, refusals=_REFUSALS, partial=True,
    ),
)  # fmt: skip
