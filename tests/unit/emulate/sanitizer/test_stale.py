"""What an earlier step left in local memory, read beside what was written since: in Triton's code a store is missing; C sees it, too."""

import numpy as np
import pytest

from hotloop.app.emulate.deletions import deletions
from hotloop.app.emulate.execute import Adversary, Backend, execute
from hotloop.app.emulate.task import Step, Task
from hotloop.compilers import executor
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.machine import Options
from hotloop.emulate.program import load
from hotloop.emulate.sanitizer.findings import Met, Trouble

HALVES = """
v_lshlrev_b32_e32 v1, 2, v0
v_lshlrev_b32_e32 v5, 3, v0
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0)
ds_write_b32 v1, v2
ds_write_b32 v1, v2 offset:1024
s_waitcnt lgkmcnt(0)
s_barrier
ds_read_b32 v3, v5
s_waitcnt lgkmcnt(0)
s_barrier
v_add_f32_e32 v3, v3, v2
ds_write_b32 v1, v3
ds_write_b32 v1, v3 offset:1024
s_waitcnt lgkmcnt(0)
s_barrier
ds_read_b32 v4, v5
s_waitcnt lgkmcnt(0)
global_store_dword v1, v4, s[6:7]
"""
LOST = "v3\ns_nop 0".join(HALVES.rsplit("v3\nds_write_b32 v1, v3 offset:1024", 1))
MARK = '\t.asciz\t"triton"\n'


def posed(listing, text, mark=MARK):
    listing = listing(text, lds=2048) + mark
    step = Step(program=load(listing), listing=listing, arguments=("x", "y"), grid=(1, 1, 1), workgroup=(256, 1, 1))
    arrays = {"x": np.arange(256, dtype=np.float32), "y": np.zeros(256, np.float32)}
    return Task(label="k", target="gfx942", steps=(step,), arrays=arrays, fresh=frozenset({"y"}))


@pytest.mark.parametrize("backend", [Backend.NUMPY, Backend.FASTEST])
def test_half_of_a_step_that_is_not_written_again(listing, backend):
    (one,) = execute(posed(listing, LOST), Adversary(backend=backend)).findings
    assert one.finding.trouble is Trouble.STALE
    assert one.finding.instruction == "ds_read_b32 v4, v5"
    assert one.finding.other_instruction == "ds_write_b32 v1, v2 offset:1024"


def test_clean_and_other_code(listing):
    assert not execute(posed(listing, HALVES), Adversary()).findings
    assert not execute(posed(listing, LOST, mark=""), Adversary()).findings


def stopped(listing, text, backend):
    task = posed(listing, text)
    step = task.steps[0]
    launch = Launch(arguments=list(task.arrays.values()), grid=step.grid, workgroup=step.workgroup, names=["x", "y"])
    with pytest.raises(Met) as met:
        run(step.program, launch, Options(first=True), backend=backend)
    return met.value.finding


@pytest.mark.parametrize(
    ("gone", "trouble"),
    [
        ("s_waitcnt vmcnt(0)\n", Trouble.WAIT),
        ("s_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 v3", Trouble.LOCAL_RACE),
        ("s_barrier\nv_add_f32_e32", Trouble.LOCAL_RACE),
    ],
)
def test_c_and_numpy_stop_at_the_same_finding(listing, gone, trouble):
    native = executor.native()
    if native is None:
        pytest.skip("no compiler of the package ziglang here")
    text = HALVES.replace(gone, gone.rpartition("\n")[2], 1)
    one, two = stopped(listing, text, native), stopped(listing, text, None)
    assert (one.trouble, one.text, one.line) == (two.trouble, two.text, two.line)
    assert one.trouble is trouble


def test_deletions_are_told_alike_with_and_without_c(listing, monkeypatch):
    rows = deletions(posed(listing, HALVES), 10_000)
    monkeypatch.setattr(executor, "native", lambda: None)
    assert rows == deletions(posed(listing, HALVES), 10_000)
