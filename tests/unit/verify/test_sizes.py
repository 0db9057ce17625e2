from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.kernels.reduction import KERNEL
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.verify.sizes import completed, multiple


def made(declared, word="", halving=False, asked=1000):
    kernel = replace(KERNEL, domain={"n": word} if word else {}, halving=halving)
    problem = Problem("k", Record(n=asked))
    found = completed(kernel, problem, tuple(problem.replace(n=n) for n in declared))
    return [one.integer("n") for one in found]


def test_sizes_that_a_file_forgot():
    assert made([]) == [1, 2, 999, 1001, 257]
    assert made([1, 7]) == [2, 999, 1001, 257]
    assert min(made([30, 101])) >= 30


@pytest.mark.parametrize(
    ("declared", "word", "halving"), [([64, 2], "", False), ([], "power of two", False), ([], "", True)]
)
def test_powers_of_two_stay_powers_of_two(declared, word, halving):
    found = made(declared, word, halving, asked=512)
    assert found
    assert all(one & (one - 1) == 0 for one in found)


def test_multiples_stay_multiples_and_what_never_changes_stays():
    assert all(one % 8 == 0 for one in made([8, 40]))
    assert all(one % 12 == 0 for one in made([], "multiple of 12", asked=1200))
    assert made([1000, 1000]) == []
    assert made([], "fixed") == []
    assert multiple("multiple of 12") == 12
    assert multiple("any") == 0
