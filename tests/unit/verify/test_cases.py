import numpy as np
import pytest

from hotloop.errors import KernelFileError
from hotloop.model.kernel import Kernel
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record
from hotloop.verify.cases import Case, belongs, cases, draw
from hotloop.verify.variety import ENDS, LANDMARKS

ASKED = Problem("axpy", Record(n=1000))
SMALL = tuple(ASKED.replace(n=n) for n in (1, 2, 3, 17, 1000, 31, 3))


def kernel(**changes):
    base = {
        "family": "axpy",
        "problem": ASKED,
        "inputs": lambda p, rng: {"a": 2.0, "x": rng.standard_normal(p.n).astype("f4")},
        "reference": lambda p, i: {},
        "work": lambda p: Work(1, 1),
        "implementations": (),
    }
    return Kernel(**{**base, **changes})


def test_quick_begins_with_the_asked_problem_and_stays_small():
    found = cases(kernel(linear=("x",), awkward=lambda p: SMALL), ASKED, "quick")
    assert found[0] == Case(ASKED, "normal", 0, 0)
    assert len(found) == 4
    assert [c.problem.n for c in found[1:]] == [1, 3, 31]
    assert {c.distribution for c in found} >= {"normal", "integers", "special"}
    assert {c.poison for c in found} == {0, 1}


def test_other_sizes_are_those_of_the_file_and_made_up_ones_that_are_not_far_beyond():
    """A right kernel may add up one by one what nobody meant to be so long."""
    every = [
        Case(ASKED.replace(n=n), "normal", 0, 0, added=added)
        for n, added in ((1000, False), (3, True), (16001, True), (90000, False))
    ]
    assert [case.problem.integer("n") for case in every if belongs(case, ASKED, "others")] == [3, 90000]
    assert [case.problem.integer("n") for case in every if belongs(case, ASKED, "asked")] == [1000]
    assert not belongs(Case(ASKED.replace(n=3), "ties", 0, 0), ASKED, "others")


def test_quick_prefers_problems_of_the_same_program():
    """Texts become macros: another layout is another program, compiled for nothing during a search."""
    asked = Problem("axpy", Record(n=1000, layout="row"))
    mixed = tuple(asked.replace(n=n, layout=layout) for n in (1, 7, 31, 77) for layout in ("row", "col"))
    found = cases(kernel(awkward=lambda p: mixed), asked, "quick")
    assert [(c.problem.n, c.problem.layout) for c in found] == [(1000, "row"), (1, "row"), (31, "row"), (77, "row")]
    few = cases(kernel(awkward=lambda p: mixed[:5]), asked, "quick")
    assert {c.problem.layout for c in few} == {"row", "col"} or len(few) == 4
    assert {c.problem.layout for c in cases(kernel(awkward=lambda p: mixed), asked, "full")} == {"row", "col"}


def test_quick_without_awkward_problems_still_varies_input_and_poison():
    found = cases(kernel(linear=("x",)), ASKED, "quick")
    assert [(c.distribution, c.poison) for c in found] == [("normal", 0), ("integers", 1)]
    assert [c.distribution for c in cases(kernel(), ASKED, "quick")] == ["normal", "positive"]


@pytest.mark.parametrize("linear", [(), ("x",)])
def test_full_meets_every_problem_distribution_and_poison(linear):
    found = cases(kernel(linear=linear, awkward=lambda p: SMALL), ASKED, "full")
    assert {c.problem.n for c in found} == {1, 2, 3, 17, 31, 1000}
    wanted = {"normal", "positive", "wide", "integers", "special"} if linear else {"normal", "positive"}
    for size in (1, 1000):
        mine = [c for c in found if c.problem.n == size]
        assert {c.distribution for c in mine} == wanted
        assert {c.poison for c in mine} == {0, 1}
    assert len(set(found)) == len(found)


def test_the_same_case_draws_the_same_inputs_and_another_seed_others():
    one = kernel(linear=("x",))
    for case in cases(one, ASKED):
        first, again = draw(one, case), draw(one, case)
        assert np.array_equal(first["x"], again["x"], equal_nan=True)
    here, there = (draw(one, cases(one, ASKED, "quick", seed)[0])["x"] for seed in (1, 2))
    assert not np.array_equal(here, there)


def test_inputs_that_raise_are_the_kernel_files_error():
    def broken(p, rng):
        raise ZeroDivisionError("oops")

    with pytest.raises(KernelFileError, match=r"inputs of axpy raises on axpy\[n=1000\].*oops.*my\.py"):
        draw(kernel(inputs=broken, origin="my.py"), Case(ASKED, "normal", 0, 0))


