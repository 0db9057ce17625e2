"""What counts of ``perf stat`` say together."""

import pytest

from hotloop.model.evidence import Provenance
from hotloop.profiles.profile import Reading
from hotloop.profiles.ratios import facts


def stalls(cycles, instructions, back, front=0.0, **slots):
    events = {
        "cycles": cycles,
        "instructions": instructions,
        "stalled-cycles-backend": back,
        "stalled-cycles-frontend": front,
    }
    readings = [Reading(event, value, "") for event, value in events.items()]
    return facts((*readings, *(Reading(f"topdown-{name}", value, "%") for name, value in slots.items())))


def test_clocks_that_the_back_end_held_up_stand_for_its_slots():
    """A loop over 4.4 billion loads, published: 88.7 % of the clocks, 0.59 instructions in each."""
    share = stalls(17_408_968_645, 10_249_196_431, 15_438_136_472, 8_752_347).fact("cpu.backend_share")
    assert share.value == pytest.approx(0.887, abs=1e-3)
    assert share.provenance is Provenance.ESTIMATED


@pytest.mark.parametrize(("counts", "reason"), [
    ((13_133_115_082_869, 23_479_217_109_614, 10_294_402_631_459), "fewer clocks"),  # inference on 16 cores, published: 8.3 in a clock
    ((1_104_727_599_918, 340_133_571_519, 729_016_546_572, 941_428_898_087), "more than all clocks"),  # a kernel patch's mail: 151 %
])  # fmt: skip
def test_events_that_cannot_mean_what_they_say_are_left_out(counts, reason):
    evidence = stalls(*counts)
    assert "cpu.backend_share" not in {fact.name for fact in evidence.facts}
    assert any(reason in missing.reason for missing in evidence.absent)


def test_slots_that_were_counted_win():
    assert stalls(100.0, 50.0, 90.0, be=20.0, **{"be-bound": 20.0}).get("cpu.backend_share") == pytest.approx(0.2)


def test_clocks_of_wrong_predictions_are_estimated():
    lost = facts([Reading("branch-misses", 425e6, ""), Reading("cycles", 11.3e9, "")]).fact("cpu.branch_lost_share")
    assert lost.value == pytest.approx(0.564, abs=1e-3)
    assert lost.provenance is Provenance.ESTIMATED


@pytest.mark.parametrize(("value", "unit"), [(2912.2, "msec"), (2_912_200_000.0, ""), (2912.2, ""), (2.9122, "sec")])
def test_cores_in_use_whatever_the_unit(value, unit):
    readings = [Reading("task-clock", value, unit), Reading("seconds time elapsed", 5.536, "s")]
    assert facts(readings).get("cpu.busy_cores") == pytest.approx(0.526, abs=1e-3)


@pytest.mark.parametrize(
    ("cycles", "elapsed", "told"),
    [(52288305, None, False), (52288305, 1.006, False), (3.1e9, 1.006, True), (3.1e9, None, True)],
)
def test_slots_of_a_machine_that_sleeps_are_no_parts_of_its_time(cycles, elapsed, told):
    """``perf stat -a sleep 1`` on 224 cores, published in a mail: 70 % of the slots of 52 million clocks waited for the back end."""
    readings = [
        Reading("cpu-clock", 225851.2, "msec"),
        Reading("cycles", cycles, ""),
        Reading("topdown-be-bound", 70.1, "%"),
    ]
    readings += [Reading("seconds time elapsed", elapsed, "s")] if elapsed else []
    assert (facts(readings).get("cpu.backend_share") == 0.701) == told
    assert told or "slept" in facts(readings).why_absent("cpu.backend_share")


def test_slots_of_a_program_that_mostly_sleeps_are_those_of_its_own_time():
    readings = [
        Reading("cpu-clock", 20.0, "msec"),
        Reading("cycles", 6e7, ""),
        Reading("topdown-be-bound", 70.1, "%"),
        Reading("seconds time elapsed", 10.0, "s"),
    ]
    assert facts(readings).get("cpu.backend_share") == pytest.approx(0.701)


def test_of_a_brief_run_nothing_is_said_about_waiting():
    """``ls`` in 1.6 ms: perf's start of the program, in which nothing of it runs, is much of that."""
    readings = [Reading("task-clock", 1.234567, "msec"), Reading("seconds time elapsed", 0.001563456, "s")]
    assert "start of the program" in facts(readings).why_absent("cpu.busy_cores")


def test_cores_that_no_machine_has_are_left_out():
    assert (
        facts([Reading("task-clock", 5.0, ""), Reading("seconds time elapsed", 5.0, "s")]).get("cpu.busy_cores") is None
    )


@pytest.mark.parametrize(
    ("event", "value", "unit"), [("cpu-clock", 16045.4, "msec"), ("event-runtime", 16045374810.0, "ns")]
)
def test_slots_of_a_machine_that_mostly_sleeps_are_doubted(event, value, unit):
    """A second of 16 cores, published as lines of JSON: 2.5 billion clocks, 37 % of whose slots waited for instructions."""
    slots = [Reading("topdown-fe-bound", 36.7, "%")]
    idle = facts([Reading(event, value, unit), Reading("cycles", 2497454658.0, ""), *slots]).fact("cpu.frontend_share")
    busy = facts([Reading(event, value, unit), Reading("cycles", 32e9, ""), *slots]).fact("cpu.frontend_share")
    assert (idle.value, idle.provenance) == (pytest.approx(0.367), Provenance.ESTIMATED)
    assert "slept for the most part" in idle.source
    assert busy.provenance is Provenance.MEASURED


def test_slots_that_hold_fewer_instructions_than_ended_are_no_shares():
    """A published page had 2.2 % retiring at 4.12 instructions per clock: bad speculation of 97 % was said with high confidence."""
    counts = (Reading("instructions:u", 175007954055.0, ""), Reading("cycles:u", 42444050519.0, ""))
    kinds = {"topdown-retiring": 2.2, "topdown-bad-spec": 96.8, "topdown-fe-bound": 0.7, "topdown-be-bound": 0.4}
    slots = tuple(Reading(event, share, "%") for event, share in kinds.items())
    assert "both cannot be" in facts((*counts, *slots)).why_absent("cpu.speculation_share")
    fits = (Reading("instructions", 2.4e9, ""), Reading("cycles", 6e9, ""))
    assert facts((*fits, *slots)).get("cpu.speculation_share") == pytest.approx(0.968), (
        "0.4 fit into 2.2 % of ten pairs"
    )


@pytest.mark.parametrize(("worked_ms", "how"), [(1.66, Provenance.ESTIMATED), (166.0, Provenance.MEASURED)])
def test_slots_of_a_program_that_works_for_a_moment_are_those_of_its_start(worked_ms, how):
    readings = (
        Reading("task-clock", worked_ms, "msec"),
        Reading("seconds time elapsed", worked_ms / 800, "s"),
        *(Reading(event, share, "%") for event, share in
          (("topdown-retiring", 33.7), ("topdown-bad-spec", 12.9), ("topdown-fe-bound", 16.4), ("topdown-be-bound", 37.0))),
    )  # fmt: skip
    assert facts(readings).fact("cpu.backend_share").provenance is how
