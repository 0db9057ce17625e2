"""Every environment variable that hotloop reads, with its meaning, in one place."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Setting:
    """One environment variable that hotloop reads."""

    name: str
    doc: str

    def get(self) -> str:
        """Return the variable's value, or an empty text when it is unset."""
        return os.environ.get(self.name, "")


STORE = Setting("HOTLOOP_STORE", "store to use: a file or a database URL; same as --store")
DEVICE = Setting("HOTLOOP_DEVICE", "device to use: part of its name or runtime; same as --device")
ICD_VENDORS = Setting("OCL_ICD_VENDORS", "OpenCL runtimes; when set, hotloop leaves the choice of runtimes to it")
CORE_TYPE = Setting(
    "HOTLOOP_BLAS_CORETYPE",
    "kernel set of the OpenBLAS peer; default: what fits the processor, whatever OPENBLAS_CORETYPE says",
)
BLAS_THREADS = Setting("OPENBLAS_NUM_THREADS", "threads of the OpenBLAS peer; default: all usable cores")
REFERENCES = Setting(
    "HOTLOOP_REFERENCES",
    "host: references are computed and results compared by NumPy alone; cpu: by PyTorch on the processor, to try what a GPU does; "
    "default: on the GPU that is used, where PyTorch is installed, confirmed by NumPy for what is kept",
)
AHEAD = Setting(
    "HOTLOOP_AHEAD",
    "off: candidates in Triton and Gluon compile when they are measured; default: ahead, in processes that leave the GPU alone",
)
LAUNCH = Setting(
    "HOTLOOP_LAUNCH",
    "plain: operators on tensors launch as Triton and cuda.bindings do; python: they know a call again by PyTorch's own guard and "
    "launch by addresses, below Triton's and CUDA's Python; default: the same in C, where the system has a compiler and what it "
    "builds passes a trial in a process of its own, else python",
)
GLANCE = Setting(
    "HOTLOOP_GLANCE",
    "off: operators on tensors run what is foreseen of a shape that nobody measured; default: a first call on a GPU times it beside PyTorch's function",
)
RAY = Setting(
    "RAY_ADDRESS",
    "with --engine ray: the cluster to join as HOST:PORT; local: start one in any case; default: the one that this "
    "machine belongs to, else one is started",
)
PARTS = Setting(
    "HOTLOOP_PARTS",
    "with --engine ray: into how many devices the cores of each machine without a GPU are divided; default: 1",
)
POWERCAP = Setting(
    "HOTLOOP_POWERCAP", "folder of the processors' energy counters as Linux lays it out; default: /sys/class/powercap"
)
COLUMNS = Setting(
    "COLUMNS",
    "width of what is printed into a pipe or a file, from 40 to 1000; default: 100, on a terminal what it has",
)

ALL = (
    STORE, DEVICE, ICD_VENDORS, CORE_TYPE, BLAS_THREADS, REFERENCES, AHEAD, LAUNCH, GLANCE, RAY, PARTS, POWERCAP, COLUMNS
)  # fmt: skip


def child_path() -> dict[str, str]:
    """Return the variable that keeps Python children from importing modules of the current folder, such as a numpy.py there.

    Empty where hotloop itself is imported from that folder, which children must find, too.
    """
    package = Path(__file__).resolve().parents[2]
    try:
        here = Path.cwd()
    except OSError:  # it was removed
        here = None
    return {} if package == here else {"PYTHONSAFEPATH": "1"}


def load_average() -> float | None:
    """Return the one-minute load average, or None where the system has none."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return None


def usable_cores() -> int:
    """Return how many cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
