import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from hotloop.model.check import Guard
from hotloop.model.kernel import Empty, Kernel, Tolerance
from hotloop.model.problem import Problem, Work
from hotloop.model.record import Record
from hotloop.ports import BAND_BYTES
from hotloop.verify.cases import Case, draw
from hotloop.verify.guards import make_banded, make_scratch, payload_view
from hotloop.verify.judge import judge
from hotloop.verify.oracle import expect

N, K = 32, 50
PROBLEM = Problem("matvec", Record(n=N, k=K))


def product(p, i):
    return {"y": i["A"].astype("f8") @ i["x"].astype("f8")}


def magnitude(p, i):
    return {"y": np.abs(i["A"]).astype("f8") @ np.abs(i["x"]).astype("f8")}


KERNEL = Kernel(
    family="matvec",
    problem=PROBLEM,
    inputs=lambda p, rng: {
        "A": rng.standard_normal((p.n, p.k)).astype("f4"),
        "x": rng.standard_normal(p.k).astype("f4"),
        "y": Empty((p.n,)),
    },
    reference=product,
    magnitude=magnitude,
    work=lambda p: Work(1, 1),
    implementations=(),
    tolerance=Tolerance(terms=lambda p: p.integer("k")),
    linear=("A", "x"),
)


def run(compute, distribution="normal", poison=0):
    """Play the engine: lay out, let `compute` act on the views, hand back the bytes."""
    case = Case(PROBLEM, distribution, 3, poison)
    inputs = draw(KERNEL, case)
    arrays = {k: make_banded(v) for k, v in inputs.items() if isinstance(v, np.ndarray)}
    arrays["y"] = make_banded(shape=(N,), dtype="float32", poison=poison)
    arrays["scratch:t"] = make_scratch(256, poison)
    views = {
        "A": payload_view(arrays["A"], "f4", (N, K)),
        "x": payload_view(arrays["x"], "f4", (K,)),
        "y": payload_view(arrays["y"], "f4", (N,)),
    }
    with np.errstate(all="ignore"):
        compute(views, arrays)
    return case, inputs, arrays


def right(views, arrays):
    views["y"][:] = views["A"] @ views["x"]


def verdict(compute, distribution="normal", poison=0, second=None):
    case, inputs, arrays = run(compute, distribution, poison)
    again = None if second is None else run(second, distribution, poison)[2]
    return judge(KERNEL, case, inputs, arrays, again)


@pytest.mark.parametrize("distribution", ["normal", "positive", "wide", "integers", "special"])
@pytest.mark.parametrize("poison", [0, 1])
def test_a_right_kernel_raises_no_alarm(distribution, poison):
    found = verdict(right, distribution, poison, second=right)
    assert found.passed, found.reason
    assert (found.problem, found.distribution, found.seed, found.reason) == (PROBLEM.key, distribution, 3, "")
    assert found.worst_ratio is not None
    assert found.worst_ratio < 1


@pytest.mark.parametrize("poison", [0, 1])
def test_an_element_never_written(poison):
    def lazy(views, arrays):
        views["y"][:17] = (views["A"] @ views["x"])[:17]

    found = verdict(lazy, poison=poison)
    assert not found.passed
    assert found.reason.startswith("y[17]: got")
    assert "never written (15 of 32 elements wrong)" in found.reason
    assert found.guard is Guard.POISON


def test_an_overrun_names_array_side_and_offset():
    def long(views, arrays):
        right(views, arrays)
        arrays["y"][BAND_BYTES + 4 * N + 64] = 0

    assert verdict(long).reason == "canary after y overwritten at +64 B"
    assert verdict(long).guard is Guard.CANARY


def test_an_overrun_of_scratch():
    def long(views, arrays):
        right(views, arrays)
        arrays["scratch:t"][BAND_BYTES - 8 : BAND_BYTES] = 0

    assert verdict(long).reason == "canary before scratch:t overwritten at −1 B"


