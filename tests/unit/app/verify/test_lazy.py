"""Notes on what a kernel file cannot see."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hotloop.app.verify.lazy import notes, serious
from hotloop.model.kernel import Empty, Implementation, Kernel
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Space
from hotloop.verify.cases import Case, UnvariedError, draw
from hotloop.verify.told.unread import unread


def kernel(shift, *, domain=None):
    def inputs(p, rng):
        x = rng.integers(-(2**31), 2**31, p.n, dtype=np.int32)
        return {"x": x, "y": Empty((p.n,), "int32"), "n": np.int32(p.n), "shift": shift(p, rng)}

    return Kernel(
        family="shift",
        problem=Problem("shift", Record(n=100)),
        inputs=inputs,
        reference=lambda p, i: {"y": i["x"].astype(np.int64) >> int(i["shift"])},
        work=lambda p: Work(1, 1),
        implementations=(Implementation("null", "null", Space(()), Config(), lambda p, c, d: Program("null", "")),),
        awkward=lambda p: (p.replace(n=1), p.replace(n=65)),
        domain=domain or {},
        varied=True,
    )


def about_shift(made):
    return [note for note in notes(made, made.problem, 1) if note.startswith("shift ")]


def test_a_whole_number_that_no_input_changes_is_told():
    (note,) = about_shift(kernel(lambda p, rng: np.int32(3)))
    assert "shift is 3 in every input" in note
    assert "domain=dict(shift='fixed')" in note


def test_a_number_that_is_drawn_anywhere_should_say_that_the_ends_of_its_type_are_legal():
    drawn = lambda p, rng: np.uint32(rng.integers(2**31, 2**32))  # noqa: E731
    made = replace(kernel(drawn), reference=lambda p, i: {"y": i["x"].astype(np.int64)})
    (note,) = about_shift(made)
    assert "domain=dict(shift='any')" in note
    for word in ("any", "range"):
        assert about_shift(replace(made, domain={"shift": word})) == []
    assert about_shift(kernel(lambda p, rng: np.uint32(rng.integers(1, 9)))) == []


def test_what_makes_a_verdict_worth_little_is_told_with_one_reference():
    made = kernel(lambda p, rng: np.int32(3))
    asked = []
    zeros = replace(made, reference=lambda p, i: asked.append(p) or {"y": np.zeros(100, np.int64)})
    assert serious(made, made.problem, 1) == ()
    assert serious(zeros, made.problem, 1) == ("all of y is 0: inputs make every answer trivial",)
    assert len(asked) == 1
    large = replace(zeros, work=lambda p: Work(1, 1 << 40))
    assert serious(large, made.problem, 1) == ()
    raising = replace(made, reference=lambda p, i: 1 // 0)
    assert serious(raising, made.problem, 1) == ()


@pytest.mark.parametrize(
    "made",
    [
        kernel(lambda p, rng: np.int32(rng.integers(1, 9))),
        kernel(lambda p, rng: np.int32(1 + p.n % 7)),
        kernel(lambda p, rng: np.int32(3), domain={"shift": "fixed"}),
        kernel(lambda p, rng: np.float32(3)),
    ],
    ids=("drawn", "by the size", "the file says so", "a fraction, which the check varies"),
)
def test_numbers_that_change_or_are_named_are_not(made):
    assert about_shift(made) == []


def counted(**words):
    """A file whose kernel takes counts that follow from the words, which its reference never reads."""

    def inputs(p, rng):
        x = rng.integers(0, 2**32, p.n, dtype=np.uint32)
        return {"x": x, "before": np.cumsum(x & 1), "y": Empty((p.n,), "int32")}

    reference = lambda p, x, before, y: {"y": x & 1}  # noqa: E731
    made = replace(kernel(lambda p, rng: 1), inputs=inputs, reference=lambda p, i: reference(p, **i), domain=words)
    return replace(made, unread=unread(reference))


@pytest.mark.parametrize(
    ("words", "stays"), [({}, True), ({"before": "sorted"}, True), ({"before": "any"}, False), ({"x": "any"}, False)]
)
def test_arrays_from_which_an_unread_one_follows_stay_as_drawn_unless_the_file_says_more(words, stays):
    made = counted(**words)
    case = Case(made.problem, "sorted", 1, 0)
    if stays:
        with pytest.raises(UnvariedError):
            draw(made, case)
    else:
        assert (np.diff(draw(made, case)["x"].astype("i8")) >= 0).all()


def test_an_array_that_the_reference_never_reads_is_told():
    told = [note for note in notes(counted(), counted().problem, 1) if "never reads before" in note]
    assert len(told) == 1
    assert "domain=dict(before='any')" in told[0]
    assert not any("never reads" in note for note in notes(counted(before="any"), counted().problem, 1))


def test_what_an_inner_function_or_locals_may_read_is_read():
    def inner(p, a, b, c, o):
        return {"o": [a for _ in range(3)] + [(lambda: b)()]}

    def whole(p, a):
        return locals()

    assert unread(inner) == {"p", "c"}
    assert unread(whole) == unread(np.add) == frozenset()


def test_an_output_that_always_begins_as_zeros_is_told():
    made = kernel(lambda p, rng: np.int32(rng.integers(0, 9)))
    begun = replace(made, inputs=lambda p, rng: {**made.inputs(p, rng), "y": np.zeros(p.n, np.int32)})
    told = [note for note in notes(begun, begun.problem, 1) if note.startswith("y begins as zeros")]
    assert len(told) == 1
    assert [
        note for note in notes(replace(begun, domain={"y": "fixed"}), begun.problem, 1) if "begins as" in note
    ] == []
    assert [note for note in notes(made, made.problem, 1) if "begins as" in note] == []
