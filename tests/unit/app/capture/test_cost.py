from types import SimpleNamespace

import pytest

from hotloop.app.capture.cost import _cost, costs
from hotloop.app.session import Options

BYTES_PER_S = 1e9


def cost(took_ns, obstacle="", threads=1):
    """Return what is told of a kernel that moves 1000 bytes at 1 GB/s, so at least 1000 ns, in a program of 10 µs."""
    launch = SimpleNamespace(call_ns=took_ns, total_ns=took_ns, bytes=1000, calls=1, threads=1)
    one = SimpleNamespace(
        name="k",
        language="triton",
        calls=1,
        total_ns=took_ns,
        launches=(launch,),
        refused="",
        obstacle=obstacle,
        further=0,
        hidden=0.0,
        threads=threads,
    )
    capture = SimpleNamespace(wall_s=1e-5, recording_s=0.0, total_ns=took_ns)
    return _cost(one, took_ns, capture, BYTES_PER_S)


@pytest.mark.parametrize(
    ("took_ns", "roof", "gain"), [(4000.0, 0.25, 10 / 7), (1000.0, 1.0, 1.0), (980.0, 1.0, 1.0), (920.0, 1.0, 1.0)]
)
def test_a_share_of_the_roof_is_at_most_one(took_ns, roof, gain):
    row = cost(took_ns)
    assert (row.roof, row.gain, row.note) == (pytest.approx(roof), pytest.approx(gain), "")


def test_what_is_much_quicker_than_memory_has_no_share():
    row = cost(500.0)
    assert (row.roof, row.note) == (None, "its arrays come from a cache")
    assert row.gain == pytest.approx(10 / 9.5)


def test_times_that_overlap_promise_nothing_for_the_program():
    row = cost(4000.0, threads=2)
    assert (row.gain, row.roof) == (None, 0.25)
    assert "from several threads or processes at once: its times overlap" in row.note


def test_a_kernel_that_cannot_be_launched_again_says_so_in_the_table():
    assert cost(4000.0, obstacle="its argument 0 is an image").note == "cannot be optimized: its argument 0 is an image"


@pytest.mark.parametrize(("obstacle", "reach", "worthwhile"), [("", 10 / 7, True), ("it is strange", 1.0, False)])
def test_what_cannot_be_optimized_is_not_worth_tuning(obstacle, reach, worthwhile):
    launch = SimpleNamespace(call_ns=3000.0, total_ns=3000.0, bytes=0, calls=1, threads=1)
    one = SimpleNamespace(
        name="k", language="triton", calls=1, total_ns=3000.0, launches=(launch,), refused="", obstacle=obstacle,
        further=0, hidden=0.0, threads=1,
    )  # fmt: skip
    capture = SimpleNamespace(kernels=(one,), wall_s=1e-5, recording_s=0.0, total_ns=3000.0)
    found = costs(capture, lambda _: None, Options(), measure=False)
    assert (found.gain, found.reach, found.worthwhile) == (pytest.approx(10 / 7), pytest.approx(reach), worthwhile)
