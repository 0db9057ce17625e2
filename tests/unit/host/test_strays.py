import os
import subprocess
import sys
import time

import pytest

from hotloop.host import strays

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
SLEEP = "import time; print('up', flush=True); time.sleep(60)"
DAEMON = "import os\nif os.fork(): os._exit(0)\nos.setsid()\nif os.fork(): os._exit(0)\n" + SLEEP


@pytest.fixture
def start():
    """Return a function that starts Python with a mark and waits until it runs."""
    made = []

    def begin(mark, code=SLEEP):
        environment = {**os.environ, strays.MARK: mark}
        made.append(subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE))
        assert made[-1].stdout.readline() == b"up\n"
        return made[-1]

    yield begin
    for process in made:
        process.kill()
        process.wait()
        process.stdout.close()


def test_whoever_carries_the_mark_is_killed_and_nobody_else(start, tmp_path):
    mine, other, longer = (start(f"{tmp_path}{end}") for end in ("", "/other", "x"))
    assert strays.kill(str(tmp_path)) == 1
    assert mine.wait(10) == -9
    assert other.poll() is None
    assert longer.poll() is None
    assert strays.kill(str(tmp_path)) == 0


def test_a_process_that_was_only_forked_and_left_its_group_is_found(start, tmp_path):
    gone = start(str(tmp_path), DAEMON)
    gone.wait()
    began_s = time.monotonic()
    assert strays.kill(str(tmp_path)) == 1
    assert gone.stdout.read() == b""  # the daemon held the other end of the pipe
    assert time.monotonic() - began_s < 30


def test_nothing_is_killed_for_no_mark_nor_this_process_for_its_own(monkeypatch):
    assert strays.kill("") == 0
    monkeypatch.setenv(strays.MARK, "mine")
    assert strays.kill("mine") == 0


def test_several_marks_are_looked_for_together(start, tmp_path):
    mine = [start(f"{tmp_path}/{number}") for number in range(3)]
    other = start(f"{tmp_path}/4")
    assert strays.kill(*(f"{tmp_path}/{number}" for number in range(3)), "") == 3
    assert [one.wait(10) for one in mine] == [-9] * 3
    assert other.poll() is None
