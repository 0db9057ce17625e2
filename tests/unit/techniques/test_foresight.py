"""What the code of a compiled candidate says before it is timed."""

from __future__ import annotations

import pytest

from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.model.finding import Gain
from hotloop.techniques.foresight import Foresight, foreseen


def known(**values: float) -> Evidence:
    names = {name.replace("__", "."): value for name, value in values.items()}
    return Evidence(tuple(Fact(name, value, "bit", Provenance.STATIC) for name, value in names.items()))


def test_narrower_code_costs_what_it_does_less():
    """Register tiles of a GEMM for which a compiler gave up its vectors: 512 → 32 bits; 0.69 times the speed was measured."""
    seen = foreseen(known(static__work_bits=277), known(static__work_bits=27))
    assert seen.factor == pytest.approx(27 / 277)
    assert "27 instead of 277 bit" in seen.reason
    assert seen.corrected(Gain(1.04, 5.8)).high < 0.6


def test_denser_code_is_what_the_move_promised_and_counts_once():
    assert foreseen(known(static__work_bits=100), known(static__work_bits=400)) == Foresight()


def test_without_arithmetic_what_is_moved_counts():
    seen = foreseen(
        known(static__work_bits=0, static__moved_bits=64), known(static__work_bits=0, static__moved_bits=16)
    )
    assert seen.factor == 0.25


def test_a_kernel_that_waits_for_memory_may_have_more_instructions():
    waiting = known(static__work_bits=100, roof__bytes_share=0.6)
    assert foreseen(waiting, known(static__work_bits=50)) == Foresight()


@pytest.mark.parametrize("after", [known(), known(static__work_bits=0)])
def test_what_is_not_known_says_nothing(after):
    assert foreseen(known(static__work_bits=100), after) == Foresight()
    assert foreseen(known(), known(static__work_bits=100)) == Foresight()
