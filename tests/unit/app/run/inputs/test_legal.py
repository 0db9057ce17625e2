"""Made-up inputs that the file's functions answer, but for which no kernel could be right."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.app.run.inputs.legal import supposed
from hotloop.model.kernel import Empty, Kernel, Work
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.verify.cases import Case
from hotloop.verify.oracle import expect

QUOTIENTS = Kernel(
    family="quotients", problem=Problem("quotients", Record(n=4)),
    inputs=lambda p, rng: {"a": np.arange(4, dtype="i4"), "b": np.array([3, -1, 5, -7], "i4"), "q": Empty((4,), "int32")},
    reference=lambda p, i: {"q": i["a"] // i["b"]}, work=lambda p: Work(1, 1), implementations=(), varied=True,
)  # fmt: skip
DRAWN = QUOTIENTS.inputs(QUOTIENTS.problem, np.random.default_rng(1))
ZEROS = {**DRAWN, "b": np.array([0, -1, 4, -8], "i4")}


@pytest.mark.parametrize(("drawn", "legal"), [(DRAWN, False), (ZEROS, True)])
def test_a_whole_number_is_divided_by_zero_only_where_the_file_draws_that_too(drawn, legal):
    def answer(_case, given):
        return expect(QUOTIENTS, QUOTIENTS.problem, given)

    case = Case(QUOTIENTS.problem, "ties", 1, 0)
    found = supposed(QUOTIENTS, case, ZEROS, answer, lambda: answer(case, drawn))
    assert (found is not None) == legal
    assert supposed(QUOTIENTS, case, DRAWN, answer, lambda: answer(case, DRAWN)) is not None
