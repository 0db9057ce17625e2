"""How much of the traced time the matrix units worked, from the shapes of the executed matrix instructions."""

from __future__ import annotations

import re
from typing import Final

from hotloop.profiles.trace import ThreadTrace
from hotloop.profiles.tracing.classes import MATRIX, class_of, mnemonic

RATES: Final = {
    "gfx90a": {"f64": 256, "f32": 256, "f16": 1024, "bf16_1k": 1024, "bf16": 512, "i8": 1024},
    "gfx942": {"f64": 256, "f32": 256, "xf32": 1024, "f16": 2048, "bf16": 2048, "f8": 4096, "i8": 4096},
    "gfx950": {"f64": 128, "f32": 256, "f16": 4096, "bf16": 4096, "f8": 8192, "i8": 8192},
}  # fmt: skip
"""Dense matrix operations per clock and compute unit. Sources: AMD CDNA 2, CDNA 3 and CDNA 4 architecture white papers,
tables of peak throughput per compute unit, entered from memory and not compared with them again."""
_SIMDS: Final = 4
_LEAST_CYCLES: Final = 8
_LANES: Final = 64
_ELEMENTS: Final = {"f64": 1, "f32": 1, "xf32": 2, "f16": 4, "bf16_1k": 4, "bf16": 2, "i8": 4, "f8": 8}
"""Elements of A that a lane holds, for names that do not say the number of blocks."""
_NAME = re.compile(r"v_mfma_(?:ld_scale_|scale_)?(?:f32|f64|i32)_(\d+)x(\d+)x(\d+)_?(?:(\d+)b_)?(\w+)")


def matrix_cycles(text: str, architecture: str) -> float | None:
    """Return the cycles that a matrix instruction keeps its unit busy; None for a shape or architecture that is not known.

    Operations (2·M·N·K·blocks) over the operations that one of the four units of a compute unit does per clock; no matrix
    instruction takes less than two passes of four cycles.

    >>> matrix_cycles("v_mfma_f32_32x32x8_f16 a[0:15], v[0:1]", "gfx942")
    32.0
    """
    found = _NAME.match(mnemonic(text))
    rates = RATES.get(architecture, {})
    kind = _kind(found[5]) if found else ""
    if found is None or kind not in rates:
        return None
    m, n, k = (int(found[i]) for i in (1, 2, 3))
    blocks = int(found[4]) if found[4] else max(1, _LANES * _ELEMENTS[kind] // (m * k))
    return max(_LEAST_CYCLES, 2.0 * m * n * k * blocks / (rates[kind] / _SIMDS))


def _kind(operands: str) -> str:
    if operands.startswith("bf16"):
        return "bf16_1k" if operands.endswith("1k") else "bf16"
    if operands.startswith(("fp8", "bf8", "f8")):
        return "" if operands.startswith("f8f6f4") else "f8"
    return next((kind for kind in ("xf32", "f64", "f32", "f16", "i8") if operands.startswith(kind)), "")


def matrix_efficiency(trace: ThreadTrace, architecture: str | None) -> float | None:
    """Return busy cycles of the matrix units over the cycles in which their SIMD had a wave; None without waves.

    Only what the traced waves executed counts, so it is a lower bound where the trace lost events.
    """
    cost = {
        i.line: matrix_cycles(i.text, architecture or "")
        for k in trace.kernels
        for i in k.instructions
        if class_of(i.text) == MATRIX
    }
    if not trace.waves or None in cost.values():
        return None
    busy = sum(cost.get(e.line) or 0.0 for wave in trace.waves for e in wave.events)
    spans: dict[tuple[int, int | None, int], list[tuple[int, int]]] = {}
    for wave in trace.waves:
        spans.setdefault((wave.engine, wave.cu, wave.simd), []).append((wave.begin, wave.end))
    occupied = sum(_covered(sorted(parts)) for parts in spans.values())
    return busy / occupied if occupied else None


def _covered(parts: list[tuple[int, int]]) -> int:
    """Return the length of the union of intervals in order."""
    total, reached = 0, parts[0][0]
    for begin, end in parts:
        total += max(0, end - max(begin, reached))
        reached = max(reached, end)
    return total
