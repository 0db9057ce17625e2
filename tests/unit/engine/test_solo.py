"""The program that profilers wrap: on the fake device, with the pipes of a profiler that counts when it is told."""

import json
import subprocess
import sys
import threading

import numpy as np
import pytest

from hotloop.engine import laying, solo
from hotloop.errors import UsageError
from hotloop.host import profiling
from hotloop.host.arena import Arena
from hotloop.model.codec import encode
from hotloop.model.kernel import Empty
from hotloop.model.program import Array, Launch, Program

SOURCE = {"compute": "copy", "call_ns": 1000.0, "noise": 0.0}


@pytest.fixture
def request_file(tmp_path):
    """Write a request for the fake device and give its path; the arena goes with the test."""
    arena = Arena.create()

    def write(source=SOURCE, **changes):
        dataset = laying.write(arena, "set0", {"x": np.ones(64, np.float32), "y": Empty((64,), "float32")}, ("y",))
        program = Program(
            "null", json.dumps(source), launches=(Launch("copy", (Array("x"), Array("y")), (64,), (16,)),)
        )
        asked = solo.Request(program=program, dataset=dataset, arena=str(arena.path), **changes)
        path = tmp_path / "request.json"
        path.write_text(json.dumps(encode(asked)))
        return path

    yield write
    arena.remove()


def started(path):
    return subprocess.run([sys.executable, "-m", solo.MODULE, str(path)], capture_output=True, text=True, check=False)


def test_launches_that_count_come_after_the_warm_up(request_file):
    path = request_file(warmups=2, launches=4)
    ended = started(path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(json.loads(ended.stdout)["device_ns"]) == 4
    assert solo.read(path).warmups == 2


def test_counting_is_on_for_those_launches_only(request_file, tmp_path):
    control, answer = tmp_path / "control", tmp_path / "answer"
    profiling.pipes(control, answer)
    heard = []

    def listen():
        with control.open() as asked, answer.open("w") as said:
            for line in asked:
                heard.append(line.strip())
                said.write("ack\n")
                said.flush()

    listener = threading.Thread(target=listen)
    listener.start()
    spent = solo.run(solo.read(request_file(launches=3, control=str(control), answer=str(answer))))
    listener.join(timeout=60)
    assert heard == ["enable", "disable"]
    assert len(spent) == 3


@pytest.mark.parametrize(
    ("fault", "code", "words"), [("compile", 1, "does not compile"), ("refuse", 1, "cannot be launched")]
)
def test_a_candidate_that_fails_is_told_in_a_sentence(request_file, fault, code, words):
    ended = started(request_file({**SOURCE, "fault": fault}))
    assert ended.returncode == code
    assert ended.stderr.startswith(words)
    assert "Traceback" not in ended.stderr


def test_what_is_no_request_is_refused(tmp_path):
    (tmp_path / "r.json").write_text('{"program": 1}')
    with pytest.raises(UsageError, match="is no request"):
        solo.read(tmp_path / "r.json")
    ended = started(tmp_path / "missing.json")
    assert (ended.returncode, "Traceback" in ended.stderr) == (2, False)
