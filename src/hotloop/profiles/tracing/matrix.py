"""How much of the traced time the matrix units worked, from the shapes of the executed matrix instructions."""

from __future__ import annotations

import re
from typing import Final

from hotloop.profiles.trace import ThreadTrace
from hotloop.profiles.tracing.classes import MATRIX, class_of, mnemonic
from hotloop.targets.target import Target

_LEAST_CYCLES: Final = 8
_LANES: Final = 64
_ELEMENTS: Final = {"f64": 1, "f32": 1, "xf32": 2, "f16": 4, "bf16_1k": 4, "bf16": 2, "i8": 4, "f8": 8}
"""Elements of A that a lane holds, for names that do not say the number of blocks."""
_NAME = re.compile(r"v_mfma_(?:ld_scale_|scale_)?(?:f32|f64|i32)_(\d+)x(\d+)x(\d+)_?(?:(\d+)b_)?(\w+)")


def matrix_cycles(text: str, architecture: str) -> float | None:
    """Return the cycles that a matrix instruction keeps its unit busy; None for a shape or architecture that is not known.

    Multiply-adds (M·N·K·blocks) over those that the matrix unit of one SIMD does per clock; no matrix instruction takes less
    than two passes of four cycles.

    >>> matrix_cycles("v_mfma_f32_32x32x8_f16 a[0:15], v[0:1]", "gfx942")
    32.0
    """
    match = _NAME.match(mnemonic(text))
    target = Target.of(architecture)
    rates = target.rates("matrix_macs") if target.words.matrix == "MFMA" else {}
    kind = _kind(match[5]) if match else ""
    older = kind == "bf16" and "bf16_first" in rates
    rate = rates.get("bf16_first" if older else kind.removesuffix("_1k"))
    if match is None or rate is None:
        return None
    m, n, k = (int(match[i]) for i in (1, 2, 3))
    blocks = int(match[4]) if match[4] else max(1, _LANES * _ELEMENTS[kind] // (m * k))
    return max(_LEAST_CYCLES, m * n * k * blocks / rate)


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
