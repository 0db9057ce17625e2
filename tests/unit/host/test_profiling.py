import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hotloop.errors import MachineError
from hotloop.host import profiling


def run(body, limit_s=60.0, grace_s=5.0, mark="test-profiling"):
    return profiling.run(
        [sys.executable, "-c", body],
        limit_s,
        environment=dict(os.environ),
        mark=f"{mark}-{os.getpid()}",
        grace_s=grace_s,
    )


def gone(pid):
    for _ in range(500):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


ASKED = """
import os
from hotloop.host import profiling
profiling.run(["sh", "-c", "echo $$ > pid; kill -TERM $PPID; exec sleep 60"], 50.0, environment=dict(os.environ), mark="asked")
"""


def test_what_is_profiled_ends_with_who_is_asked_to_end(tmp_path):
    done = subprocess.run([sys.executable, "-c", ASKED], cwd=tmp_path, check=False, timeout=60)
    assert done.returncode == -signal.SIGTERM
    assert gone(int((tmp_path / "pid").read_text()))


def test_output_and_exit_code():
    ended = run("import sys; print('out'); print('err', file=sys.stderr); sys.exit(7)")
    assert (ended.returncode, ended.late) == (7, False)
    assert "out" in ended.output
    assert "err" in ended.output
    assert ended.duration_ns > 0


def test_a_flood_of_output_is_shortened_in_the_middle():
    ended = run("print('begin'); print('x' * 10_000_000); print('end')")
    assert ended.returncode == 0
    assert ended.output.startswith("begin")
    assert ended.output.rstrip().endswith("end")
    assert "bytes left out" in ended.output
    assert len(ended.output) < 200_000


def test_whoever_is_late_may_write_what_it_has(tmp_path):
    result = tmp_path / "partial"
    body = (
        "import pathlib, signal, sys, time\n"
        f"signal.signal(signal.SIGINT, lambda *_: (pathlib.Path({str(result)!r}).write_text('partial'), sys.exit(0)))\n"
        "print('ready', flush=True)\n"
        "time.sleep(600)"
    )
    ended = run(body, limit_s=5.0, grace_s=60.0)
    assert ended.late
    assert result.read_text() == "partial"


def test_who_ignores_the_request_is_killed_with_everything_it_started(tmp_path):
    pids = tmp_path / "pids"
    body = (
        "import os, signal, subprocess, time\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "near = subprocess.Popen(['sleep', '600'])\n"
        "far = subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
        f"open({str(pids)!r}, 'w').write(f'{{near.pid}} {{far.pid}}')\n"
        "time.sleep(600)"
    )
    ended = run(body, limit_s=5.0, grace_s=0.1)
    assert ended.late
    assert ended.returncode == -9
    assert all(gone(int(pid)) for pid in pids.read_text().split())


def test_a_program_that_is_not_there():
    with pytest.raises(MachineError, match="cannot be started: No such file"):
        profiling.run(["/no/such/program"], 1.0, environment={}, mark="none")


def test_tools_are_found_on_the_path_or_where_they_install_themselves(tmp_path, monkeypatch):
    tool = tmp_path / "ncu-of-test"
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    assert profiling.find("ncu-of-test", ()) is None
    assert profiling.find("ncu-of-test", (str(tmp_path),)) == str(tool)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert profiling.find("ncu-of-test", ()) == str(tool)


def test_pipes_are_made_and_a_second_time_refused(tmp_path):
    profiling.pipes(tmp_path / "a", tmp_path / "b")
    assert all(stat.S_ISFIFO((tmp_path / name).stat().st_mode) for name in "ab")
    with pytest.raises(MachineError, match="cannot create the pipe"):
        profiling.pipes(tmp_path / "a")


@pytest.mark.parametrize(
    ("version", "target"), [("90402", "gfx942"), ("90010", "gfx90a"), ("100300", "gfx1030"), ("0", "")]
)
def test_the_processor_of_an_amd_gpu(tmp_path, version, target):
    for place, line in enumerate(("gfx_target_version 0", f"gfx_target_version {version}")):
        (tmp_path / str(place)).mkdir()
        (tmp_path / str(place) / "properties").write_text(f"cpu_cores_count 0\n{line}\nbroken\n")
    assert profiling.amd_target(tmp_path) == target
    assert profiling.amd_target(tmp_path / "none") == ""
