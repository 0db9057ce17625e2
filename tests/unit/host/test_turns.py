"""Turns at a GPU, between processes."""

import subprocess
import sys
import tempfile

import pytest

from hotloop.host import turns

HOLD = """
import sys
from hotloop.host.turns import Turn
with Turn("H200", {}, alone=sys.argv[1] == "alone"):
    print("has it", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def others(tmp_path, monkeypatch):
    """Return a function that starts a process which holds its turn until its standard input is closed."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    held = []

    def hold(how):
        process = subprocess.Popen(
            [sys.executable, "-c", HOLD, how], stdin=-1, stdout=-1, text=True, env={"TMPDIR": str(tmp_path)}
        )
        held.append(process)
        assert process.stdout.readline() == "has it\n"
        return process

    yield hold
    for process in held:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(("other", "alone"), [("alone", True), ("alone", False), ("beside", True)])
def test_whoever_times_is_waited_for_and_waits(others, other, alone, tmp_path):
    holder, marker = others(other), tmp_path / "ending"
    code = f"import time, os, pathlib; time.sleep(0.5); pathlib.Path({str(marker)!r}).touch(); os.kill({holder.pid}, 9)"
    ending = subprocess.Popen([sys.executable, "-c", code])
    with turns.Turn("H200", {}, alone=alone):
        assert marker.exists()
    assert ending.wait() == 0


def test_who_does_not_time_shares_and_other_gpus_are_free(others):
    others("beside")
    with turns.Turn("H200", {}, alone=False), turns.Turn("H200", {"CUDA_VISIBLE_DEVICES": "1"}, alone=True):
        pass
    with turns.Turn("MI300X", {}, alone=True):
        pass


def test_without_a_place_for_locks_nobody_waits(monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    with turns.Turn("H200", {}, alone=True):
        pass
