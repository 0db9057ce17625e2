"""Memory beside pages without access: its own bytes are free, the next one ends the process."""

from __future__ import annotations

import signal
import subprocess
import sys

import numpy as np
import pytest

from hotloop.host.fence import Fence, FenceError
from hotloop.ports import APART, CLOSE, END, PLACES, START

_BEHIND = {CLOSE: range(1), END: range(128), APART: range(4096, 4097)}

TOUCH = """
import ctypes, sys
from hotloop.host.fence import Fence
made = Fence(int(sys.argv[1]), sys.argv[2])
first = made.payload.ctypes.data
ctypes.string_at(first, int(sys.argv[1]))
print("inside", flush=True)
ctypes.string_at(first + int(sys.argv[3]), 1)
print("beyond", flush=True)
"""


@pytest.mark.parametrize("size_bytes", [1, 100, 128, 4096, 70_000])
@pytest.mark.parametrize("place", PLACES)
def test_the_payload_is_aligned_writable_and_as_long_as_asked(size_bytes, place):
    made = Fence(size_bytes, place)
    assert made.payload.size == size_bytes
    assert place in (CLOSE, APART) or made.payload.ctypes.data % 128 == 0
    made.payload[:] = 7
    made.before[:] = 1
    made.behind[:] = 2
    assert (made.payload == 7).all()
    assert made.before.size == 0 if place == START else made.behind.size in _BEHIND[place]


def test_an_empty_payload_has_a_byte_that_can_be_pointed_at():
    made = Fence(0, START)
    assert made.payload.size == 1
    np.testing.assert_array_equal(made.payload, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="mprotect and signals as on Linux")
@pytest.mark.parametrize(("end", "size", "place"), [("end", 4096, 4096), ("start", 4096, -1), ("close", 4001, 4001)])
def test_the_next_byte_ends_the_process(end, size, place):
    ran = subprocess.run(
        [sys.executable, "-c", TOUCH, str(size), end, str(place)], capture_output=True, text=True, check=False
    )
    assert ran.stdout == "inside\n"
    assert ran.returncode in (-signal.SIGSEGV, -signal.SIGBUS)


def test_more_than_there_is_raises():
    with pytest.raises(FenceError):
        Fence(1 << 60, END)


def test_who_writes_what_is_sealed_is_ended():
    code = (
        "from hotloop.host.fence import Fence; from hotloop.ports import END\n"
        "made = Fence(1000, END); made.payload[:] = 1; made.seal(); assert made.payload[5] == 1; print('read', flush=True); made.payload[5] = 2"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout == "read\n"
    assert ran.returncode == -signal.SIGSEGV
