"""Results that a launch does not write whole: reported, unless its own numbers or what memory holds say that no more was meant."""

from dataclasses import replace

import numpy as np
import pytest

from hotloop.app.emulate.execute import Adversary, Backend, execute
from hotloop.app.emulate.otherwise import ragged
from hotloop.app.emulate.outputs import unwritten
from hotloop.app.emulate.task import Step, Task
from hotloop.compilers import executor
from hotloop.emulate.launch import Execution
from hotloop.emulate.program import load
from hotloop.emulate.sanitizer.findings import Trouble

BACKENDS = [
    Backend.NUMPY,
    pytest.param(Backend.NATIVE, marks=pytest.mark.skipif(executor.native() is None, reason="no compiler")),
]
COPY = """
v_lshlrev_b32_e32 v1, 2, v0
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0)
{mask}
s_and_saveexec_b64 s[8:9], vcc
global_store_dword v1, v2, s[6:7]
"""
FIRST = "v_cmp_gt_u32_e32 vcc, {0}, v0"
POSITIVE = "v_cmp_lt_f32_e32 vcc, 0.5, v2"


def told(listing, mask, numbers=(), backend=Backend.NUMPY, outputs=frozenset({"y"}), body=COPY, shape=(64,), grid=1):
    text = "; -- Begin function k\n" + listing(body.format(mask=mask))
    step = Step(program=load(text), listing=text, arguments=("x", "y"), grid=(grid, 1, 1), workgroup=(64, 1, 1))
    arrays = {"x": np.arange(64, dtype=np.float32), "y": np.zeros(shape, np.float32)}
    task = Task(
        label="k",
        target="gfx942",
        steps=(step,),
        arrays=arrays,
        fresh=frozenset({"y"}),
        outputs=outputs,
        sizes=frozenset(numbers),
    )
    return execute(task, Adversary(backend=backend))


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_tail_that_a_mask_drops_is_never_written(listing, backend):
    (one,) = told(listing, FIRST.format(60), backend=backend).findings
    assert one.finding.trouble is Trouble.UNWRITTEN
    assert one.finding.text == "elements 60 to 63 of y are never written (4 of 64)"
    assert one.finding.instruction.startswith("global_store_dword v1, v2")


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_written_whole_and_what_is_no_result_are_silent(listing, backend):
    assert told(listing, FIRST.format(64), backend=backend).passed
    assert told(listing, FIRST.format(60), backend=backend, outputs=frozenset()).passed


def test_single_elements_gaps_and_nothing_at_all(listing):
    assert "element 63 of y is never written (1 of 64)" in told(listing, FIRST.format(63)).findings[0].finding.text
    odd = "v_and_b32_e32 v3, 1, v0\nv_cmp_eq_u32_e32 vcc, 0, v3"
    assert "element 1, and more, of y are never written (32 of 64)" in told(listing, odd).findings[0].finding.text
    (none,) = told(listing, "s_mov_b64 vcc, 0").findings
    assert none.finding.text == "nothing is written to y, which holds nothing yet (64 elements)"


@pytest.mark.parametrize(
    ("numbers", "passed"),
    [((60,), True), ((12, 5), True), ((60, 64), True), ((12, 5, 64), False), ((61,), False), ((), False)],
)
def test_a_length_that_the_launch_was_told_is_meant(listing, numbers, passed):
    answer = told(listing, FIRST.format(60), numbers)
    assert answer.passed is passed
    assert (
        any("the launch's own numbers end what is written after 60 elements" in note for note in answer.notes) is passed
    )


def test_rows_that_are_padded_are_meant(listing):
    columns = "v_and_b32_e32 v3, 15, v0\nv_cmp_gt_u32_e32 vcc, 10, v3"
    assert told(listing, columns, (10,), shape=(4, 16)).passed
    assert told(listing, columns, (10, 16)).passed
    assert not told(listing, columns, (11,), shape=(4, 16)).passed
    assert not told(listing, columns, (10,)).passed  # nobody says that rows are 16 apart


