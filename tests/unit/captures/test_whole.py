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
    ("busy_s", "processor", "crowded"),
    [(5.0, True, True), (12.0, True, False), (5.0, False, False), (None, True, False)],
)
def test_a_machine_that_others_used_is_told(busy_s, processor, crowded):
    launched = Launched(grid=(1,), group=None, arguments=(), calls=2, times_ns=(9e9, 4e9))
    kernel = Captured(name="blur", entry="blur", language="opencl", source="blur.cl", launches=(launched,))
    capture = Capture(
        command=("python", "p.py"), folder="", made="today", tool="", returncode=0, ended="itself", wall_s=20.0, recording_s=1.0,
        processes=1, cut=0, kernels=(kernel,), busy_s=busy_s,
    )  # fmt: skip
    found = whole.part(capture, kernel, (2.0, 1.5, 3.0), processor=processor)
    assert found is not None
    assert (found.wall_s, found.kernel_s, found.crowded) == (19.0, 8.0, crowded)
    assert ("other processes were in the way" in whole.sentence([found])) is crowded