def test_arrays_in_foreign_byte_order_are_refused_with_what_mends_them():
    swapped = np.ones(3, np.dtype("f4").newbyteorder())
    broken = kernel(inputs=lambda p, rng: {"x": swapped}, origin="my.py")
    with pytest.raises(
        KernelFileError, match=r"gives x as .f4, not in .* byte order; give x.astype\('float32'\), see my.py"
    ):
        draw(broken, Case(ASKED, "normal", 0, 0))


@pytest.mark.parametrize("value", ["text", None, [1, 2], np.array(["a"]), np.array([1j])])
def test_inputs_of_a_strange_type_are_refused(value):
    with pytest.raises(KernelFileError, match="not an array or number"):
        draw(kernel(inputs=lambda p, rng: {"x": value}), Case(ASKED, "normal", 0, 0))


def test_inputs_must_be_named():
    with pytest.raises(KernelFileError, match="by name"):
        draw(kernel(inputs=lambda p, rng: [1]), Case(ASKED, "normal", 0, 0))


@pytest.mark.parametrize("moved", [2.0**20, 2.0**28])
def test_a_large_launch_meets_few_cases_and_the_rest_only_when_it_is_kept(moved):
    made = kernel(launched=True, work=lambda p: Work(1, moved), awkward=lambda p: SMALL[:2])
    quick, full = cases(made, ASKED, "quick"), cases(made, ASKED, "full")
    assert quick[0] == Case(ASKED, "normal", 0, 0) == full[0]
    assert len(quick) == (3 if moved < 2.0**26 else 1)
    assert {(c.problem.n, c.distribution) for c in full} >= {(1000, "positive"), (1, "normal"), (2, "normal")}
    assert {c.poison for c in full} == {0, 1}
    assert len(full) == (9 if moved < 2.0**26 else 4)


@pytest.mark.parametrize("seed", range(4))
def test_each_kind_meets_a_flag_set_and_not_set(seed):
    def inputs(p, rng):
        return {"x": rng.standard_normal(p.n).astype("f4"), "keep": int(rng.integers(0, 2)), "n": p.n}

    flagged = kernel(inputs=inputs, awkward=lambda p: (p.replace(n=40),), varied=True)
    every = [case for case in cases(flagged, ASKED, "full", 77 * seed) if case.problem == ASKED]
    met = [draw(flagged, case)["keep"] for case in every if case.distribution in ("sorted", "constant", "reversed")]
    assert set(met) == {0, 1}


@pytest.mark.parametrize("kind", [ENDS, LANDMARKS])
def test_integers_are_tried_at_the_ends_that_the_file_asks_for(kind):
    """Of numbers up to 50 million none is drawn as zero: a kernel that is wrong at zero only passed."""

    def inputs(p, rng):
        x, even = (rng.integers(0, 50_000_000, p.n, dtype="i4") for _ in range(2))
        even &= ~1  # nobody shall make odd ones of them
        return {"x": x, "even": even, "few": rng.integers(p.n, size=40)}

    tried = draw(kernel(inputs=inputs, varied=True, marks=frozenset((50_000_000.0, 1.0))), Case(ASKED, kind, 3, 0))
    assert {0, 49_999_999} <= set(tried["x"].tolist())
    assert tried["x"].max() == 49_999_999
    assert tried["even"].max() < 49_999_999


@pytest.mark.parametrize(("word", "met"), [(None, set()), ("any", {0})])
def test_no_integer_below_what_the_file_asks_of_a_whole_type_is_tried(word, met):
    """A modulus of one and more was tried as zero, where every right kernel divides by it."""
    words = {"domain": {"m": word}} if word else {}
    inputs = lambda p, rng: {"m": rng.integers(1, 2**32, p.n, dtype="u4")}  # noqa: E731
    tried = draw(kernel(inputs=inputs, varied=True, **words), Case(ASKED, ENDS, 3, 0))["m"]
    assert {int(tried.min())} & {0} == met
    assert tried.max() == 2**32 - 1


def test_magnitudes_leave_infinities_as_they_are():
    """Minus infinity says that nothing is there; of the other one a sum of exponentials is no number."""
    drawn = lambda p, rng: {"x": np.where(np.arange(p.n) % 4, rng.standard_normal(p.n), -np.inf).astype("f4")}  # noqa: E731
    x = draw(kernel(inputs=drawn, varied=True), Case(ASKED, "positive", 0, 0))["x"]
    assert (x[::4] == -np.inf).all()
    assert (x[1::4] > 0).all()