def test_a_changed_input():
    def rude(views, arrays):
        right(views, arrays)
        views["x"][3] = 9.0

    assert verdict(rude).reason.startswith("input x changed at [3]: ")
    assert verdict(rude).reason.endswith("→ 9")
    assert verdict(rude).guard is Guard.INPUTS


def test_what_was_once_found_intact_is_looked_at_again():
    def beyond(views, arrays):
        right(views, arrays)
        arrays["x"][BAND_BYTES + 4 * K] ^= 1

    def rude(views, arrays):
        right(views, arrays)
        views["A"][2, 1] = 9.0

    case, inputs, arrays = run(right)
    known = expect(KERNEL, PROBLEM, inputs)
    assert judge(KERNEL, case, inputs, arrays, expected=known).passed
    assert set(known.intact) == {"A", "x"}
    assert judge(KERNEL, *run(beyond), expected=known).reason == "canary after x overwritten at +0 B"
    assert judge(KERNEL, *run(rude), expected=known).reason.startswith("input A changed at [2, 1]: ")
    assert judge(KERNEL, *run(right), expected=known).passed


def test_a_missing_last_term_is_found():
    def short(views, arrays):
        views["y"][:] = views["A"][:, :-1] @ views["x"][:-1]

    assert "of its bound" in verdict(short).reason
    assert verdict(short).guard is Guard.REFERENCE


def test_reading_out_of_bounds_spoils_the_result():
    def greedy(views, arrays):
        behind = arrays["x"][BAND_BYTES + 4 * K :][:4].view("f4")[0]
        views["y"][:] = views["A"] @ views["x"] + 0 * behind

    assert "got nan" in verdict(greedy, poison=1).reason
    assert verdict(greedy, poison=1).guard is Guard.FOREIGN


def test_an_error_within_rounding_is_found_on_integers_only():
    def sloppy(views, arrays):
        right(views, arrays)
        views["y"][5] = np.nextafter(views["y"][5], np.float32(np.inf))

    assert verdict(sloppy).passed
    found = verdict(sloppy, "integers")
    assert found.reason.startswith("y[5]: got")
    assert found.worst_ratio is None


def test_hiding_nan_is_found():
    def hiding(views, arrays):
        views["y"][:] = np.nan_to_num(views["A"] @ views["x"])

    assert re.search(r"expected (nan|inf|-inf)", verdict(hiding, "special").reason)
    assert verdict(hiding, "special").guard is Guard.REFERENCE
    assert verdict(hiding, "normal").guard is None
    assert verdict(hiding, "normal").passed


def test_a_moving_wrong_result_is_a_race():
    def torn(views, arrays):
        right(views, arrays)
        views["y"][4] += 1.0

    late = verdict(right, second=torn)
    assert late.reason.startswith("second run: y[4]: got")
    assert "a moving result is a race, or memory that was never set (y[4]: " in late.reason
    early = verdict(torn, second=right)
    assert (late.guard, early.guard) == (Guard.REPEAT, Guard.REPEAT)
    assert early.reason.startswith("y[4]: got")
    assert "a moving result is a race" in early.reason
    assert "race" not in verdict(torn, second=torn).reason


@pytest.mark.parametrize(("held", "then"), [(np.nan, 7e37), (7e37, -7e37), (-np.inf, np.nan), (np.nan, 7e36)])
def test_what_memory_held_before_each_run_is_told_as_such(held, then):
    def left(value):
        def compute(views, arrays):
            right(views, arrays)
            views["y"][4] = value

        return compute

    told = verdict(left(held), second=left(then))
    assert "memory is read before it is set" in told.reason
    assert "race" not in told.reason
    for other in (held, 2.0):  # the same in both runs, or in one run only, is no evidence of it
        assert "before it is set" not in verdict(left(held), second=left(other)).reason


def test_another_order_of_summation_is_no_race():
    def reversed_sum(views, arrays):
        views["y"][:] = views["A"][:, ::-1] @ views["x"][::-1]

    assert verdict(right, second=reversed_sum).passed


