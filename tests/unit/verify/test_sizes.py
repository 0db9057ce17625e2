from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from hotloop.kernels.reduction import KERNEL
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.verify.sizes import affordable, completed, endless, lengthened, most, multiple, narrowed, surpassed


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


def test_no_size_is_beyond_the_limit_that_a_file_states():
    assert made([], "at most 1000") == [1, 2, 999, 257]
    asked = Problem("k", Record(n=3000, m=8))
    found = lengthened(SimpleNamespace(domain={"n": "at most 70000", "m": "fixed"}, halving=False), asked, [])
    assert [one.sizes["n"] for one in found] == [65601]
    assert (most("at most 70000"), most("any")) == (70000, 0)


def test_longer_problems_pass_2_to_the_16_and_2_to_the_22_and_then_2_to_the_20():
    kernel = SimpleNamespace(domain={}, halving=False)
    asked = Problem("k", Record(n=3000, m=8))
    small = [asked.replace(n=1, m=8), asked.replace(n=65, m=8)]
    found = lengthened(kernel, asked, small)
    assert [one.sizes["n"] for one in found] == [65601, 4194369, 1048641]
    assert {one.sizes["m"] for one in found} == {8}


def test_where_many_long_rows_are_out_of_reach_one_is_tried_before_shorter_ones():
    asked = Problem("k", Record(n=3000, m=8))
    found = lengthened(SimpleNamespace(domain={"m": "fixed"}, halving=False), asked, [asked.replace(n=1, m=3)])
    extents = (65601, 4194369, 1048641)
    assert [(one.sizes["n"], one.sizes["m"]) for one in found] == [(n, m) for n in extents for m in (8, 3)]
    assert all(surpassed(asked, narrow, [wide]) for wide, narrow in zip(found[::2], found[1::2], strict=True))
    assert not surpassed(asked, found[4], [found[3]])
    assert not surpassed(asked, found[0], [found[2]])


def test_longer_problems_keep_steps_and_powers():
    asked = Problem("k", Record(n=4096))
    powers = lengthened(SimpleNamespace(domain={}, halving=False), asked, [asked.replace(n=8)])
    assert [one.sizes["n"] for one in powers] == [65536, 4194304, 1048576]
    steps = lengthened(SimpleNamespace(domain={"n": "multiple of 96"}, halving=False), asked, [])
    assert all(one.sizes["n"] % 96 == 0 and one.sizes["n"] > 65600 for one in steps)
    assert lengthened(SimpleNamespace(domain={"n": "fixed"}, halving=False), asked, []) == ()


def test_a_long_problem_needs_a_quick_reference():
    asked = Problem("k", Record(n=3000))
    assert affordable(asked, asked.replace(n=65537), 0.001)
    assert not affordable(asked, asked.replace(n=65537), 0.1)
    assert affordable(asked, asked.replace(n=6001), 100.0)


def test_a_long_problem_is_needless_where_a_longer_one_in_the_same_size_was_tried():
    asked = Problem("k", Record(n=3000, m=8))
    long, longer, wider = asked.replace(n=1 << 20), asked.replace(n=1 << 22), asked.replace(m=1 << 22)
    assert surpassed(asked, long, [longer])
    assert not surpassed(asked, long, [wider, long])
    assert not surpassed(asked, longer, [long])
    assert not surpassed(asked, asked.replace(n=1), [longer]), "small sizes are tried whatever was tried before"


def test_a_long_call_is_expected_by_the_longest_one_so_far():
    asked, small, long, longer = (Problem("k", Record(n=n)) for n in (3000, 1, 65601, 1048641))
    call_ns = 5e4  # mostly what a launch costs
    assert endless(asked, longer, [(asked, call_ns), (small, call_ns)])
    assert not endless(asked, longer, [(asked, call_ns), (long, 2 * call_ns)])
    assert endless(asked, longer, [(asked, call_ns), (long, 400 * call_ns)])
    assert not endless(asked, small, [(asked, 1e12)])
    assert not endless(asked, longer, [])


def test_one_row_of_many_takes_its_share_of_the_time():
    asked, many, one = (Problem("k", Record(rows=r, n=n)) for r, n in ((40, 3000), (40, 65601), (1, 4194369)))
    assert not endless(asked, one, [(asked, 5e4), (many, 4e6)])
    assert endless(asked, one.replace(rows=40), [(asked, 5e4), (many, 4e6)])


def test_of_each_size_the_first_long_one_is_narrow():
    kernel = replace(KERNEL, domain={}, halving=False)
    asked = Problem("k", Record(rows=300000, n=500))
    found = narrowed(kernel, asked, (asked.replace(rows=1, n=1), asked.replace(rows=5, n=63)))
    assert [tuple(one.sizes.values()) for one in found] == [(4194369, 1), (1, 65601)]
