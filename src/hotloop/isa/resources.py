"""What a compiler says about a GPU kernel's use of the machine."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelResources:
    """Registers, memory and launch bounds of one kernel; None: the input does not say."""

    name: str
    """Symbol of the kernel."""
    target: str
    """Processor, e.g. ``gfx942`` or ``sm_90``; empty when unknown."""
    vgprs: int | None = None
    """Vector registers of a work-item, without accumulation registers; on NVIDIA the registers of a thread."""
    agprs: int | None = None
    """Accumulation registers (CDNA)."""
    total_vgprs: int | None = None
    """Vector and accumulation registers as allocated from the common file (CDNA2 and later)."""
    sgprs: int | None = None
    vgpr_spills: int | None = None
    sgpr_spills: int | None = None
    scratch_bytes: int | None = None
    """Private memory of a work-item in bytes."""
    lds_bytes: int | None = None
    """Local (shared) memory of a work-group in bytes that is known at compile time."""
    dynamic_lds: bool | None = None
    """True when the launch adds local memory that the compiler does not know."""
    workgroup_max: int | None = None
    """Largest work-group that the kernel was compiled for, in work-items."""
    wave_size: int | None = None
    """Work-items of a wave (warp)."""
    barriers: int | None = None
    """Hardware barriers of a work-group, where stated."""
    code_bytes: int | None = None
    occupancy_waves: int | None = None
    """The compiler's own figure, waves per SIMD; it knows nothing of dynamic local memory."""
