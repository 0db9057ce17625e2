"""``hotloop profile`` with the real perf, where this machine has one and lets it count."""

import shutil
import sys
from pathlib import Path

import pytest

from hotloop.app.profile.answer import profile
from hotloop.app.profile.profiled import REQUEST, Request
from hotloop.app.session import Options, open_engine
from hotloop.errors import MachineError, UsageError

NULL = str(Path(__file__).with_name("null_kernel.py"))
needs_perf = pytest.mark.skipif(shutil.which("perf") is None, reason="perf is not installed")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def counted(**changes):
    answer = profile(Request(**changes, limit_s=250.0), Options(limit_s=250.0))
    if not answer.record.counted:
        pytest.skip(answer.record.trouble)
    return answer


def clock(answer):
    return next(one.value for one in answer.record.readings if one.event.startswith("task-clock"))


@needs_perf
def test_only_the_launches_that_count_are_counted():
    kernel = counted(spec=NULL, folder="kernel", launches=4)
    assert kernel.record.counted_launches == 4
    assert [step.status for step in kernel.record.steps] == ["done"]
    assert not (kernel.folder / "control").exists()
    program = (sys.executable, "-c", "import numpy, cattrs, hotloop.engine.bench")
    whole = counted(command=program, tool="perf", folder="program")
    assert whole.record.counted_launches is None
    assert clock(whole) > 5 * clock(kernel)  # starting Python and loading NumPy is not part of a kernel


@needs_perf
def test_a_kernel_on_the_cpu_is_explained_from_its_code():
    with open_engine(Options()) as engine:
        try:
            engine.select("", "opencl")
        except MachineError as error:
            pytest.skip(str(error))
    answer = counted(spec="gemm", shape="64x64x64", launches=2)
    assert answer.record.tool == "perf"
    assert answer.explanation is not None
    assert answer.explanation.findings


def test_a_kernel_without_a_profiler(monkeypatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    answer = profile(Request(spec=NULL, tool="ncu", launches=1), Options())
    assert "ncu does not count on Null device" in answer.record.trouble
    assert answer.explanation is None
    assert answer.unexplained
    assert (answer.folder / REQUEST).exists()


def test_a_candidate_that_fails_is_told_before_any_profiler_starts(tmp_path):
    with pytest.raises(UsageError, match="does not run: .*see hotloop check"):
        profile(Request(spec=f"{NULL}@W=1,DEPTH=3,TRICK=typo"), Options())
    with pytest.raises(UsageError, match="does not launch 'other'; it launches copy"):
        profile(Request(spec=NULL, kernel="other"), Options())
    assert not list(tmp_path.glob("profile-*"))
