"""The view holds the right numbers, and says why where it holds none."""

from __future__ import annotations

import dataclasses
import math

import pytest

from hotloop.model.device import Ceilings
from hotloop.model.finding import Gain
from hotloop.model.outcome import Conditions, Measured, Sample, TimedOut
from hotloop.model.problem import Work
from hotloop.model.step import Decision
from hotloop.model.verdict import Comparison, Verdict
from hotloop.report import words
from hotloop.report.view import build
from hotloop.report.view.page import Ratio


def test_headline_chains_the_kept_steps(record):
    head = build(record).headline
    product = 1.78 * 3.7 * 2.0 * 1.15 * 1.085
    below = math.hypot(*(math.log(1 / (1 - half)) for half in (0.012, 0.009, 0.011, 0.013, 0.01)))
    assert head.speedup.value == pytest.approx(product)
    assert head.speedup.low == pytest.approx(product * math.exp(-below))
    assert head.speedup.basis == "chained"
    assert (head.baseline_ns, head.winner_ns) == (pytest.approx(412e6), pytest.approx(25.0e6))
    assert (head.kept, head.rejected, head.refused) == (5, 3, 2)
    assert (head.winner, head.technique) == (10, "polish")


def test_a_direct_comparison_is_preferred_to_the_chain(record):
    direct = Comparison(
        verdict=Verdict.FASTER, speedup=16.0, low=15.5, high=16.5, confidence=0.95, margin=0.02, log_ratios=(2.77,)
    )
    head = build(dataclasses.replace(record, overall=direct)).headline
    assert head.speedup == Ratio(16.0, 15.5, 16.5, "paired")


def test_without_comparisons_the_medians_remain_and_have_no_interval(record):
    bare = tuple(dataclasses.replace(step, comparison=None) for step in record.steps)
    speedup = build(dataclasses.replace(record, steps=bare)).headline.speedup
    assert (speedup.value, speedup.low, speedup.basis) == (pytest.approx(412 / 25), None, "medians")


def test_steps_after_the_winner_do_not_enter_the_chain(record):
    head = build(dataclasses.replace(record, winner=2)).headline
    assert head.speedup.value == pytest.approx(1.78 * 3.7)


def test_roofline_fraction_and_rate(record):
    view = build(record)
    floor = 1e9 * 2 * 1024**3 / 104e9
    assert view.floor_ns == pytest.approx(floor)
    assert view.headline.roof_fraction == pytest.approx(floor / 25e6)
    assert (view.headline.rate, view.headline.rate_unit) == (pytest.approx(2 * 1024**3 / 25e-3), "FLOP/s")


def test_roofline_of_compute_bound_work(record):
    roof = build(record).roofline
    assert roof.ridge == pytest.approx(104 / 21.5)
    assert roof.intensity == pytest.approx(2 * 1024**3 / (12 * 1024**2))
    assert (roof.attainable, roof.memory_bound) == (104e9, False)
    assert roof.widths == ((1, 13.1e9), (4, 52.3e9)), "the highest ceiling is the roof itself"
    assert [p.role for p in roof.points] == ["baseline", "kept", "kept", "kept", "kept", "winner", "peer", "peer"]
    assert roof.points[0].flops_per_s == pytest.approx(2 * 1024**3 / 0.412)


def test_roofline_of_memory_bound_work(record):
    roof = build(dataclasses.replace(record, work=Work(flops=2e9, bytes=1e9))).roofline
    assert (roof.attainable, roof.memory_bound) == (pytest.approx(2 * 21.5e9), True)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"ceilings": None}, "no ceilings"),
        ({"work": Work(flops=0.0, bytes=1e9)}, "no arithmetic intensity"),
        ({"work": Work(flops=1e9, bytes=0.0)}, "no arithmetic intensity"),
        ({"steps": (), "peers": ()}, "nothing was timed"),
    ],
)
def test_no_roofline_comes_with_its_reason(record, change, why):
    view = build(dataclasses.replace(record, **change))
    assert view.roofline is None
    assert why in view.roofline_absent


def test_work_without_flops_is_rated_in_bytes(record):
    head = build(dataclasses.replace(record, work=Work(flops=0.0, bytes=1e8))).headline
    assert (head.rate, head.rate_unit) == (pytest.approx(1e8 / 25e-3), "B/s")
    assert head.roof_fraction == pytest.approx((1e8 / 21.5e9) / 25e-3)


def test_nothing_is_a_share_of_a_roofline_that_it_exceeds(record):
    view = build(dataclasses.replace(record, work=Work(flops=0.0, bytes=1e9)))
    assert view.headline.roof_fraction is None
    assert "faster than the measured roofline allows" in words.position(view)
    assert "%" not in words.position(view)


def test_peers_are_seen_from_the_winner(record):
    openblas, clblast, torch = build(record).peers
    assert openblas.ratio.value == 0.968
    assert openblas.verdict == "SLOWER"
    assert clblast.rate == pytest.approx(2 * 1024**3 / 58.3e-3)
    assert (torch.time_ns, torch.ratio) == (None, None)
    assert torch.failure == "not applicable: torch is not installed"


def test_a_peer_that_was_not_compared_is_related_by_medians(record):
    alone = (dataclasses.replace(record.peers[1], comparison=None),)
    ratio = build(dataclasses.replace(record, peers=alone)).peers[0].ratio
    assert ratio == Ratio(pytest.approx(58.3 / 25), basis="medians")


