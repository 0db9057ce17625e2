"""What a simulator that could run nothing says: nothing, which is no failure of the kernel where nobody asked for it."""

import pytest

from hotloop.app.verify.sanitize import SanitizeAnswer, hides
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Space


@pytest.mark.parametrize(
    ("answer", "silent", "passed"),
    [
        (SanitizeAnswer((), ()), True, False),
        (SanitizeAnswer((), ("p",)), False, True),
        (SanitizeAnswer((), (), ("p: it did not run",)), False, False),
        (SanitizeAnswer((), ("p",), ("p: wrong",)), False, False),
    ],
)
def test_only_what_ran_says_something(answer, silent, passed):
    assert (answer.silent, answer.passed) == (silent, passed)


@pytest.mark.parametrize(
    ("text", "looked_at"),
    [
        ("barrier(CLK_LOCAL_MEM_FENCE);", True),
        ("*total += c;", True),
        ("(*total)++;", True),
        ("++*total;", True),
        ("k(__global const int *e, __global int *out) { const int u = e[i]; out[u] += 2; }", True),
        ("k(__global const int *e, __global int *out) { const int u = 2 * i; out[u] += e[u]; }", False),
        ("y[i] = x[i] * 2;", False),
        ("const float *p = x + i; y[i] += *p;", False),
        ("total[i] += a * b;", False),
    ],
)
def test_a_text_that_a_cpu_may_get_right_by_luck_is_simulated(text, looked_at):
    made = Implementation("a", "opencl", Space(()), Config(), lambda p, c, d: Program("opencl", text))
    assert hides(Variant(made, Config()), Problem("any", Record(n=1)), None) is looked_at