def test_damage_of_the_second_run_counts():
    def long(views, arrays):
        right(views, arrays)
        arrays["y"][-1] = 0

    assert verdict(right, second=long).reason == "second run: canary after y overwritten at +4095 B"
    assert verdict(right, second=long).guard is Guard.CANARY


def test_an_output_that_is_also_input_may_change():
    kernel = Kernel(
        family="acc",
        problem=PROBLEM,
        inputs=lambda p, rng: {"y": rng.standard_normal(8).astype("f4")},
        reference=lambda p, i: {"y": i["y"].astype("f8") * 2},
        work=lambda p: Work(1, 1),
        implementations=(),
    )
    case = Case(PROBLEM, "normal", 0, 0)
    inputs = draw(kernel, case)
    arrays = {"y": make_banded(inputs["y"] * 2)}
    assert judge(kernel, case, inputs, arrays).passed
    assert not judge(kernel, case, inputs, {"y": make_banded(inputs["y"])}).passed


def test_integer_outputs_are_exact():
    kernel = Kernel(
        family="count",
        problem=PROBLEM,
        inputs=lambda p, rng: {"x": rng.integers(0, 9, 20, dtype="i4"), "n": Empty((), "int32")},
        reference=lambda p, i: {"n": np.array(i["x"].sum())},
        work=lambda p: Work(1, 1),
        implementations=(),
    )
    case = Case(PROBLEM, "normal", 0, 0)
    inputs = draw(kernel, case)
    total = np.int32(inputs["x"].sum())
    good = {"x": make_banded(inputs["x"]), "n": make_banded(np.array(total))}
    assert judge(kernel, case, inputs, good).passed
    off = judge(kernel, case, inputs, {**good, "n": make_banded(np.array(total + 1, "i4"))})
    assert off.reason == f"n: got {total + 1}, expected {total}"
    unwritten = judge(kernel, case, inputs, {**good, "n": make_banded(shape=(), dtype="i4")})
    assert "never written" in unwritten.reason


def test_many_reasons_stay_one_line():
    def awful(views, arrays):
        views["x"][0] += 1
        arrays["y"][0] = 0
        arrays["A"][-1] = 0

    found = verdict(awful)
    assert "\n" not in found.reason
    assert found.reason.endswith("(and 2 more)")


def test_known_expectations_are_not_computed_again():
    case, inputs, arrays = run(right)
    calls = []
    counting = Kernel(
        family="m", problem=PROBLEM, inputs=KERNEL.inputs, reference=lambda p, i: calls.append(1) or product(p, i),
        work=KERNEL.work, implementations=(), tolerance=KERNEL.tolerance,
    )  # fmt: skip
    known = expect(counting, PROBLEM, inputs)
    judge(counting, case, inputs, arrays, expected=known)
    assert calls == [1]


def test_a_missing_array_is_the_callers_mistake():
    case, inputs, arrays = run(right)
    del arrays["y"]
    with pytest.raises(ValueError, match="no array 'y'"):
        judge(KERNEL, case, inputs, arrays)


LONG = Problem("matvec", Record(n=256, k=4096))


@pytest.mark.parametrize("bits", [0, 13, 16])
def test_operands_with_fewer_bits_show_in_the_norm_although_every_element_is_within_its_bound(bits):
    case = Case(LONG, "normal", 3, 0)
    inputs = draw(KERNEL, case)
    cut = (inputs["A"].view("u4") & np.uint32(0xFFFFFFFF << bits & 0xFFFFFFFF)).view("f4")
    total = np.zeros(256, "f4")
    for column in range(4096):  # one after the other, the least accurate order that a correct kernel has
        total += cut[:, column] * inputs["x"][column]
    arrays = {k: make_banded(v) for k, v in inputs.items() if isinstance(v, np.ndarray)}
    found = judge(KERNEL, case, inputs, {**arrays, "y": make_banded(total)})
    assert found.worst_ratio < 1
    assert found.passed == (bits == 0)
    assert bits == 0 or re.search(r"y: errors are .* in norm, .* times .* fewer bits than float32", found.reason)


