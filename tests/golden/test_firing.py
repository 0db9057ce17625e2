"""Kernels with one fault each, profiled on an H200, and the verdict that their counters give by hand.

Recorded by ``benchmarks/gpu/firing.py`` and cut down to the metrics that are read by ``benchmarks/gpu/trim.py``; the kernels stand in
``benchmarks/gpu/firing``, `lookups` is an earlier form of its `gather`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from hotloop.app.explain.answer import Request, explain

FOLDER = Path(__file__).parent / "ncu"


@dataclass(frozen=True)
class Hand:
    """What the counters say, by hand."""

    first: str
    reason: str
    share: float
    """Of the first finding, from the counters named in the reason."""
    also: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    flops: float | None = None
    """Useful operations, where the kernel's file states them."""


HANDS = {
    "transpose": Hand("bank-conflicts", "65.0 of 67.2 million wavefronts of shared memory are conflicts, and its path, which is the first-level "
                      "cache's, is busy 95.6 % of the launch: 92.6 % of the time", 0.926, ("lds-bound",), ("l1-bound",)),
    "lookups": Hand("uncoalesced", "31.6 sectors for a load of 32 lanes, 4 of 32 B used, L2 at 75 % and eight warps on a unit: the lines are the "
                    "limit, not the number of warps", 0.753 * 0.872, ("exposed-global-latency",), ("occupancy-limited",)),
    "tail": Hand("issue-bound", "91.3 % of the issue slots while units are busy, which is 83 % of the launch: 330 blocks where 264 fit", 0.758,
                 ("tail-effect", "valu-bound"), ("tensor-cores-unused",)),
    "older": Hand("matrix-bound", "tensor pipe at 94.3 %, all of it by the instruction of Ampere", 0.943, ("wrong-path-matrix",)),
    "longer": Hand("instruction-cache", "warps wait 39.4 % of their time for instructions and the pipe works 59.6 %: of the 40 % of idle slots 46 % "
                   "are that; one chain without operands is no matrix product", 0.184, (), ("tensor-cores-unused",)),
    "shared": Hand("lds-bound", "the path of shared memory works 96.1 % of the launch, and no wavefront of 69.2 million is a conflict", 0.961, (),
                   ("bank-conflicts", "l1-bound", "issue-bound")),
    "convert": Hand("conversion-overhead", "the pipe of conversions works 92.5 % of the busy time, which is 99.2 % of the launch; it is the "
                    "busiest unit, and 69.2 million of 233.7 million instructions convert", 0.918, ("valu-bound",), ("issue-bound",)),
    "gather": Hand("exposed-global-latency", "95.9 % of the warps' time is waiting for global memory, units are busy 95.6 % of the launch; four "
                   "blocks of two warps fit beside 48 KB of shared memory each: 11 % of the warps", 0.917, ("occupancy-limited",),
                   ("uncoalesced", "lds-bound")),
    "masked": Hand("l1-bound", "two loads for a multiply-add, 81 % of the first-level cache with nothing wasted; half of the operations are "
                   "thrown away", 0.808, ("flop-convention", "exposed-global-latency"), ("bank-conflicts", "lds-bound"), 1024.0**3),
}  # fmt: skip


@cache
def page(name):
    return explain(Request(inputs=(str(FOLDER / f"{name}.csv"),), useful_flops=HANDS[name].flops))


@pytest.mark.parametrize("name", HANDS)
def test_verdicts_are_those_by_hand(name):
    hand, found = HANDS[name], {finding.rule: finding.share for finding in page(name).findings}
    assert next(iter(found)) == hand.first, hand.reason
    assert found[hand.first] == pytest.approx(hand.share, abs=0.01), hand.reason
    assert found.keys() >= {*hand.also}
    assert not found.keys() & {*hand.never}
    assert page(name).subject.device == "NVIDIA H200 (sm_90)"


def test_every_profile_has_a_verdict():
    assert {path.stem for path in FOLDER.glob("*.csv")} == HANDS.keys()


def test_a_busy_unit_is_not_called_far_from_any_limit():
    assert "first-level cache works at 95.7 % of the peak" in page("transpose").roofline_words
    assert "far from any limit" not in page("transpose").roofline_words


def test_advice_that_nothing_is_left_for_comes_last():
    """Nothing is wasted between lanes: coalescing cannot help."""
    (found,) = (finding for finding in page("masked").findings if finding.rule == "l1-bound")
    assert found.advice[0].technique == "register-tile"
    assert all(one.unmet for one in found.advice if one.technique == "coalesce")
