"""Which launches stand for a kernel."""

from dataclasses import replace

from hotloop.profilers.summary import summarised
from hotloop.profiles.launches import chosen
from hotloop.profiles.profile import Dispatch, Profile


def profile(*launches):
    return Profile(tool="t", source="s", dispatches=launches, kernels=summarised(launches))


def launch(duration_ns=None, items=1024, start_ns=None, passes=(), **counters):
    return Dispatch(kernel="k", grid_items=items, workgroup_items=64, duration_ns=duration_ns, start_ns=start_ns,
                    counters=counters, passes=passes)  # fmt: skip


def pick(*launches):
    found = profile(*launches)
    return chosen(found, found.kernels[0])


def test_a_first_touch_is_not_averaged_with_what_follows():
    found = pick(launch(430e6, SQ_INSTS_VALU=5.0, TCC_HIT_sum=9e6), launch(0.63e6, SQ_INSTS_VALU=5.0, TCC_HIT_sum=4.0))
    assert found.duration_ns == 0.63e6
    assert found.cold_ns == 430e6
    assert found.values["TCC_HIT_sum"] == 4
    assert "set apart as cold" in found.notes[0]


def test_the_first_launch_is_told_by_time_not_by_place():
    found = pick(launch(10.0, start_ns=500), launch(12.0, start_ns=700), launch(99.0, start_ns=100))
    assert found.cold_ns == 99


def test_a_launch_that_stumbled_is_set_apart_only_if_it_did_the_same():
    same = [launch(t, SQ_INSTS_VALU=7.0, SQ_BUSY_CYCLES=t) for t in (17.0, 14.0, 45.0)]
    assert pick(*same).duration_ns == 15.5
    assert pick(*same).values["SQ_BUSY_CYCLES"] == 15.5, "its counters go with it"
    other = [launch(t, SQ_INSTS_VALU=t) for t in (14.0, 15.0, 45.0)]
    assert pick(*other).duration_ns == 74 / 3, "three times the work takes three times as long"
    assert "took 14.0 ns to 45.0 ns" in pick(*other).notes[0]
    unknown = [launch(t) for t in (14.0, 15.0, 45.0)]
    assert pick(*unknown).duration_ns == 74 / 3, "nothing tells that the work was the same"


def test_each_pass_says_by_its_own_clock_which_launch_stumbled():
    waits = [{"SQ_WAIT_ANY": w, "SQ_INSTS_VALU": 7.0} for w in (55.7, 24.0, 23.0)]
    busy = [{"SQ_BUSY_CYCLES": b} for b in (5.0, 5.0, 5.2)]
    found = pick(*(launch(15.0, passes=(one, two), **one, **two) for one, two in zip(waits, busy, strict=True)))
    assert found.passes[0]["SQ_WAIT_ANY"] == 23.5
    assert found.passes[1]["SQ_BUSY_CYCLES"] == 15.2 / 3
    assert found.cold_ns is None, "the times say that no launch was cold"


def test_a_pass_without_a_clock_leaves_out_what_stumbled_in_most_others():
    slow = (1.0, 1.0, 3.0, 1.0, 2.8)
    busy, lanes = [{"SQ_BUSY_CYCLES": s} for s in slow], [{"SQ_THREAD_CYCLES_VALU": 64 * s} for s in slow]
    rows = [launch(s, passes=(one, two), **one, **two) for s, one, two in zip(slow, busy, lanes, strict=True)]
    assert pick(*rows).values == {"SQ_BUSY_CYCLES": 1.0, "SQ_THREAD_CYCLES_VALU": 64.0}


def test_launches_of_several_sizes_are_no_launches_of_one_problem():
    found = pick(launch(5.0, items=64), launch(100.0, items=4096), launch(120.0, items=4096), launch(6.0, items=64))
    assert found.duration_ns == 110
    assert found.example.grid_items == 4096
    assert "of 4 launches in 2 sizes the 2 of 4096 work-items" in found.notes[0]


def test_without_times_the_size_with_the_most_work_items_stands_for_the_kernel():
    found = pick(launch(items=64), launch(items=1 << 20), launch(items=64))
    assert found.example.grid_items == 1 << 20
    assert "have the most work-items together, as no time is told" in found.notes[0]


def test_launches_that_end_before_they_begin_are_told():
    forward = [replace(launch(30.0), start_ns=start, end_ns=start + 30) for start in (100, 300)]
    found = pick(*forward, replace(launch(), start_ns=220, end_ns=200))
    assert found.duration_ns == 30
    assert "1 of 3 launches end before they begin" in found.notes[0]


def test_sums_alone_say_how_far_the_launches_lie_apart():
    full = profile(*(launch(t) for t in (1.0, 9.0)))
    found = chosen(Profile(tool="t", source="s", kernels=full.kernels), full.kernels[0])
    assert found.duration_ns == 5
    assert "2 launches took 1.00 ns to 9.00 ns" in found.notes[0]


def test_launches_ten_times_as_long_are_of_another_problem_unless_they_did_the_same():
    found = pick(launch(11.2, share=30.0), launch(812.0, share=92.0), launch(10.9, share=31.0))
    assert (found.duration_ns, found.values["share"]) == (812, 92)
    assert "took 10.9 ns to 812 ns: the 1 that take the most time together" in found.notes[0]
    many = pick(*(launch(10.0) for _ in range(99)), launch(120.0))
    assert many.duration_ns == 10, "what takes the most time together"
    assert pick(*(launch(t) for t in (10.0, 10.1, 812.0, 10.0, 10.2))).duration_ns < 11, "one among many met a fault"
    same = pick(*(launch(t, SQ_INSTS_VALU=7.0) for t in (10.0, 11.0, 812.0)))
    assert same.duration_ns == 10.5
    assert "for the same work" in same.notes[0]
    assert pick(launch(900.0), launch(10.0), launch(11.0)).cold_ns == 900, "a cold one stays apart"


def test_a_device_that_is_slower_than_the_others_is_named():
    def on(device, time):
        return replace(launch(time), device=device)

    found = pick(*(on(f"Agent {n}", 16.0 if n == 3 else 10.0 + n / 10) for n in range(1, 5) for _ in range(2)))
    assert found.notes[-1] == "device Agent 3 took 16.0 ns where 3 others took 10.2 ns"
    assert not any("device" in note for note in pick(*(on(f"{n}", 10.0 + n) for n in range(3))).notes)
    assert pick(on("0", 10.0), on("1", 14.0)).notes[-1] == "device 1 took 14.0 ns where 1 other took 10.0 ns"


def test_without_times_clocks_tell_how_long_the_first_launch_took():
    found = pick(launch(SQ_BUSY_CYCLES=800.0), launch(SQ_BUSY_CYCLES=4.0), launch(SQ_BUSY_CYCLES=4.0))
    assert (found.cold_ratio, found.total_ratio, found.cold_ns) == (200, 202, None)
    assert "200 times as many clocks" in found.notes[0]
    timed = pick(launch(800.0, SQ_BUSY_CYCLES=800.0), launch(4.0, SQ_BUSY_CYCLES=4.0))
    assert timed.cold_ratio is None