@pytest.mark.parametrize("added", [False, True])
def test_terms_of_what_is_no_sum_say_nothing_of_the_norm_at_a_size_that_nobody_asked_for(added):
    """The place in a table is rounded by more, the longer the table is: errors grow with its length, not with the root of it."""
    table = Problem("table", Record(n=4000, m=65601))
    kernel = Kernel(
        family="table", problem=table, implementations=(), tolerance=Tolerance(terms=lambda p: 2 * p.integer("m")),
        inputs=lambda p, rng: {"x": rng.random(p.integer("n"), "f4"), "t": 1 + 3 * rng.random(p.integer("m"), "f4"), "y": Empty((p.integer("n"),))},
        reference=lambda p, i: {"y": np.interp(i["x"].astype("f8") * (p.integer("m") - 1), np.arange(p.integer("m")), i["t"].astype("f8"))},
        work=KERNEL.work,
    )  # fmt: skip
    case = Case(table, "normal", 3, 0, added=added)
    inputs = draw(kernel, case)
    place = inputs["x"] * np.float32(65600)
    at = np.minimum(place.astype("i4"), 65599)
    made = inputs["t"][at] * (1 - (place - at)) + inputs["t"][at + 1] * (place - at)
    arrays = {k: make_banded(v) for k, v in inputs.items() if isinstance(v, np.ndarray)}
    found = judge(kernel, case, inputs, {**arrays, "y": make_banded(made.astype("f4"))})
    assert found.worst_ratio < 1
    assert found.passed == added


@pytest.mark.parametrize("kind", ["normal", "striped"])
@pytest.mark.parametrize("step", [1, 2, 4])
def test_a_few_sums_of_a_part_of_the_elements_show_although_each_is_within_its_bound(kind, step):
    problem = Problem("rows", Record(n=1 << 16))
    kernel = Kernel(
        family="rows", problem=problem, inputs=lambda p, rng: {"x": np.float32(0.5) + rng.random((4, p.n), "f4"), "y": Empty((4,))},
        reference=lambda p, i: {"y": i["x"].sum(axis=1, dtype="f8")}, work=lambda p: Work(1, 1), implementations=(),
        tolerance=Tolerance(terms=lambda p: p.n), origin="k.py", varied=True,
    )  # fmt: skip
    case = Case(problem, kind, 5, 0, added=True)
    inputs = draw(kernel, case)
    total = np.cumsum(inputs["x"][:, ::step], axis=1, dtype="f4")[:, -1] * np.float32(step)  # one after the other
    arrays = {"x": make_banded(inputs["x"]), "y": make_banded(total)}
    found = judge(kernel, case, inputs, arrays)
    assert found.passed == (step == 1)


def cancelling(tolerance):
    """Return what is said of a sum of four that cancels, in float32 from left to right, by a file with a tolerance."""
    problem = Problem("four", Record(n=200))

    def inputs(p, rng):
        return {"x": rng.standard_normal((p.n, 4)).astype("f4"), "y": Empty((p.n,))}

    kernel = Kernel(
        family="four", problem=problem, inputs=inputs, reference=lambda p, i: {"y": i["x"].astype("f8").sum(axis=1)},
        work=lambda p: Work(1, 1), implementations=(), tolerance=tolerance, varied=True,
    )  # fmt: skip
    case = Case(problem, "normal", 1, 0)
    given = draw(kernel, case)

    def told(error):
        arrays = {"x": make_banded(given["x"]), "y": make_banded(shape=(200,), dtype="float32", poison=0)}
        first, second, third, fourth = given["x"].T
        payload_view(arrays["y"], "f4", (200,))[:] = ((first + second) + third) + fourth + np.float32(error)
        return judge(kernel, case, given, arrays).passed

    return told