def test_half_of_an_array_that_fits_is_no_sign_of_padding(listing):
    assert not told(listing, FIRST.format(32), (2, 16, 4)).passed
    assert not told(listing, FIRST.format(32), (32, 2)).passed
    assert not told(listing, FIRST.format(63), (63,)).passed  # begins of rows, and the last one's end
    assert told(listing, FIRST.format(32), (32,)).passed  # an array twice as large as the launch was told
    assert not told(listing, FIRST.format(32), (32,), shape=(2, 32)).passed  # the second of two rows is missing
    findings = told(
        listing, FIRST.format(32), (32,), grid=2
    ).findings  # of two groups the second writes nothing of its own
    assert [one.finding.trouble for one in findings] == [Trouble.UNWRITTEN]


def test_where_memory_decides_what_is_written_it_is_a_remark(listing):
    answer = told(listing, POSITIVE)
    assert answer.passed
    assert answer.notes == ("element 0 of y is never written (1 of 64): contents of memory decide what is written",)


def test_a_kernel_without_a_store_has_no_effect(listing):
    (one,) = told(listing, "", body="s_nop 0").findings
    assert one.finding.text == "the kernel stores nothing to device memory, so it has no effect"
    assert told(listing, "", body="s_nop 0", outputs=frozenset()).passed  # a reference tells what it was to write


def test_where_no_record_was_kept_nothing_is_said(listing):
    text = listing(COPY.format(mask=FIRST.format(60)))
    step = Step(program=load(text), listing=text, arguments=("x", "y"), grid=(1, 1, 1), workgroup=(64, 1, 1))
    task = Task(label="k", target="gfx942", steps=(step,), arrays={}, outputs=frozenset({"y"}))
    done = Execution(arrays=(), findings=(), counts=np.zeros(9, int), waves=1, executed=1)
    assert unwritten(task, [done]) == ([], [])


HALF = """
    v_cmp_gt_u32_e64 s[10:11], 32, v0
    v_cmp_lt_f32_e32 vcc, 0.5, v2
    s_and_b64 vcc, vcc, s[10:11]
"""
EQUAL = "v_cmp_eq_f32_e32 vcc, 4.0, v2"


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_no_contents_write_is_reported_though_contents_decide_about_the_rest(listing, backend):
    (one,) = told(listing, HALF, backend=backend).findings
    assert (
        one.finding.text == "elements 32 to 63 of y are never written (32 of 64), nor with other contents of the inputs"
    )


@pytest.mark.parametrize("mask", [POSITIVE, EQUAL])
def test_where_contents_decide_alone_nothing_is_reported(listing, mask):
    answer = told(listing, mask)
    assert answer.passed
    assert "contents of memory decide" in answer.notes[0]


COUNTED = """
    s_lshl_b32 s9, s2, 6
    v_add_u32_e32 v3, s9, v0
    s_load_dword s8, s[4:5], 0x0
    s_waitcnt lgkmcnt(0)
    s_ashr_i32 s8, s8, {shift}
    v_cmp_gt_i32_e32 vcc, s8, v3
    v_lshlrev_b32_e32 v1, 2, v3
    s_and_saveexec_b64 s[8:9], vcc
    global_store_dword v1, v3, s[6:7]
"""


