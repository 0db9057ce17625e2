"""Issue slots and counts as older tools printed them and as people note them; the numbers are made up, the forms are published ones."""

import pytest

from hotloop.app.explain.answer import Request, explain
from hotloop.model.evidence import Provenance
from hotloop.profilers.reading import read
from hotloop.profiles.ratios import facts

OLDEST = """S0-C0 FE      Frontend_Bound:                  30.00%
S0-C0 BE      Backend_Bound:                   50.00%
S0-C1 FE      Frontend_Bound:                  32.00%
S0-C1 BE      Backend_Bound:                   44.00%
S0-C1-T1BE/Mem  Backend_Bound.Memory_Bound:       0.00% mismeasured
"""
REPEATED = """S0-C0    FE             Frontend_Bound:                             13.00 +-     0.00 % Slots below
S0-C0    BAD            Bad_Speculation:                            39.00 +-     0.10 % Slots
S0-C0    BE             Backend_Bound:                              16.00 +-     0.00 % Slots
"""
BARE = "Backend_Bound               79.0%\nBackend_Bound.Memory_Bound  68.0%\nBackend_Bound.Core_Bound    11.0%\n"
PARTS = "BE      Backend_Bound:   56.0 %\nBE/Mem  Memory_Bound:    12.0 %\nBE/Core Core_Bound:      44.0 %  <-- here\n"
REMARKED = "#   Frontend_Bound:  8.0%\n#   Backend_Bound:  62.0%   <- the main one\n#   Bad_Speculation: 5.0%\n#   Retiring: 25.0%\n"
TWICE = "19.0 %  tma_backend_bound <---\n14.0 %  tma_bad_speculation\n43.0 %  tma_frontend_bound\n24.0 %  tma_retiring\n\nthen:\n5.0 %  tma_backend_bound <---\n"
TOPDOWN_X = "core,cpus,retiring,bad speculation,frontend bound,backend bound\nS0-C0,1,{},4.0,26.0,{}\n"


@pytest.mark.parametrize(("text", "event", "share"), [
    (OLDEST, "backend", 0.47), (REPEATED, "speculation", 0.39), (BARE, "backend", 0.79), (PARTS, "memory", 0.12), (REMARKED, "backend", 0.62),
    (TWICE, "backend", 0.19), (TOPDOWN_X.format("20.0", "50.0,"), "backend", 0.5),
])  # fmt: skip
def test_shares_of_slots_in_other_forms(write, text, event, share):
    assert facts(read(write("slots.txt", text)).readings).get(f"cpu.{event}_share") == pytest.approx(share)


def test_a_share_beyond_the_whole_is_none_and_those_beside_it_are_doubted(write):
    found = facts(read(write("stat.csv", TOPDOWN_X.format("151.0", ","))).readings)
    assert found.get("cpu.retiring_share") is None
    assert found.fact("cpu.frontend_share").provenance is Provenance.ESTIMATED


def test_metrics_alone_parted_by_colons_below_a_head_with_commas(write):
    profile = read(write("stat.txt", "core,cpus,%  tma_core_bound:\nS0-D0-C0:2:10.5:\nS0-D0-C1:2:14.5:\n"))
    assert {r.event: r.value for r in profile.readings}["topdown-core-bound"] == pytest.approx(12.5)


def test_a_hybrid_processors_kinds_of_cores_are_apart_in_toplev(write):
    text = "core FE  Frontend_Bound  % Slots  42.0\ncore BE  Backend_Bound  % Slots  26.0  [28.0%]\natom BE  Backend_Bound  % Slots  60.0\n"
    values = {reading.event: reading.value for reading in read(write("toplev.txt", text)).readings}
    assert values == {
        "cpu_core/topdown-fe-bound/": 42.0,
        "cpu_core/topdown-be-bound/": 26.0,
        "cpu_atom/topdown-be-bound/": 60.0,
    }


CORES = " Performance counter stats for 'system wide':\n\n    %  tma_bad_speculation %  tma_backend_bound  %  tma_retiring %  tma_frontend_bound\n"


@pytest.mark.parametrize(("rows", "word"), [
    ("S0-D0-C0  2  5.0  30.0  15.0  50.0\nS0-D0-C1  2  2.0  65.0  23.0  10.0\nS0-D0-C2  2  5.0  20.0  15.0  60.0\n", "low"),
    ("S0-D0-C0  2  5.0  30.0  15.0  50.0\nS0-D0-C1  2  5.0  20.0  15.0  60.0\n", "high"),
])  # fmt: skip
def test_a_mean_over_cores_that_wait_for_different_things_is_doubted(write, rows, word):
    """A program on one core of a machine was told to wait for what the others wait for, with high confidence."""
    (finding, *_) = explain(Request(inputs=(str(write("stat.txt", CORES + rows)),))).findings
    assert (finding.rule, finding.confidence) == ("frontend-bound", word)


def test_two_kinds_of_lost_slots_that_are_near_stand_in_one_sentence(write):
    text = "FE  Frontend_Bound  % Slots  40.8\nBAD  Bad_Speculation  % Slots  40.0\nBE  Backend_Bound  % Slots  7.2\nRET  Retiring  % Slots  12.0\n"
    answer = explain(Request(inputs=(str(write("toplev.txt", text)),)))
    assert "nearly as much: 40.0 % of the issue slots go to work that is thrown away" in answer.verdict


def test_slots_without_a_large_kind_say_what_tells_more(write):
    text = "30.0 %  backend bound\n5.0 %  bad speculation\n20.0 %  frontend bound\n45.0 %  retiring\n"
    assert "'perf record ./program' tells the function" in explain(Request(inputs=(str(write("t.txt", text)),))).verdict


def test_counts_behind_their_events(write):
    text = "cycles               178,000,000,000\ninstructions        16,000,000,000    # 0.09 a clock\nLLC-load-misses        916,000,000\n"
    found = facts(read(write("notes.txt", text)).readings)
    assert found.get("cpu.instructions_per_cycle") == pytest.approx(16 / 178)


def test_branches_that_cost_more_than_all_clocks_are_of_another_run(write):
    rows = ("2,000,000,000  cycles", "1,000,000,000  instructions", "300,000,000  branch-misses")
    head = " Performance counter stats for './a':\n\n"
    found = facts(read(write("stat.txt", head + "".join(f"  {row}\n" for row in rows))).readings)
    assert found.get("cpu.branch_lost_share") is None
    assert "more than all cycles" in found.why_absent("cpu.branch_lost_share")


def test_what_likwid_cannot_have_counted_is_told_with_the_reason(write):
    table = "Group 1: MEM\n|        Metric        |  Core 0 |\n|          CPI         |  1.2 |\n| Memory bandwidth [MBytes/s] | 3.3e+15 |\n"
    (note,) = read(write("likwid.txt", table)).notes
    assert note == "memory-bandwidth is left out: 3.3e+15 MB/s is more than any memory moves: a counter ran over"


def test_slots_of_vtunes_snapshot_that_wait_for_memory(write):
    text = "  Average Physical Core Utilization:   10.00 out of 16 Physical Cores\n  Memory Stalls:  37.00% of Pipeline Slots\n"
    share = facts(read(write("aps.txt", text)).readings).fact("cpu.backend_share")
    assert (share.value, share.provenance) == (pytest.approx(0.37), Provenance.ESTIMATED)
