import signal
import sys

import pytest

from hotloop.host import program

INTERRUPTS_US = "import os, signal, sys, time; os.kill(os.getppid(), signal.SIGINT); time.sleep(0.2); sys.exit({})"
TELLS_US_TO_END = "import os, signal, time; os.kill(os.getppid(), signal.{}); time.sleep(5)"


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_program_is_not_left_alone_when_the_command_is_asked_to_end(name):
    def ours(_number, _frame):
        """Keep the test running where nobody hands the signal on."""

    number = signal.Signals[name]
    before = signal.signal(number, ours)
    try:
        left = program.run([sys.executable, "-S", "-c", TELLS_US_TO_END.format(name)], {}, None)
        assert signal.getsignal(number) is ours, "afterwards it is this process's own again"
    finally:
        signal.signal(number, before)
    assert left.returncode == -number
    assert not left.late


@pytest.mark.parametrize(("code", "stopped"), [(7, True), (0, False)])
def test_a_program_that_fails_after_ctrl_c_was_stopped_one_that_takes_it_for_its_end_was_not(code, stopped):
    left = program.run([sys.executable, "-S", "-c", INTERRUPTS_US.format(code)], {}, None)
    assert (left.returncode, left.stopped, left.late) == (code, stopped, False)


def test_ctrl_c_is_handed_on_to_a_program_that_does_not_hear_it_by_itself(monkeypatch):
    monkeypatch.setattr(program, "_GRACE_S", (0.3, 0.3))
    left = program.run([sys.executable, "-S", "-c", TELLS_US_TO_END.format("SIGINT")], {}, None)
    assert left.stopped
    assert left.wall_s < 4