@pytest.mark.parametrize("shift", [0, 2])
@pytest.mark.parametrize(("elements", "count"), [(1024, 40), (1024, 900), (4096, 400)])
def test_a_number_of_elements_that_stands_in_memory_is_a_remark(listing, elements, count, shift):
    """Whichever contents hold the largest number, as elements or bytes, write most, and the rest may be written with others."""
    text = "; -- Begin function k\n" + listing(COUNTED.format(shift=shift))
    step = Step(program=load(text), listing=text, arguments=("x", "y"), grid=(elements // 64, 1, 1), workgroup=(64, 1, 1))  # fmt: skip
    arrays = {"x": np.array([count], np.int32), "y": np.zeros(elements, np.int32)}
    task = Task(label="k", target="gfx942", steps=(step,), arrays=arrays, fresh=frozenset({"y"}), outputs=frozenset({"y"}))  # fmt: skip
    answer = execute(task, Adversary(backend=Backend.NUMPY))
    assert answer.passed
    assert "contents of memory decide" in answer.notes[0]


ROWS = """
    v_lshlrev_b32_e32 v1, 2, v0
    s_lshl_b32 s9, s2, 2
    s_load_dword s8, s[4:5], s9
    s_waitcnt lgkmcnt(0)
    v_cvt_u32_f32_e32 v3, s8
    v_lshlrev_b32_e32 v3, 8, v3
    v_add_u32_e32 v1, v1, v3
    v_cmp_gt_u32_e32 vcc, {mask}, v0
    s_and_saveexec_b64 s[8:9], vcc
    global_store_dword v1, v0, s[6:7]
"""


@pytest.mark.parametrize(("columns", "passed"), [(60, False), (64, True)])
def test_columns_that_no_contents_write_are_reported_in_rows_that_contents_choose(listing, columns, passed):
    answer = told(listing, columns, body=ROWS, shape=(8, 64), grid=5)
    assert answer.passed == passed
    if not passed:
        (one,) = answer.findings
        assert one.finding.text.endswith("never written (32 of 512), nor with other contents of the inputs")


RAGGED = """
    s_lshl_b32 s9, s2, 2
    s_load_dwordx2 s[10:11], s[4:5], s9
    s_waitcnt lgkmcnt(0)
    s_sub_i32 s11, s11, s10
    s_sub_i32 s11, s11, {less}
    v_add_u32_e32 v1, s10, v0
    v_lshlrev_b32_e32 v1, 2, v1
    v_cmp_gt_i32_e32 vcc, s11, v0
    s_and_saveexec_b64 s[8:9], vcc
    global_store_dword v1, v0, s[6:7]
"""


@pytest.mark.parametrize(
    ("begins", "less", "found"), [([0, 20, 24, 64], 1, 1), ([0, 20, 24, 64], 0, 0), ([0, 20, 24, 60], 1, 0)]
)
def test_rows_whose_begins_end_with_the_result_are_meant_to_be_written_whole(listing, begins, less, found):
    text = "; -- Begin function k\n" + listing(RAGGED.format(less=less))
    step = Step(program=load(text), listing=text, arguments=("x", "y"), grid=(3, 1, 1), workgroup=(64, 1, 1))
    arrays = {"x": np.array(begins, np.int32), "y": np.zeros(64, np.int32)}
    task = Task(label="k", target="gfx942", steps=(step,), arrays=arrays, fresh=frozenset({"y"}), outputs=frozenset({"y"}))  # fmt: skip
    answer = execute(task, Adversary(backend=Backend.NUMPY))
    assert [one.finding.text.split(" of y")[0] for one in answer.findings] == ["element 19, and more,"] * found
    assert bool(answer.notes) is (begins[-1] < 64)


def test_begins_and_lengths_that_fit_together_say_where_rows_are():
    arrays = {
        "y": np.zeros((4, 80)), "at": np.array([0, 37, 47]), "long": np.array([37, 10, 33], np.int32), "which": np.array([2, 0, 1]),
        "shorter": np.array([0, 30, 70]),
    }  # fmt: skip
    task = Task(label="k", target="gfx942", steps=(), arrays=arrays, fresh=frozenset({"y"}))
    assert ragged(task, "y") == {"at", "long"}
    padded = replace(task, arrays={**arrays, "y": np.zeros((3, 37, 80))})  # words of sentences, each of 80 numbers
    assert not ragged(padded, "y")


def test_a_result_is_reported_where_every_store_goes_elsewhere(listing):
    """That contents decide about the stores to another array is no reason."""
    body = COPY.replace("s[6:7]", "s[4:5]")
    answer = told(listing, POSITIVE, body=body)
    assert [one.finding.text for one in answer.findings] == [
        "nothing is written to y, which holds nothing yet (64 elements)"
    ]


TICKET = """
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v2, 1
    v_cmp_eq_u32_e32 vcc, 0, v0
    s_and_saveexec_b64 s[8:9], vcc
    {look}
    s_waitcnt vmcnt(0)
    v_readfirstlane_b32 s10, v3
    s_mov_b64 exec, s[8:9]
    s_cmp_lg_u32 s10, {place}
    s_cbranch_scc1 .Lend
    v_lshlrev_b32_e32 v1, 2, v0
    global_store_dword v1, v0, s[6:7]
.Lend:
"""
ADD, LOOK = "global_atomic_add v3, v1, v2, s[4:5] sc0", "global_load_dword v3, v1, s[4:5]"


@pytest.mark.parametrize(("look", "place", "reported"), [(ADD, 2, True), (ADD, 1, False), (LOOK, 2, False)])
def test_a_result_that_the_last_group_should_have_written_is_reported(listing, look, place, reported):
    """Of two groups the tickets are 0 and 1, so nobody has 2; what memory holds may be another number the next time."""
    answer = told(listing, "", body=TICKET.format(look=look, place=place), grid=2)
    assert [one.finding.trouble for one in answer.findings] == [Trouble.UNWRITTEN] * reported


PASSED_ON = """
    v_lshlrev_b32_e32 v1, 2, v0
    v_mov_b32_e32 v5, 0
    v_mov_b32_e32 v2, 1
    global_load_dword v4, v1, s[4:5]
    v_cmp_eq_u32_e32 vcc, 0, v0
    s_and_saveexec_b64 s[8:9], vcc
    {look}
    s_waitcnt vmcnt(0)
    ds_write_b32 v5, v3 offset:512
    s_mov_b64 exec, s[8:9]
    s_waitcnt vmcnt(0)
    ds_write_b32 v1, v4
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v3, v5 offset:512
    ds_read_b32 v4, v1
    s_waitcnt lgkmcnt(0)
    v_readfirstlane_b32 s10, v3
    s_cmp_lg_u32 s10, {place}
    s_cbranch_scc1 .Lend
    global_store_dword v1, v4, s[6:7]
.Lend:
"""


@pytest.mark.parametrize(("look", "place", "reported"), [(ADD, 2, True), (ADD, 1, False), (LOOK, 2, False)])
def test_a_ticket_may_go_to_the_other_waves_through_local_memory(listing, look, place, reported):
    """Where loaded numbers go, too: then the result must stay unwritten with other contents, and an atomic must decide."""
    body = PASSED_ON.format(look=look.replace("v1,", "v5,"), place=place)
    answer = told(lambda text: listing(text, lds=1024), "", body=body, grid=2)
    assert [one.finding.trouble for one in answer.findings if one.finding.trouble is Trouble.UNWRITTEN] == [
        Trouble.UNWRITTEN
    ] * reported


CHOSEN = """
    s_load_dword s8, s[4:5], 0x4
    s_waitcnt lgkmcnt(0)
    s_cmp_gt_i32 s8, 0x3f000000
    s_cselect_b32 s10, s4, s6
    s_cselect_b32 s11, s5, s7
    v_lshlrev_b32_e32 v1, 2, v0
    global_store_dword v1, v0, s[10:11]
"""
VCHOSEN = """
    v_mov_b32_e32 v5, 0
    global_load_dword v5, v5, s[4:5] offset:4
    s_waitcnt vmcnt(0)
    v_cmp_lt_f32_e32 vcc, 0.5, v5
    v_mov_b32_e32 v1, s6
    v_mov_b32_e32 v2, s4
    v_cndmask_b32_e32 v6, v1, v2, vcc
    v_mov_b32_e32 v1, s7
    v_mov_b32_e32 v2, s5
    v_cndmask_b32_e32 v7, v1, v2, vcc
    v_lshlrev_b32_e32 v1, 2, v0
    v_add_co_u32_e32 v6, vcc, v6, v1
    v_addc_co_u32_e32 v7, vcc, 0, v7, vcc
    global_store_dword v[6:7], v0, off
"""


@pytest.mark.parametrize("body", [CHOSEN, VCHOSEN], ids=["one for all", "each lane"])
def test_an_array_that_contents_choose_instead_of_another_need_not_be_written(listing, body):
    answer = told(listing, "", body=body)
    assert answer.passed
    assert "contents of memory decide" in answer.notes[0]
