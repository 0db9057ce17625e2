"""Small results beside large ones: where an error of theirs is no rounding of the inputs."""

from __future__ import annotations

import numpy as np

from hotloop.model.kernel import Empty, Kernel
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record
from hotloop.verify.alone import most
from hotloop.verify.cases import Case
from hotloop.verify.guards import make_banded
from hotloop.verify.judge import judge
from hotloop.verify.oracle import Kind, conditioned, expect

PROBLEM = Problem("norms", Record(rows=24))
SIZES = np.where(np.arange(24) % 3 == 0, 1e-30, 1e20)


def norms(inputs):
    return {"y": np.sqrt((inputs["x"].astype("f8") ** 2).sum(-1))}


def sums(inputs):
    return {"y": np.cumsum(inputs["x"].astype("f8").sum(-1))}


def drawn(sizes):
    rng = np.random.default_rng(2)
    return {"x": (sizes[:, None] * rng.standard_normal((24, 8))).astype("f4"), "y": Empty((24,), "float32")}


def kernel(draw, domain=None):
    return Kernel(
        family="norms", problem=PROBLEM, inputs=lambda p, rng: draw, reference=lambda p, i: norms(i), work=lambda p: Work(0, 0),
        implementations=(), varied=True, domain=domain or {},
    )  # fmt: skip


def limit(reference, inputs):
    answer = reference(inputs)
    return most(np.full(24, 1e16), "y", (reference, inputs, answer))


def test_norms_of_small_rows_may_be_off_by_a_part_of_themselves_and_large_ones_by_what_rounding_does():
    found = limit(norms, drawn(SIZES))
    assert (found[::3] < 1e-30).all()
    assert np.isinf(found[1::3]).all()


def test_nothing_is_said_of_results_that_share_what_they_are_made_of():
    assert limit(sums, drawn(SIZES[::-1])) is None
    assert limit(lambda i: {"y": norms(i)["y"][i["of"]]}, {**drawn(SIZES), "of": np.arange(24)}) is None, "of parts"


def passes(made, drawn_sizes, domain, actual):
    """Tell whether results pass on made-up inputs of a file that draws others."""
    usual = drawn(drawn_sizes)
    user = kernel(usual, domain)
    expected = conditioned(
        user, PROBLEM, made, expect(user, PROBLEM, made), Kind(floats=True), expect(user, PROBLEM, usual)
    )
    arrays = {"x": make_banded(made["x"]), "y": make_banded(actual.astype("f4"))}
    return judge(user, Case(PROBLEM, "stretched", 0, 0, added=True), made, arrays, expected=expected).passed


def test_zeros_for_small_norms_pass_only_where_a_file_neither_draws_such_nor_says_that_every_value_is_legal():
    made = drawn(SIZES)
    right = norms(made)["y"]
    wrong = np.where(SIZES < 1, 0.0, right)
    ones = np.ones(24)
    assert passes(made, SIZES, {}, right)
    assert not passes(made, SIZES, {}, wrong)
    assert not passes(made, ones, {"x": "any"}, wrong)
    assert passes(made, ones, {}, wrong), "a kernel that is right to a rounding of the largest may be meant"
