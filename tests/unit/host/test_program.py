import signal
import sys

import pytest

from hotloop.host import program

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
