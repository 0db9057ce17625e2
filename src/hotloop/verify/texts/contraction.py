"""A variant whose compiler may not join products and sums to fused ones, to see whether a wrong result comes from that.

OpenCL C lets a compiler contract `a * b + c` (specification of OpenCL C, 6.13.14, FP_CONTRACT). That changes a rounding, no more; but a compiler
may also make a mistake of it: Intel's 2026.2 gives wrong sums of `a * b - c * d` in loops that it makes into vectors.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.model.kernel import Variant

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.model.space import Config

PRAGMA = "#pragma OPENCL FP_CONTRACT OFF"
_FLOATS = re.compile(r"\b(?:float|double|half)(?:\d+)?\b")


def joins(source: str) -> bool:
    """Tell whether a compiler may join products and sums of a source: it has floating-point numbers, and does not forbid it.

    >>> [joins(text) for text in ("float4 a;", "int a;", f"{PRAGMA} float a;")]
    [True, False, False]
    """
    return bool(_FLOATS.search(source)) and PRAGMA not in source


def uncontracted(variant: Variant) -> Variant | None:
    """Return the variant with the pragma in front of its source; None for other languages than OpenCL C."""
    implementation = variant.implementation
    if implementation.language != "opencl":
        return None

    def plan(problem: Problem, config: Config, device: Device) -> Program:
        program = implementation.plan(problem, config, device)
        return replace(program, source=f"{PRAGMA}\n{program.source}")

    return Variant(replace(implementation, plan=plan), variant.config)
