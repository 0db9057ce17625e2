"""What faster kernels mean for a whole program."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.captures import whole
from hotloop.captures.nouns import Capture, Captured, Launched

BLUR = whole.Part(program="python p.py (2 more)", made="today", wall_s=10.0, kernel="blur", kernel_s=6.0, speedup=6.0, low=3.0, high=12.0)  # fmt: skip
EDGES = replace(BLUR, kernel="edges", kernel_s=2.0, speedup=2.0, low=1.0, high=4.0)


def test_everything_else_stays_as_long():
    found = whole.predicted([BLUR])
    assert found.speedup == pytest.approx(10 / (4 + 1))
    assert found.low == pytest.approx(10 / (4 + 2))
    assert found.high == pytest.approx(10 / (4 + 0.5))


def test_kernels_of_one_capture_add_up():
    assert whole.predicted([BLUR, EDGES]).speedup == pytest.approx(10 / (2 + 1 + 1))
    told = whole.sentence([BLUR, EDGES])
    assert "2.50× (" in told
    assert "blur, edges took 80.0 % of its 10.0 s" in " ".join(told.split())


def test_what_says_nothing_is_not_told():
    assert whole.sentence([]) == ""
    assert whole.sentence([BLUR, replace(EDGES, made="yesterday")]) == ""


def test_a_program_that_is_all_kernel_gains_no_more_than_can_be_told():
    alone = replace(BLUR, kernel_s=10.0, speedup=1e6, low=1e6, high=1e6)
    assert whole.predicted([alone]).speedup == pytest.approx(100)


@pytest.mark.parametrize(
    "parts",
    [
        [replace(BLUR, kernel_s=9.0, speedup=0.9, low=0.89, high=0.91, share_low=0.1, share_high=0.95)],
        [
            replace(BLUR, speedup=10.0, low=10.0, high=10.0, share_low=0.6, share_high=0.6),
            replace(EDGES, kernel_s=6.0, speedup=1.1, low=1.1, high=1.1, share_low=0.3, share_high=0.7),
        ],
    ],
)
def test_the_interval_has_its_value_and_no_share_is_above_all(parts):
    found = whole.predicted(parts)
    assert found.low <= found.speedup <= found.high
    assert f"took {'100' if len(parts) > 1 else '90'}" in " ".join(whole.sentence(parts).split())


def test_a_launch_of_no_time_in_a_program_that_is_all_kernel_is_no_error():
    launched = Launched(grid=(1,), group=None, arguments=(), calls=4, times_ns=(4e9, 0.0, 4e9, 4e9))
    kernel = Captured(name="blur", entry="blur", language="opencl", source="blur.cl", launches=(launched,))
    capture = Capture(
        command=("p",), folder="", made="today", tool="", returncode=0, ended="itself", wall_s=10.0, recording_s=0.0,
        processes=1, cut=0, kernels=(kernel,),
    )  # fmt: skip
    found = whole.part(capture, kernel, (2.0, 1.5, 3.0))
    assert found is not None
    assert (found.share_low, found.share, found.share_high) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("busy_s", "units", "busy_ns", "crowded"),
    [(5.0, 2, (), True), (12.0, 2, (), False), (5.0, 0, (), False), (None, 2, (), False), (9.0, 2, (9e9, 1e9), True), (9.0, 2, (9e9, 8e9), False)],
)  # fmt: skip
def test_a_machine_that_others_used_is_told(busy_s, units, busy_ns, crowded):
    launched = Launched(grid=(1,), group=None, arguments=(), calls=2, times_ns=(9e9, 4e9), busy_ns=busy_ns)
    kernel = Captured(name="blur", entry="blur", language="opencl", source="blur.cl", launches=(launched,))
    capture = Capture(
        command=("python", "p.py"), folder="", made="today", tool="", returncode=0, ended="itself", wall_s=20.0, recording_s=1.0,
        processes=1, cut=0, kernels=(kernel,), busy_s=busy_s,
    )  # fmt: skip
    found = whole.part(capture, kernel, (2.0, 1.5, 3.0), units=units)
    assert found is not None
    assert found.crowded is crowded
    if not (crowded and busy_ns):
        assert (found.wall_s, found.kernel_s) == (19.0, 8.0)
    assert ("other processes were in the way" in whole.sentence([found])) is crowded


def test_on_a_crowded_machine_the_share_is_of_the_processors_time():
    """Launches that had a quarter of a core, beside a host that had all of one: by the clock they are nearly all of the program."""
    launched = Launched(grid=(1,), group=None, arguments=(), calls=10, times_ns=(8e9,) * 10, busy_ns=(2e9,) * 10)
    kernel = Captured(name="blur", entry="blur", language="opencl", source="blur.cl", launches=(launched,))
    capture = Capture(
        command=("p",), folder="", made="", tool="", returncode=0, ended="itself", wall_s=92.0, recording_s=2.0, processes=1, cut=0,
        kernels=(kernel,), busy_s=31.0, recording_busy_s=1.0,
    )  # fmt: skip
    found = whole.part(capture, kernel, (2.0, 2.0, 2.0), units=2)
    assert found is not None
    assert (found.wall_s, found.kernel_s) == (20.0, 10.0), "20 s of two cores and 10 s of one"
    prediction = whole.predicted([found])
    assert prediction.speedup == pytest.approx(20 / 15)
    assert prediction.low == pytest.approx(20 / 15), "the least of 10 in 20, 20 in 30 and, by the clock, 80 in 90"
    assert prediction.high == pytest.approx(90 / 50)
    assert whole.processor([found]) == pytest.approx(30 / 20), (
        "of 30 s of the processor launches had 20, which become 10"
    )
    assert whole.processor([replace(found, building_s=5.0)]) == pytest.approx(30 / 25)
    assert "in processor time, which these change least, 1.50×" in whole.sentence([found])
    assert whole.processor([replace(found, busy_s=None)]) is None


def test_launches_that_differ_widen_the_interval():
    launched = Launched(
        grid=(1,), group=None, arguments=(), calls=8, times_ns=(9.0, 0.5e9, 1e9, 1e9, 1e9, 1e9, 1e9, 2e9)
    )
    kernel = Captured(name="blur", entry="blur", language="opencl", source="blur.cl", launches=(launched,))
    capture = Capture(
        command=("p",), folder="", made="", tool="", returncode=0, ended="itself", wall_s=16.0, recording_s=0.0, processes=1, cut=0, kernels=(kernel,)
    )  # fmt: skip
    found = whole.part(capture, kernel, (2.0, 2.0, 2.0))
    assert found is not None
    assert found.share == pytest.approx(0.5)
    assert (found.share_low, found.share_high) == (pytest.approx(1 / 3), pytest.approx(2 / 3))


def test_a_program_that_compiles_longer_than_it_gains_is_told():
    short = replace(BLUR, building_s=9.0)
    assert whole.predicted([short]).speedup < 1
    assert "would be slower" in whole.sentence([short])
    assert "would be slower" not in whole.sentence([BLUR])


def test_time_that_the_program_hides_is_not_promised():
    found = whole.predicted([replace(BLUR, hidden=0.9)])
    assert found.speedup == pytest.approx(10 / (10 - 0.6 * 5 / 6))
    assert found.low == pytest.approx(10 / (10 - 0.6 * 2 / 3))
    assert found.high == whole.predicted([BLUR]).high  # recording takes the program's time, too
    assert "90.0 % of that passes while the program prepares" in whole.sentence([replace(BLUR, hidden=0.9)])


@pytest.mark.parametrize(("hidden", "told"), [((0.5, 1.0), 0.875), ((None, 1.0), 1.0), ((None, None), 0.0)])
def test_hidden_time_is_weighed_by_what_launches_take(hidden, told):
    launches = tuple(
        Launched(grid=(1,), group=None, arguments=(), calls=2, times_ns=(ns, ns, ns), hidden=share)
        for ns, share in zip((1e3, 3e3), hidden, strict=True)
    )
    kernel = Captured(name="k", entry="k", language="triton", source="k.py", launches=launches)
    assert kernel.hidden == pytest.approx(told)