def test_of_a_file_that_says_nothing_about_errors_sums_may_cancel():
    assert cancelling(Tolerance())(0.0)
    assert not cancelling(Tolerance(terms=lambda p: 1.0, absolute=1e-12))(0.0)
    assert not cancelling(Tolerance())(1e-4)


def test_of_a_file_that_says_its_terms_only_one_rounding_of_the_largest_result_passes():
    assert cancelling(Tolerance(terms=lambda p: 1.0))(0.0)
    assert not cancelling(Tolerance(terms=lambda p: 1.0))(3e-6)


# --- sizes that nobody promised --------------------------------------------------------------------------------------


def normalised(p, i):
    wide = i["x"].astype("f8")
    centred = wide - wide.mean(axis=1, keepdims=True)
    return {"y": centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)}


def in_single(x):
    mean = (x[:, :1] + x[:, 1:]) * np.float32(0.5)
    centred = x - mean
    variance = (centred[:, :1] ** 2 + centred[:, 1:] ** 2) * np.float32(0.5)
    return centred / np.sqrt(variance + np.float32(1e-5))


PAIRS = Problem("norm", Record(rows=200_000))
NORM = Kernel(
    family="norm",
    problem=PAIRS,
    inputs=lambda p, rng: {"x": rng.standard_normal((p.rows, 2), "f4") + np.float32(0.5), "y": Empty((p.rows, 2))},
    reference=normalised,
    work=lambda p: Work(1, 1),
    implementations=(),
    tolerance=Tolerance(terms=lambda p: 10, absolute=1e-6),
    varied=True,
)


def judged(y, *, added):
    case = Case(PAIRS, "normal", 3, 0, added=added)
    inputs = draw(NORM, case)
    arrays = {"x": make_banded(inputs["x"]), "y": make_banded(y(inputs["x"]).astype("f4"))}
    return judge(NORM, case, inputs, arrays)


def test_where_values_nearly_tie_at_a_size_of_hotloops_own_rounding_excuses():
    assert not judged(in_single, added=False).passed  # the file promised that size and said its tolerance
    assert judged(in_single, added=True).passed


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: in_single(x.astype("f2").astype("f4")),
        lambda x: in_single(x) * np.float32(1.001),
        lambda x: in_single(x[:, ::-1]),
        lambda x: np.where(np.arange(len(x))[:, None] == 77, 0, in_single(x)),
        lambda x: (x - (x.mean(axis=1, keepdims=True))) / np.sqrt(x.var(axis=1, keepdims=True) + 1.2e-5),
    ],
)
def test_and_nothing_else(wrong):
    assert not judged(wrong, added=True).passed


