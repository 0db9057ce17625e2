import os
import subprocess
import sys
import time

import pytest

from hotloop.errors import MachineError, MissingExtraError
from hotloop.host import settings, toolchain
from hotloop.host.toolchain import Tool, ToolSilentError, run

PYTHON = Tool("python", (sys.executable, "-c"), "system")


def test_output_status_and_folder_of_a_tool(tmp_path):
    body = "import os, sys; print(os.getcwd(), os.environ['TMPDIR']); print('said', file=sys.stderr); sys.exit(3)"
    ran = run(PYTHON, [body], 60, folder=tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (3, f"{tmp_path} {tmp_path}\n", "said\n")
    assert ran.signal is None
    assert ran.duration_ns > 0


def test_a_signal_is_told(tmp_path):
    assert run(PYTHON, ["import os; os.abort()"], 60, folder=tmp_path).signal == 6


def test_a_silent_tool_is_killed_with_everything_it_started(tmp_path):
    body = (
        "import subprocess, time, pathlib\n"
        "child = subprocess.Popen(['sleep', '600'])\n"
        f"pathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(child.pid))\n"
        "time.sleep(600)"
    )
    with pytest.raises(ToolSilentError, match="no answer within 3 s"):
        run(PYTHON, [body], 3, folder=tmp_path)
    pid = int((tmp_path / "pid").read_text())
    assert ended(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="prlimit(2) is Linux's")
def test_a_tool_whose_parent_is_killed_ends_by_its_own_limit(tmp_path):
    body = (
        "import resource, time\n"
        "while resource.getrlimit(resource.RLIMIT_CPU)[0] < 0: time.sleep(0.01)\n"
        "print(*resource.getrlimit(resource.RLIMIT_CPU))"
    )
    most_s = 60 * os.cpu_count() + 1
    assert run(PYTHON, [body], 60, folder=tmp_path).stdout == f"{most_s} {most_s}\n"


def test_what_a_tool_leaves_running_is_killed(tmp_path):
    body = "import subprocess; print(subprocess.Popen(['sleep', '600'], stdout=-3, stderr=-3).pid)"
    assert ended(int(run(PYTHON, [body], 60, folder=tmp_path).stdout))


def ended(pid, patience_s=10):
    deadline_s = time.monotonic() + patience_s
    while time.monotonic() < deadline_s:
        state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
        if not state or state.startswith("Z"):
            return True
        time.sleep(0.05)
    return False


def test_a_program_that_is_not_there_is_an_error_of_the_machine(tmp_path):
    with pytest.raises(MachineError, match=r"compiler \(/no/such/program\) cannot be started: No such file"):
        run(Tool("compiler", ("/no/such/program",), "system"), [], 1, folder=tmp_path)


def test_missing_packages_name_their_extra(monkeypatch, tmp_path):
    monkeypatch.setattr(toolchain, "package", lambda name: None)
    monkeypatch.setattr(toolchain, "_CUDA_FOLDERS", ())
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtraError, match=r"pip install 'hotloop\[amd\]'"):
        toolchain.clang()
    with pytest.raises(MissingExtraError, match=r"pip install 'hotloop\[triton\]'"):
        toolchain.ptxas(90)
    assert toolchain.nvcc() is None
    assert toolchain.device_libraries() == ()


def test_packages_are_found_without_being_imported():
    name = next(name for name in ("xml", "wsgiref") if name not in sys.modules or name == "wsgiref")
    before = set(sys.modules)
    assert toolchain.package(name).is_dir()
    assert set(sys.modules) == before
    assert toolchain.package("no_such_package_anywhere") is None


def test_changes_come_on_top_of_the_environment():
    assert toolchain.environment(HOTLOOP_X="1") == {**os.environ, **settings.child_path(), "HOTLOOP_X": "1"}
