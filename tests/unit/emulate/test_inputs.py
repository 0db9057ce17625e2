"""Inputs whose end is not read: the last element of each row, or what is left of the last block."""

import numpy as np
import pytest

from hotloop.app.emulate.execute import Adversary, Backend, execute
from hotloop.app.emulate.inputs import _little, dropped
from hotloop.app.emulate.task import Step, Task
from hotloop.compilers import executor
from hotloop.emulate.program import load

BACKENDS = [
    Backend.NUMPY,
    pytest.param(Backend.NATIVE, marks=pytest.mark.skipif(executor.native() is None, reason="no compiler")),
]
COPY = """
v_lshlrev_b32_e32 v1, 2, v0
v_mov_b32_e32 v2, 0
v_cmp_gt_u32_e32 vcc, {0}, v0
s_and_saveexec_b64 s[8:9], vcc
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0)
s_mov_b64 exec, s[8:9]
global_store_dword v1, v2, s[6:7]
"""


def told(listing, bound, backend=Backend.NUMPY, inputs=frozenset({"x"}), shape=(64,), sizes=frozenset()):
    text = listing(COPY.format(bound))
    step = Step(program=load(text), listing=text, arguments=("x", "y"), grid=(1, 1, 1), workgroup=(64, 1, 1))
    arrays = {"x": np.ones(shape, np.float32), "y": np.zeros(64, np.float32)}
    task = Task(
        label="k", target="gfx942", steps=(step,), arrays=arrays, fresh=frozenset({"y"}), inputs=inputs, sizes=sizes
    )
    return execute(task, Adversary(backend=backend))


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_end_that_a_mask_drops_is_never_read(listing, backend):
    """It is a note: a shift by one is meant to leave an end out."""
    answer = told(listing, 63, backend)
    (note,) = answer.notes
    assert answer.passed
    assert "element 63 of x is never read (1 of 64)" in note


@pytest.mark.parametrize("backend", BACKENDS)
def test_what_is_read_whole_or_by_half_or_not_asked_for_is_silent(listing, backend):
    assert told(listing, 64, backend).notes == ()
    assert told(listing, 32, backend).notes == ()
    assert told(listing, 63, backend, inputs=frozenset()).notes == ()


def rows(count, row, length):
    return np.tile(np.arange(row) < length, count)


@pytest.mark.parametrize(
    ("count", "row", "length", "shape", "known", "found"),
    [
        (5, 70, 69, (5, 70), (), (69, 70)),
        (5, 70, 64, (350,), (70,), (64, 70)),
        (5, 70, 64, (5, 70), (64,), None),
        (5, 70, 69, (350,), (), None),
        (5, 70, 60, (5, 70), (), None),
        (5, 70, 35, (5, 70), (), None),
        (1, 1000, 768, (1000,), (), (768, 1000)),
        (1, 1000, 500, (1000,), (), None),
        (1, 1000, 999, (1000,), (), (999, 1000)),
        (3, 250, 200, (3, 5, 50), (), (200, 250)),
        (3, 150, 100, (3, 3, 50), (), None),
        (3, 100, 50, (3, 2, 50), (), None),
    ],
)
def test_only_one_element_or_the_rest_of_a_block_counts(count, row, length, shape, known, found):
    assert dropped(rows(count, row, length), shape, known) == found


def test_stretches_that_differ_or_begin_later_say_nothing():
    assert dropped(np.arange(64) % 9 < 8, (64,), ()) is None
    assert dropped(np.arange(64) > 0, (64,), ()) is None


@pytest.mark.parametrize("backend", BACKENDS)
def test_an_input_that_is_hardly_read_is_a_note_unless_a_number_says_so(listing, backend):
    """Of 64 elements in a row of their own 22 are read; as many as a size of the launch says, or of a shape, is what was meant."""
    (note,) = told(listing, 22, backend).notes
    assert "only 22 of 64 elements of x are read" in note
    assert told(listing, 22, backend, shape=(64,), sizes=frozenset({22})).notes == ()
    assert told(listing, 16, backend, shape=(4, 16)).notes == ()


def test_fields_of_structures_are_no_part_that_somebody_forgot():
    rows = np.arange(640)
    assert not _little("x", rows % 16 < 3, (640,), ())
    assert "192 of 640" in _little("x", rows % 20 < 6, (640,), ())
    assert not _little("x", rows % 20 < 6, (640,), (6,))
    assert "200 of 640" in _little("x", (rows >= 300) & (rows < 500), (640,), (200,))
    assert not _little("x", rows % 2 < 1, (640,), ())
