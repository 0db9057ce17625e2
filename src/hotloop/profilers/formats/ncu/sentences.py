"""Figures that Nsight Compute tells only in the sentences of its own rules: its default page and its details have no table of them.

The page of people's everyday runs names the reason for which warps wait longest, with its cycles, in a sentence; likewise the
sectors that uncoalesced accesses waste. The words are those of the tool's rule files ``CPIStall.py`` and
``UncoalescedAccess.py``, versions 2020.1 to 2025.3.

>>> figures("On average, each warp of this kernel spends 6.0 cycles being stalled waiting for the MIO (memory input/output) instruction "
...         "queue to be not full. This stall type represents about 49.1% of the total average of 12.3 cycles between two.")
{'smsp__average_warps_issue_stalled_mio_throttle_per_issue_active.ratio': 6.0393}
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from hotloop.profilers.formats.ncu.number import number

EXCESSIVE: Final = "derived__memory_l2_theoretical_sectors_global_excessive"
THEORETICAL: Final = "memory_l2_theoretical_sectors_global"
_STALLED = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
_COUNT: Final = r"[0-9][0-9,.]*"
_WAIT: Final = re.compile(
    rf"spends ({_COUNT}) cycles being stalled (.{{1,200}}?)(?:\. |$)(?:(?!being stalled).){{0,2000}}?"
    rf"represents about ([0-9.]+)% of the total average of ({_COUNT}) cycles"
)
_WASTE: Final = re.compile(
    rf"uncoalesced global accesses resulting in a total of ({_COUNT}) excessive sectors \([0-9.]+% of the total ({_COUNT}) sectors"
)
_REASONS: Final = (
    ("(memory input/output) instruction queue", "mio_throttle"),
    ("(memory input/output) operation", "short_scoreboard"),
    ("queue for local and global", "lg_throttle"),
    ("queue for texture", "tex_throttle"),
    ("L1TEX", "long_scoreboard"),
    ("CTA barrier", "barrier"),
    ("memory barrier", "membar"),
    ("fixed latency", "wait"),
    ("execution pipe", "math_pipe_throttle"),
    ("instruction cache miss", "no_instruction"),
    ("immediate constant cache", "imc_miss"),
    ("branch target", "branch_resolving"),
    ("memory operations to complete", "drain"),
    ("memory instructions to complete", "drain"),
    ("micro scheduler", "not_selected"),
)
"""Words of a reason, the more special ones first, and the warp state that it names."""


def figures(text: str) -> dict[str, float]:
    """Return the metrics that sentences tell, by Nsight Compute's names; cycles to a tenth of a per cent of the whole."""
    plain = " ".join(text.split())
    return {**dict(_waits(plain)), **_waste(plain)}


def _waits(text: str) -> Iterator[tuple[str, float]]:
    for wait in _WAIT.finditer(text):
        reason = next((state for words, state in _REASONS if words in wait[2]), None)
        share, total = number(wait[3]), number(wait[4])
        if reason is not None and share is not None and total is not None and share <= 100:
            yield _STALLED.format(reason), share / 100 * total


def _waste(text: str) -> dict[str, float]:
    waste = _WASTE.search(text)
    excessive, total = (number(waste[1]), number(waste[2])) if waste else (None, None)
    return {} if excessive is None or not total or excessive > total else {EXCESSIVE: excessive, THEORETICAL: total}