def test_a_long_row_at_a_size_of_hotloops_own_may_be_added_one_by_one():
    """NumPy adds in pairs, which rounds less often."""
    long = Problem("sum", Record(n=1 << 16))
    kernel = replace(
        NORM, problem=long, inputs=lambda p, rng: {"x": np.full(p.n, 0.3, "f4"), "y": Empty((1,))}, reference=lambda p, i: {"y": np.array([i["x"].astype("f8").sum()])},
        tolerance=Tolerance(terms=lambda p: 8),
    )  # fmt: skip

    def found(y, *, added):
        case = Case(long, "normal", 3, 0, added=added)
        inputs = draw(kernel, case)
        arrays = {"x": make_banded(inputs["x"]), "y": make_banded(np.asarray([y(inputs["x"])], "f4"))}
        return judge(kernel, case, inputs, arrays).passed

    one_by_one = partial(np.add.accumulate, dtype="f4")
    assert not found(lambda x: one_by_one(x)[-1], added=False)
    assert found(lambda x: one_by_one(x)[-1], added=True)
    assert not found(lambda x: one_by_one(x[: x.size // 1000 * 999])[-1], added=True)


def test_what_is_wrong_names_the_output_by_a_field_of_its_own():
    def short(views, arrays):
        right(views, arrays)
        views["y"][0] += 1

    assert (verdict(short).output, verdict(right).output) == ("y", "")


def turned(p, i):
    """The reference of a turn by a factor, in complex numbers, which take a NaN of one part to both."""
    product = (i["x"][:, 0].astype("f8") + 1j * i["x"][:, 1]) * 2.0
    product[0] = (i["x"][0, 0].astype("f8") + 1j * i["x"][0, 1]) * (2.0 + 0j)
    return {"y": np.stack([product.real, product.imag], axis=-1)}


@pytest.mark.parametrize(
    ("fill", "right"),
    [
        (lambda x, y: np.multiply(x, 2, out=y), True),  # each part for itself
        (lambda x, y: np.multiply(np.nan_to_num(x, nan=3.0), 2, out=y), False),  # a NaN got lost in its own part
        (
            lambda x, y: np.multiply(np.where(np.isnan(x[:, ::-1]), 1.0, x), 2, out=y),
            False,
        ),  # a number is wrong beside it
    ],
)
def test_nan_that_only_complex_products_of_the_reference_spread_need_not_be_there(fill, right):
    kernel = Kernel(
        family="turn", problem=PROBLEM, inputs=lambda p, rng: {"x": rng.standard_normal((20, 2)).astype("f4"), "y": Empty((20, 2))},
        reference=turned, work=lambda p: Work(1, 1), implementations=(), tolerance=Tolerance(terms=lambda p: 4.0),
        magnitude=lambda p, i: {"y": np.abs(turned(p, i)["y"])}, linear=("x",), varied=True,
    )  # fmt: skip
    case = Case(PROBLEM, "special", 1, 0)
    inputs = draw(kernel, case)
    inputs["x"][3, 0] = np.nan
    arrays = {"x": make_banded(inputs["x"]), "y": make_banded(shape=(20, 2), dtype="float32", poison=0)}
    with np.errstate(all="ignore"):
        fill(inputs["x"], payload_view(arrays["y"], "f4", (20, 2)))
    assert judge(kernel, case, inputs, arrays).passed is right


@pytest.mark.parametrize("step", [1, 2])
def test_long_sums_of_every_other_term_are_told_also_where_no_magnitudes_are_known(step):
    kernel = replace(
        KERNEL, magnitude=None, linear=(), tolerance=Tolerance(terms=lambda _p: 2.0**16),
        inputs=lambda p, rng: {"A": rng.random((p.n, p.k), "f4"), "x": np.ones(p.k, "f4"), "y": Empty((p.n,))},
    )  # fmt: skip
    case = Case(LONG, "normal", 3, 0)
    inputs = draw(kernel, case)
    total = np.zeros(256, "f4")
    for column in range(0, 4096, step):
        total += inputs["A"][:, column]
    arrays = {k: make_banded(v) for k, v in inputs.items() if isinstance(v, np.ndarray)}
    found = judge(kernel, case, inputs, {**arrays, "y": make_banded(total * np.float32(step))})
    assert found.worst_ratio < 1
    assert found.passed == (step == 1)
    assert step == 1 or "leaves terms out" in found.reason


@pytest.mark.parametrize(("added", "passes"), [(True, True), (False, False)])
def test_what_is_added_one_by_one_at_a_length_that_nobody_asked_for_is_no_lack_of_bits(added, passes):
    """Squares added one by one to a sum of four million lost a thousandth of it: each is rounded to a few bits."""
    problem = Problem("squares", Record(n=2**22))

    def inputs(p, rng):
        return {"x": rng.standard_normal(64, "f4"), "y": Empty((64,))}

    kernel = Kernel(
        family="squares",
        problem=problem,
        inputs=inputs,
        reference=lambda p, i: {"y": i["x"].astype("f8")},
        magnitude=lambda p, i: {"y": np.abs(i["x"]).astype("f8")},
        tolerance=Tolerance(terms=lambda p: p.n),
        work=lambda p: Work(1, 1),
        implementations=(),
    )
    case = Case(problem, "normal", 1, 0, added=added)
    drawn = draw(kernel, case)
    left = {"x": make_banded(drawn["x"]), "y": make_banded(drawn["x"] * np.float32(1.0011))}
    assert judge(kernel, case, drawn, left).passed is passes


def _in_one_order(terms, group, parts):
    """Return sums of rows in float32: of so many neighbours, of these in so many parts, and of the parts."""
    add = lambda rows: np.cumsum(rows, axis=-1, dtype="f4")[..., -1]  # noqa: E731
    for each in (group, -(-terms.shape[-1] // group // parts)):
        padded = np.pad(terms, [(0, 0), (0, -terms.shape[-1] % each)])
        terms = add(padded.reshape(len(terms), -1, each))
    return add(terms)


@pytest.mark.parametrize(("length", "dot"), [(571_314, False), (571_314, True), (2**22 + 999, False)])
def test_no_right_order_lacks_bits_and_who_leaves_terms_out_is_told_however_poor_the_sum_is(length, dot):
    """Pairs of alike terms are rounded the other way, which was refused; and as much as one by one errs could be left out by who errs hardly."""
    problem = Problem("alike", Record(n=length))
    kernel = Kernel(
        family="alike", problem=problem, work=lambda p: Work(1, 1), implementations=(), tolerance=Tolerance(terms=lambda p: p.n),
        inputs=lambda p, rng: {"x": rng.uniform(0.099, 0.101, (1, p.n)).astype("f4"), "w": np.ones(p.n, "f4"), "y": Empty((1,))},
        reference=lambda p, i: {"y": i["x"].astype("f8") @ i["w"] if dot else i["x"].astype("f8").sum(axis=1)},
    )  # fmt: skip
    case = Case(problem, "normal", 1, 0)
    inputs = draw(kernel, case)

    def passes(sums):
        arrays = {"x": inputs["x"], "w": inputs["w"], "y": np.asarray(sums, "f4")}
        return judge(kernel, case, inputs, {name: make_banded(value) for name, value in arrays.items()}).passed

    for order in ((1, 1), (2, 1), (1, 2), (4, 8), (7, 3))[: 5 if length < 2**20 else 2]:
        assert passes(_in_one_order(inputs["x"], *order)), order
    left = inputs["x"][:, np.arange(length) % 12 != 0]
    assert not passes(left.sum(axis=1, dtype="f8"))


@pytest.mark.parametrize(("act", "passes"), [("one by one", True), ("the other way", False), ("much too far", False)])
def test_terms_that_are_alike_are_rounded_one_like_the_other(act, passes):
    """A right sum of a million numbers near one, added up term by term, was told to lack bits."""
    rows, length = 2, 2**20
    problem = Problem("alike", Record(n=length))
    kernel = Kernel(
        family="alike", problem=problem, work=lambda p: Work(1, 1), implementations=(), tolerance=Tolerance(terms=lambda p: p.n),
        inputs=lambda p, rng: {"x": rng.uniform(999.0, 1001.0, (rows, p.n)).astype("f4"), "y": Empty((rows,))},
        reference=lambda p, i: {"y": i["x"].astype("f8").mean(axis=1)},
    )  # fmt: skip
    case = Case(problem, "normal", 1, 0)
    inputs = draw(kernel, case)
    whole = inputs["x"].sum(axis=1, dtype="f8")
    serial = np.cumsum(inputs["x"], axis=1, dtype="f4")[:, -1].astype("f8")
    sums = {"one by one": serial, "the other way": 2 * whole - serial, "much too far": 3 * serial - 2 * whole}[act]
    arrays = {"x": make_banded(inputs["x"]), "y": make_banded((sums / length).astype("f4"))}
    assert judge(kernel, case, inputs, arrays).passed is passes