@pytest.mark.parametrize(
    ("value", "verdict", "says"),
    [
        (0.97, "UNCLEAR", "not told apart from L: 0.97×"),
        (1.02, "SAME", "as fast as L: 1.02×"),
        (0.8, "SLOWER", "slower than L: 0.80×"),
        (2.0, "FASTER", "2.00× (1.50–2.50) faster than L"),
    ],
)
def test_the_words_about_a_peer_are_those_of_the_verdict(record, value, verdict, says):
    ratio = Ratio(value, 0.75 * value, 1.25 * value)
    peer = dataclasses.replace(build(record).peers[0], name="L", ratio=ratio, verdict=verdict)
    assert words.against(peer).startswith(says)


def test_without_counted_operations_the_roofline_is_that_of_memory(record):
    bare = dataclasses.replace(record, work=dataclasses.replace(record.work, flops=0.0))
    assert "of the memory's roofline, operations are not counted" in words.position(build(bare))


def test_the_incumbent_changes_with_kept_steps_only(record):
    incumbents = [row.incumbent_ns for row in build(record).steps]
    assert incumbents == pytest.approx(
        [412e6, 231e6, 62.4e6, 31.2e6, 31.2e6, 31.2e6, 27.1e6, 27.1e6, 27.1e6, 27.1e6, 25e6]
    )


def test_predictions_are_scored_unless_refused_or_unclear(record):
    calibration = build(record).calibration
    assert [(row.index, row.hit) for row in calibration.rows] == [
        (1, True), (2, True), (3, False), (4, False), (5, False), (6, True),
    ]  # fmt: skip
    assert calibration.hits == 3
    ratios = [1.78 / (1.1 * 2.0) ** 0.5, 3.7 / 12**0.5, 2.0 / (1.2 * 1.8) ** 0.5, 1.005 / (1.02 * 1.1) ** 0.5,
              0.93 / 1.15**0.5, 1.15 / (1.05 * 1.3) ** 0.5]  # fmt: skip
    assert calibration.bias == pytest.approx(math.prod(ratios) ** (1 / 6))


def test_a_prediction_that_expects_nothing_does_not_break_the_score(record):
    odd = dataclasses.replace(record.steps[1], predicted=Gain(0.0, 2.0))
    assert build(dataclasses.replace(record, steps=(record.steps[0], odd), winner=1)).calibration is None


def test_failures_list_steps_peers_and_search(record):
    failures = build(record).failures
    assert [f.where for f in failures] == [
        "step 7 · register-tile: MWI 6 → 8, NWI 16 → 24", "step 8 · prefetch: PF 0 → 2", "peer PyTorch", "search",
    ]  # fmt: skip
    assert "c[120, 4] is 0 instead of -17" in failures[0].detail
    assert "use of undeclared identifier" in failures[1].what
    assert failures[1].detail.endswith("1 error generated.")
    assert failures[3].what == "2 × timed out, 1 × wrong result"


def test_findings_are_ranked_by_share(record):
    assert [finding.rule for finding in build(record).findings] == ["clock-drop", "load-ports"]


def test_conditions_name_device_runtime_load_mode_and_noise_and_the_record_wins(record):
    conditions = dict(build(dataclasses.replace(record, conditions=(("mode", "hot, on purpose"),))).conditions)
    assert conditions["device"] == "AMD EPYC 7B13 (cpu, 2 hardware threads)"
    assert conditions["runtime"] == "Intel(R) OpenCL 2026.22"
    assert conditions["load average"] == "0.42"
    assert conditions["noise floor"] == "± 0.8 % between identical variants"
    assert conditions["mode"] == "hot, on purpose"


def test_conditions_of_older_records_show_no_password(record):
    kept = (("HOTLOOP_STORE", "postgresql://me:secret@host/db"),)
    assert (
        dict(build(dataclasses.replace(record, conditions=kept)).conditions)["HOTLOOP_STORE"]
        == "postgresql://me:***@host/db"
    )


def test_the_deciding_clock_is_shown(record):
    sample = Sample(wall_ns=8e6, calls=2, device_ns=6e6)
    outcome = Measured(samples=(sample,), conditions=Conditions("d0", clock="device"))
    step = dataclasses.replace(record.steps[0], outcome=outcome)
    view = build(dataclasses.replace(record, steps=(step,), winner=0))
    assert view.steps[0].time_ns == 3e6
    assert view.headline.speedup is None, "the baseline against itself is no speedup"


def test_a_baseline_that_hung_leaves_nothing_to_compare(record):
    hung = dataclasses.replace(record.steps[0], outcome=TimedOut("execute", 10.0), decision=Decision.REFUSE)
    view = build(dataclasses.replace(record, steps=(hung,), winner=0, peers=()))
    assert view.headline.winner_ns is None
    assert view.headline.speedup is None
    assert view.failures[0].what == "timed out in execute after 10 s"


def test_ceilings_without_widths_and_launch_time(record):
    plain = Ceilings(flops_per_s=1e11, bytes_per_s=2e10)
    view = build(dataclasses.replace(record, ceilings=plain))
    assert view.roofline.widths == ()
    assert "empty launch" not in dict(view.conditions)


def test_a_password_that_an_older_run_recorded_is_not_shown(record):
    command = "hotloop tune gemm --store postgresql://me:secret@host/db"
    assert build(dataclasses.replace(record, command=(command,))).command == (command.replace("secret", "***"),)
