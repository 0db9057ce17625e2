"""Each wait and barrier taken away is reported, changes the result, or is proven redundant."""

import numpy as np
import pytest

from hotloop.app.emulate.deletions import deletions
from hotloop.app.emulate.task import Step, Task
from hotloop.emulate.program import load
from hotloop.emulate.sanitizer.deletion import Need
from hotloop.errors import UsageError

TURN = """
v_lshlrev_b32_e32 v1, 2, v0
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0)
ds_write_b32 v1, v2
s_waitcnt lgkmcnt(0)
s_barrier
s_barrier
v_xor_b32_e32 v3, 0x3fc, v1
ds_read_b32 v4, v3
s_waitcnt vmcnt(0)
s_waitcnt lgkmcnt(0)
global_store_dword v1, v4, s[6:7]
"""


def task(text):
    step = Step(program=load(text), listing=text, arguments=("x", "y"), grid=(1, 1, 1), workgroup=(256, 1, 1))
    arrays = {"x": np.arange(256, dtype=np.float32), "y": np.zeros(256, np.float32)}
    return Task(label="turn", target="gfx942", steps=(step,), arrays=arrays, fresh=frozenset({"y"}))


def test_what_is_doubled_is_redundant_and_the_rest_needed(listing):
    told = []
    rows = deletions(task(listing(TURN, lds=1024)), 10_000, told.append)
    assert [(one.done, one.whole) for one in told] == [(n + 1, 7) for n in range(7)]
    found = [(row.instruction, row.need) for row in rows]
    assert found == [
        ("s_waitcnt lgkmcnt(0)", Need.REPORTED),
        ("s_waitcnt vmcnt(0)", Need.REPORTED),
        ("s_waitcnt lgkmcnt(0)", Need.REPORTED),
        ("s_barrier", Need.REDUNDANT),
        ("s_barrier", Need.REDUNDANT),
        ("s_waitcnt vmcnt(0)", Need.REDUNDANT),
        ("s_waitcnt lgkmcnt(0)", Need.REPORTED),
    ]
    assert "other barriers order" in rows[3].why
    assert "on any path" in rows[5].why
    assert rows[1].why.startswith("missing wait: line ")


def test_a_kernel_that_is_wrong_is_not_asked(listing):
    with pytest.raises(UsageError, match="is reported for missing wait as it is"):
        deletions(task(listing(TURN.replace("s_waitcnt vmcnt(0)", "s_nop 0", 1), lds=1024)), 10_000)
