"""Whatever is counted: shares are parts of one whole, clocks stay below the peak, intervals hold their point."""

from __future__ import annotations

import re
from math import isfinite

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotloop.diagnose.engine import rules
from hotloop.isa.timing.hiding import Verdict, verdict
from hotloop.metrics.catalogue import derive
from hotloop.metrics.counters import Counts, Launch
from hotloop.metrics.vocabulary import SHARES
from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.targets.chips import Machine
from hotloop.techniques.calibration import Calibration
from hotloop.techniques.gain import removing, scaling

MI300X = Machine(compute_units=304, simds=4, dies=8, shader_engines=32, wave_slots=8, clock_hz=2.1e9)
COUNTERS = (
    "GRBM_GUI_ACTIVE", "SQ_BUSY_CYCLES", "SQ_BUSY_CU_CYCLES", "SQ_WAVES", "SQ_WAVE_CYCLES", "SQ_WAIT_ANY", "SQ_WAIT_INST_ANY",
    "SQ_ACTIVE_INST_ANY", "SQ_ACTIVE_INST_VALU", "SQ_WAIT_INST_LDS", "SQ_INSTS_VALU", "SQ_INSTS_LDS", "SQ_THREAD_CYCLES_VALU",
    "TCC_HIT_sum", "TCC_MISS_sum", "SQ_VALU_MFMA_BUSY_CYCLES", "SQ_LDS_BANK_CONFLICT", "SQ_LEVEL_WAVES_ACCUM",
)  # fmt: skip
VALUES = st.dictionaries(st.sampled_from(COUNTERS), st.floats(0, 1e13, allow_subnormal=False), max_size=len(COUNTERS))
STATES = ("gpu.wait_share", "gpu.issue_wait_share", "gpu.active_share")


@given(VALUES, st.one_of(st.none(), st.integers(1, 10**9)), st.lists(VALUES, max_size=3))
@settings(max_examples=200, deadline=None)
def test_counters_of_any_size_give_nothing_that_cannot_be(values, duration_ns, passes):
    launch = Launch(items=1 << 20, group_items=256, wave_size=64, duration_ns=duration_ns)
    found = derive(Counts(architecture="gfx942", values=values, passes=tuple(passes), launch=launch, machine=MI300X))
    assert all(0 <= fact.value <= 1 for fact in found.facts if fact.name in SHARES)
    assert (found.get("gpu.clock_hz") or 0) <= 1.25 * 2.1e9 * (1 + 1e-9)
    if not passes and values.keys() >= {"SQ_WAIT_ANY", "SQ_WAIT_INST_ANY", "SQ_ACTIVE_INST_ANY"}:
        assert sum(found.get(name) or 0 for name in STATES) <= 1.06, "waves are in one state at a time"


@pytest.mark.parametrize("times", [1000, 3])
def test_a_counter_of_another_scale_is_no_share_by_another_base(times):
    """One of three states, `times` as large: a share of their sum would be 'waits 100 %' beside 'ready 21 %'."""
    values = {
        "SQ_WAVE_CYCLES": 72e6,
        "SQ_WAIT_ANY": 55.7e6 * times,
        "SQ_WAIT_INST_ANY": 16.1e6,
        "SQ_ACTIVE_INST_ANY": 0.28e6,
    }
    found = derive(Counts(architecture="gfx942", values=values, launch=Launch(), machine=MI300X))
    shares = [found.get(name) for name in STATES]
    assert (shares[0] is None) is (times == 1000)
    assert sum(share or 0 for share in shares) <= 1.05


FACTS = sorted({name for rule in rules() for name in (*rule.needs, *rule.optional)})
NUMBERS = st.one_of(st.floats(0, 1e-3), st.floats(1e-3, 1), st.floats(1, 1e12), st.integers(0, 64)).map(
    lambda v: v if v > 1e-9 else 0
)
EVIDENCE = st.dictionaries(st.sampled_from(FACTS), NUMBERS)
LAST = re.compile(r"\b(?:nan|inf)\b", re.IGNORECASE)


@given(st.sampled_from(rules()), EVIDENCE, st.data())
@settings(max_examples=400, deadline=None)
def test_a_rule_claims_a_part_of_the_time_in_finite_words(rule, some, data):
    needed = {name: data.draw(NUMBERS) for name in rule.needs}
    known = {**some, **needed}
    facts = tuple(Fact(name, float(value), "", Provenance.MEASURED, "drawn") for name, value in known.items())
    found = rule.apply(Evidence(facts))
    if found is not None:
        assert 0 < found.share <= 1
        assert not LAST.search(found.message), found.message


@given(st.floats(0, 1), st.floats(0, 1e6), st.floats(0, 1e6))
def test_hidden_means_that_the_wave_does_not_stand(covered, stall, work):
    found = verdict(covered, stall, work + stall)
    assert found is not Verdict.HIDDEN or stall <= 0.1 * (work + stall)
    assert (found is Verdict.EXPOSED) == (covered < 0.2)


@given(st.floats(0, 1), st.floats(-1, 1), st.floats(-1, 1), st.floats(0, 1e6))
def test_a_predicted_gain_holds_its_point(share, one, two, ratio):
    least, most = sorted((one, two))
    for gain in (removing(share, least, most), scaling(share, ratio, max(0.0, least), max(0.0, most))):
        for interval in (gain, Calibration().promised("prefetch", "gfx942", gain)):
            assert isfinite(interval.high)
            assert 0 < interval.low <= interval.expected * (1 + 1e-12)
            assert interval.expected <= interval.high * (1 + 1e-12)
            assert interval.contains(interval.expected) or interval.high - interval.low < 1e-9
