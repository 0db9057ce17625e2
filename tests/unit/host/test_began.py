"""Since when a command's time counts."""

import subprocess
import sys
import time

from hotloop.host import clock

CODE = """
import time
time.sleep(0.5)
from hotloop.host import clock
print(clock.SystemClock().monotonic_s() - clock.began_s())
"""


def test_a_process_knows_when_it_began():
    began_s = time.monotonic()
    told = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert 0.4 <= float(told.stdout) <= time.monotonic() - began_s + 0.1


def test_a_process_that_does_other_things_has_no_command():
    assert clock.command_s() is None


def test_the_time_before_a_command_counts_once():
    clock.command()
    assert clock.command_s() is not None
    assert clock.command_s() is None
