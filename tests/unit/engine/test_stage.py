"""The note that a worker leaves about what it is at."""

import subprocess
import sys

import pytest

from hotloop.engine import stage
from hotloop.engine.stage import Stage

SCRIPT = """
import sys, time
from pathlib import Path
from hotloop.engine.stage import Stage
with Stage(Path(sys.argv[1])).within(sys.argv[2], 0.05):
    time.sleep(60)
"""


@pytest.mark.parametrize("name", ["build", "execute"])
def test_the_system_ends_a_stage_and_the_note_stays(tmp_path, name):
    ended = subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path), name], check=False, timeout=30)
    assert ended.returncode == -14
    assert stage.left(tmp_path) == name


def test_a_stage_that_ends_in_time_leaves_neither_alarm_nor_note(tmp_path):
    with Stage(tmp_path).within("build", 3600.0):
        assert stage.left(tmp_path) == "build"
    assert stage.left(tmp_path) == "execute"


@pytest.mark.parametrize("content", [None, b"", b"x", b"build" * 1000])
def test_a_note_that_cannot_be_read_says_nothing(tmp_path, content):
    if content is not None:
        (tmp_path / stage.NAME).write_bytes(content)
    assert stage.left(tmp_path) == "execute"
