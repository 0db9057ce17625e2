"""Which records of a file are launches of their own."""

from dataclasses import replace

from hotloop.profilers.summary import Summary
from hotloop.profiles.profile import Dispatch

LAUNCH = Dispatch(
    kernel="scale", dispatch_id=1, start_ns=1000, end_ns=3000, duration_ns=2000.0, counters={"SQ_WAVES": 64.0}
)


def test_the_same_record_twice_is_one_launch():
    summary = Summary()
    for launch in (LAUNCH, replace(LAUNCH, dispatch_id=2, start_ns=5000), LAUNCH, replace(LAUNCH)):
        summary.add(launch)
    assert [launch.dispatch_id for launch in summary.dispatches()] == [1, 2]
    assert summary.kernels()[0].duration_ns.count == 2


def test_records_that_differ_or_name_no_launch_stay():
    unnamed = replace(LAUNCH, dispatch_id=None)
    another_pass = replace(LAUNCH, counters={"SQ_WAVES": 64.0, "SQ_INSTS": 9.0})
    summary = Summary()
    for launch in (
        LAUNCH,
        another_pass,
        unnamed,
        unnamed,
        replace(LAUNCH, start_ns=None),
        replace(LAUNCH, start_ns=None),
    ):
        summary.add(launch)
    assert len(summary.dispatches()) == 6


def test_a_time_below_0_is_none():
    """Damaged pages have them: sums of them once made an explanation look for copies that are not there."""
    summary = Summary()
    summary.add(replace(LAUNCH, duration_ns=-5.0))
    assert summary.kernels()[0].duration_ns is None
    assert summary.dispatches()[0].duration_ns is None
