"""What the parts of a processor are called by its vendor."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Names of the same things with different vendors."""

    local: str
    """Memory that the work-items of a group share: ``LDS``, ``shared memory``."""
    wave: str
    """Work-items that run in step: ``wave``, ``warp``."""
    register: str
    """A vector register, as a count has it: ``VGPR``, ``registers``."""
    matrix: str
    """The matrix instructions: ``MFMA``, ``WMMA``, ``MMA``."""
    unit: str
    """Hardware unit that a group runs on: ``CU``, ``SM``."""
    occupancy: str
    """Unit in which resident waves are counted: ``waves per SIMD``, ``warps per SM``."""
