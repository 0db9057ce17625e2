"""Facts about one device, as reported by its runtime and by the operating system."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from hotloop.model.record import digest

INTERPRETER = "interpreter"
"""Runtime key of Triton's interpreter, which runs kernels on the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """What kernels and rules need to know. An unknown fact is None, never 0."""

    name: str
    """Name that the runtime reports, e.g. ``AMD EPYC``."""
    kind: str
    """``cpu``, ``gpu`` or ``null``."""
    backend: str
    """Name of the hotloop backend that drives it."""
    runtime: str
    """Runtime or platform with version, e.g. ``Intel(R) OpenCL 2026.22``."""
    runtime_key: str
    """Short runtime name used to choose a device: ``intel``, ``pocl``, ``nvidia``, ``amd``, ``null``."""
    driver: str = ""
    target: str = ""
    """Instruction set target: ``x86-64-avx2``, ``x86-64-avx512``, ``gfx942``, ``sm_90`` ..."""
    compute_units: int = 1
    """Units that run work-groups independently; hardware threads on a CPU."""
    vector_bits: int | None = None
    """Width of the widest vector register that the target has, in bits."""
    vector_registers: int | None = None
    """Architectural vector registers (16 with AVX2, 32 with AVX-512)."""
    local_mem_bytes: int | None = None
    local_mem_dedicated: bool = False
    """True when local memory is its own fast memory (GPUs), False when it is ordinary memory (CPUs)."""
    global_mem_bytes: int | None = None
    max_workgroup: int = 1
    """Most work-items in one work-group."""
    group_extents: tuple[int, ...] = ()
    """Most work-items of a group along each dimension, x first: CUDA's z takes 64. Empty: not known."""
    grid_extents: tuple[int, ...] = ()
    """Most groups of a launch along each dimension, x first: CUDA's y and z take 65,535. Empty: not known, or no limit."""
    cache_line_bytes: int | None = None
    l1_bytes: int | None = None
    """Data cache per core."""
    l2_bytes: int | None = None
    """Second-level cache per core."""
    llc_bytes: int | None = None
    """Last-level cache, whole device; input sets are rotated beyond it."""
    fp16: bool = False
    fp64: bool = False
    subgroups: bool = False

    @property
    def key(self) -> str:
        """Identity under which results are stored; results with the same key are comparable."""
        return f"{self.runtime_key}:{self.name}:{self.target}:{self.compute_units}"

    @property
    def interpreted(self) -> bool:
        """Tell whether kernels are interpreted on the host: it shows that they are right, its times say nothing."""
        return self.runtime_key == INTERPRETER

    @property
    def fingerprint(self) -> str:
        """Key with runtime and driver versions: a change means that results may be stale."""
        return _fingerprint(self.key, self.runtime, self.driver)

    def lanes(self, element_bytes: int) -> int | None:
        """Return how many elements fit in one vector register, or None when the width is unknown."""
        return self.vector_bits // (8 * element_bytes) if self.vector_bits else None

    def check_shared(self, used_bytes: int) -> None:
        """Raise ValueError where a block cannot have so much shared memory; where nobody knows how much it can, all is taken."""
        if self.local_mem_bytes is not None and used_bytes > self.local_mem_bytes:
            raise ValueError(f"{used_bytes} B of shared memory, {self.local_mem_bytes} B is all a block can have")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ceilings:
    """Measured limits of a device, all taken in the same run as the kernels they are compared with."""

    flops_per_s: float
    """Highest measured FMA rate of the asked data type, in flop/s."""
    bytes_per_s: float
    """Measured copy bandwidth (bytes read + written per second) on arrays larger than the last-level cache, or of `copied_bytes`."""
    launch_ns: float | None = None
    """Wall time of an empty launch."""
    flops_by_width: tuple[tuple[int, float], ...] = ()
    """(vector width in elements, flop/s) for each width tried."""
    dtype: str = "float32"
    source: str = "measured"
    """Provenance: ``measured`` with the device's key, or a data sheet."""
    copied_bytes: float = 0.0
    """Bytes that the copy moved, where they are as many as a call of the problem moves; 0: more than the caches hold."""

    def floor_ns(self, flops: float, compulsory_bytes: float) -> float:
        """Return the roofline floor: no correct kernel of this work can be faster, in ns.

        >>> Ceilings(flops_per_s=1e9, bytes_per_s=1e9).floor_ns(2e3, 1e3)
        2000.0
        """
        return 1e9 * max(flops / self.flops_per_s, compulsory_bytes / self.bytes_per_s)


@lru_cache(maxsize=64)
def _fingerprint(*named: str) -> str:
    return digest(list(named))
