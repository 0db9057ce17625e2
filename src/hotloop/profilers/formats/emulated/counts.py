"""Counts of executed instructions as the counters that the hardware would have shown, by AMD's names.

Instructions are exact. Cycles of local memory are those of the accesses that were looked at, taken for all accesses of
the instruction. Cache lines are looked up once for each line and access; what a cache holds is not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hotloop.model.evidence import Absent
from hotloop.profilers.jsontext import load
from hotloop.profilers.source import named
from hotloop.profilers.summary import summarised
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import DeviceFact, Dispatch, Profile

_NO_TIMES = "an execution on a CPU has no times of the card"


def read(path: Path) -> Profile:
    """Return the counters of each kernel. Raises ProfileError when the file is damaged."""
    content = load(path)
    rows = content.get("instructions") if isinstance(content, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ProfileError(
            f"{named(path)} has no list of instructions: it is damaged; write it again with emulate --trace."
        )
    kernels: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        kernels.setdefault(str(row.get("kernel", "")), []).append(row)
    dispatches = tuple(
        Dispatch(kernel=name, counters=_counters(_checked(counts, path))) for name, counts in kernels.items()
    )
    target = content.get("target")
    return Profile(
        tool="hotloop emulate",
        source=named(path),
        format="executed on a CPU, nothing measured",
        architecture=target if isinstance(target, str) else None,
        dispatches=dispatches,
        kernels=summarised(dispatches),
        facts=(DeviceFact("", "executed", "on a CPU by hotloop emulate: counts are exact, nothing is measured"),),
        absent=(Absent("duration_ns", _NO_TIMES),),
    )


def _checked(rows: list[Mapping[str, Any]], path: Path) -> list[Mapping[str, Any]]:
    for row in rows:
        numbers = [value for key, value in row.items() if key not in ("kernel", "instruction", "line")]
        if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in numbers):
            raise ProfileError(f"{named(path)} has a count that is no number: it is damaged; write it again.")
    return rows


def _counters(rows: list[Mapping[str, Any]]) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for row in rows:
        times = row.get("executions", 0)
        for name in _names(str(row.get("instruction", ""))):
            counts[name] += times
        looked = row.get("bank_accesses", 0)
        if looked:
            scale = row.get("accesses", looked) / looked
            cycles, ideal = row.get("bank_cycles", 0), row.get("bank_cycles_ideal", 0)
            counts["SQ_LDS_IDX_ACTIVE"] += cycles * scale
            counts["SQ_LDS_BANK_CONFLICT"] += (cycles - ideal) * scale
        counts["TCP_TOTAL_CACHE_ACCESSES_sum"] += row.get("cache_lines", 0)
    counts["SQ_WAVES"] = rows[0].get("executions", 0)  # the first instruction is executed once by every wave
    return {name: float(value) for name, value in counts.items()}


_MATRIX = ("v_mfma", "v_smfmac", "v_wmma", "v_swmmac")
_BRANCH = ("s_branch", "s_cbranch", "s_setpc", "s_swappc")


def _names(text: str) -> Iterator[str]:
    """Yield the counters that an instruction raises."""
    mnemonic = text.partition(" ")[0]
    yield "SQ_INSTS"
    if mnemonic.startswith("v_"):
        yield "SQ_INSTS_VALU"
        if mnemonic.startswith(_MATRIX):
            yield "SQ_INSTS_MFMA"
    elif mnemonic.startswith(_BRANCH):
        yield "SQ_INSTS_BRANCH"
    elif mnemonic.startswith("ds_"):
        yield "SQ_INSTS_LDS"
    elif mnemonic.startswith(("s_load", "s_buffer_load")):
        yield "SQ_INSTS_SMEM"
    elif mnemonic.startswith(("global_", "buffer_", "flat_", "scratch_")):
        yield from _vector(mnemonic)
    elif mnemonic.startswith("s_"):
        yield "SQ_INSTS_SALU"


def _vector(mnemonic: str) -> Iterator[str]:
    if "_load" in mnemonic or "_store" in mnemonic or "_atomic" in mnemonic:
        yield "SQ_INSTS_VMEM"
        yield "SQ_INSTS_VMEM_RD" if "_load" in mnemonic else "SQ_INSTS_VMEM_WR"
    if mnemonic.startswith("flat_"):
        yield "SQ_INSTS_FLAT"
