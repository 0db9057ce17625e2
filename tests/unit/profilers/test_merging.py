import pytest

from hotloop.profilers.merging import Part, merged
from hotloop.profiles.profile import Dispatch


def part(name, kernel="k", waves=64.0, times=(1000.0, 1020.0), **counters):
    order = ("SQ_WAVES", *counters)
    rows = tuple(
        Dispatch(kernel=kernel, dispatch_id=i, duration_ns=t, counters={"SQ_WAVES": waves, **counters})
        for i, t in enumerate(times)
    )
    return Part(name, rows, order)


def test_counters_of_all_passes_and_times_of_the_first():
    times = Part("times", (Dispatch(kernel="k", duration_ns=900.0), Dispatch(kernel="k", duration_ns=910.0)))
    found = merged([times, part("pass 1", A=1.0), part("pass 2", B=2.0)])
    assert found.dispatches[1].counters == {"SQ_WAVES": 64.0, "A": 1.0, "B": 2.0}
    assert found.dispatches[1].duration_ns == 910.0
    assert found.agreement[0] == "SQ_WAVES is the same in 2 passes"


def test_times_that_agree_and_times_that_do_not():
    fine = merged([part("1"), part("2", times=(1050.0, 1060.0))])
    assert "durations agree within 4.5%" in " ".join(fine.agreement)
    assert fine.notes == ()
    apart = merged([part("1"), part("2", times=(1500.0, 1500.0))])
    assert any("durations of k differ by 49%" in note and "tolerance 10%" in note for note in apart.notes)
    assert not any("durations" in text for text in apart.agreement)


def test_passes_of_different_work_are_told():
    found = merged([part("1", A=1.0), part("2", waves=128.0, B=1.0)])
    assert any("counts another SQ_WAVES" in note for note in found.notes)
    assert not any("SQ_WAVES" in text for text in found.agreement)


def test_a_pass_with_other_launches_is_left_out():
    found = merged([part("1", A=1.0), part("2", kernel="other", B=1.0)])
    assert "B" not in found.dispatches[0].counters
    assert any("lists other launches" in note for note in found.notes)


def test_the_accumulator_is_named_after_its_level():
    parts = [
        part("1", SQ_LEVEL_WAVES=0.0, SQ_ACCUM_PREV_HIRES=10.0),
        part("2", SQ_INST_LEVEL_LDS=0.0, SQ_ACCUM_PREV_HIRES=20.0),
    ]
    counters = merged(parts).dispatches[0].counters
    assert counters["SQ_LEVEL_WAVES_ACCUM"] == 10.0
    assert counters["SQ_INST_LEVEL_LDS_ACCUM"] == 20.0
    assert "SQ_ACCUM_PREV_HIRES" not in counters


@pytest.mark.parametrize("parts", [[], [part("only")]])
def test_one_pass_or_none_has_nothing_to_agree_with(parts):
    found = merged(parts)
    assert found.agreement == ()
    assert found.notes == ()
