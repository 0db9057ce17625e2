"""What a file's own text and tolerance say of a check that failed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hotloop.app.verify.failed import hints, parameters
from hotloop.model.check import CaseResult, CheckReport, Guard
from hotloop.model.kernel import Empty, Kernel, Tolerance
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Array, Input, Launch, Program
from hotloop.model.record import Record

PROBLEM = Problem("sums", Record(n=64))


def kernel(x, **changes):
    made = Kernel(
        family="sums",
        problem=PROBLEM,
        inputs=lambda p, rng: {"x": x, "y": Empty((1,)), "n": 64},
        reference=lambda p, i: {"y": np.asarray(i["x"], "f8").sum(keepdims=True)},
        work=lambda p: Work(1, 1),
        implementations=(),
        varied=True,
    )
    return replace(made, **changes)


def program(header, *names):
    arguments = tuple(Input(name, "int32") if name == "n" else Array(name) for name in names)
    return Program("opencl", f"__kernel void k({header}) {{}}", (), (Launch("k", arguments, (64,)),))


def report(guard=Guard.REFERENCE, error=1e-7):
    failed = CaseResult(
        problem=PROBLEM.key, distribution="normal", seed=1, passed=False, reason="wrong", output="y", guard=guard, max_err=error,
        worst_ratio=9.0,
    )  # fmt: skip
    return CheckReport((failed,))


SINGLE, DOUBLE, WHOLE = np.ones(64, "f4"), np.ones(64), np.arange(64, dtype="i4")
RIGHT = "__global const float *x, __global float *restrict y, const int n"


@pytest.mark.parametrize(
    ("x", "header", "names", "told"),
    [
        (DOUBLE, RIGHT, ("x", "y", "n"), "takes x as float *, and gets float64"),
        (WHOLE, RIGHT, ("x", "y", "n"), "takes x as float *, and gets int32"),
        (WHOLE.astype("u1"), RIGHT, ("x", "y", "n"), "takes x as float *, and gets uint8"),
        (
            SINGLE,
            "__global float *x, __global float *y, const float n",
            ("x", "y", "n"),
            "takes n as float, and gets int32",
        ),
        (
            SINGLE,
            "__global float *y, /* b, c */ __global float *x, int n",
            ("x", "y", "n"),
            "takes y, x, n, and gets x, y, n",
        ),
        (SINGLE, "__global float *out, __global float *y, int n", ("x", "y", "n"), ""),
        (SINGLE, "__global const uchar *x, __global float4 *y, unsigned int n", ("x", "y", "n"), ""),
        (SINGLE, "__global TYPE *x, __global float *y, int n", ("x", "y", "n"), ""),
        (SINGLE, RIGHT, ("x", "y"), ""),
    ],
)
def test_arguments_of_another_type_or_in_another_order_are_told(x, header, names, told):
    found = hints(kernel(x), program(header, *names), PROBLEM, report(Guard.INPUTS))
    assert len(found) == bool(told)
    assert told in "".join(found)


@pytest.mark.parametrize(
    ("guard", "error", "changes", "told"),
    [
        (Guard.REFERENCE, 1e-4, {}, "magnitude, the same sums of absolute values; tolerance=hl.Tolerance(terms=...)"),
        (Guard.REFERENCE, 1e-4, {"tolerance": Tolerance(terms=lambda p: 64.0, absolute=1e-9)}, "does not: magnitude, the same sums of absolute values"),
        (Guard.REFERENCE, 1e-4, {"magnitude": lambda p, i: {"y": np.array([64.0])}}, "does not: tolerance=hl.Tolerance(terms=...)"),
        (Guard.REFERENCE, 0.5, {}, ""),
        (Guard.INPUTS, 1e-4, {}, ""),
    ],
)  # fmt: skip
def test_errors_of_roundings_size_name_what_the_tolerance_lacks(guard, error, changes, told):
    found = hints(kernel(SINGLE, **changes), program(RIGHT, "x", "y", "n"), PROBLEM, report(guard, error))
    assert len(found) == bool(told)
    assert told in "".join(found)


def test_what_a_tolerance_lacks_is_told_of_the_file_s_own_small_sizes_too():
    small = Problem("sums", Record(n=1))
    made = kernel(SINGLE, awkward=lambda p: (small,), tolerance=Tolerance(terms=lambda p: float(p.n)))
    failed = replace(report(Guard.REFERENCE, 1e-7).cases[0], problem=small.key)
    found = hints(made, program(RIGHT, "x", "y", "n"), PROBLEM, CheckReport((failed,)))
    assert "absolute=..., an error that results near zero may have" in "".join(found)
    assert "terms=..." in "".join(found), "one at this size, whatever it is at others"
    other = replace(failed, problem="sums[n=3]")
    assert hints(made, program(RIGHT, "x", "y", "n"), PROBLEM, CheckReport((other,))) == ()


def test_headers_of_c_plus_plus_are_read():
    text = 'extern "C" __global__ void __launch_bounds__(64) k(const double *__restrict__ x, int n) {}'
    assert parameters(text, "k") == [("double", True, "x"), ("int", False, "n")]
    assert parameters("void k(float *x);", "k") == []


def test_a_size_that_the_file_does_not_name_is_told_with_the_word_that_rules_it_out():
    made = kernel(SINGLE, tolerance=Tolerance(terms=lambda p: 64))
    far = replace(report().cases[0], problem="sums[n=4194369]")
    told = hints(made, program(RIGHT, "x", "y", "n"), PROBLEM, CheckReport((far,)))
    assert told == (
        "hotloop chose n=4194369, the file names none beyond 64; if the kernel is not meant for it, say domain=dict(n='at most 64')",
    )
    assert hints(made, program(RIGHT, "x", "y", "n"), PROBLEM, CheckReport((far, report().cases[0])))[:1] != told
