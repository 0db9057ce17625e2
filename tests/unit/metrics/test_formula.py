"""The language of formulas: what it reads, what it refuses, and that a value never appears from nothing."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.metrics.cause import Uncounted
from hotloop.metrics.dimension import parse
from hotloop.metrics.formula import FormulaError, Missing, Quantity, dimension, evaluate, names, read


def value(text, **inputs):
    known = {name: amount if isinstance(amount, Quantity) else Quantity(amount) for name, amount in inputs.items()}

    def lookup(name):
        if name not in known:
            raise Missing(Uncounted(name))
        return known[name]

    return evaluate(read(text), lookup)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("8 / 4 / 2", 1),
        ("1 - 2 - 3", -4),
        ("-2 * -3", 6),
        ("min(3, 1 + 1, 5) + max(1, 2)", 4),
        ("1.5e3 - 5.e2", 1000),
        ("a.b_1 * 2", 20),
        (" a.b_1 ", 10),
    ],
)
def test_arithmetic(text, expected):
    assert value(text, **{"a.b_1": 10}) == expected


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a +", "at the end"),
        ("a b", "left over"),
        ("(a", "')' is missing"),
        ("min(a, ", "at the end"),
        ("a ** 2", "before '*'"),
        ("a $ b", "cannot read"),
        ("", "at the end"),
        ("__import__('os')", "cannot read"),
        ("a; b", "cannot read"),
        ("3[furlong]", "is not a unit"),
        ("1,2", "left over"),
    ],
)
def test_what_is_no_formula_is_refused(text, fault):
    with pytest.raises(FormulaError, match="formula") as caught:
        read(text)
    assert fault in str(caught.value)


def test_names_are_data_not_code():
    assert names(read("max * 2")) == ("max",)
    assert names(read("a + b * a")) == ("a", "b")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a / b", "b was not counted"),
        ("a / zero", "division by zero: zero"),
        ("a / (zero * one)", "division by zero: zero"),
        ("a / (one - one)", "division by zero: one"),
        ("nan + a", "nan is not a number"),
        ("huge * huge", "not a finite number"),
    ],
)
def test_no_value_has_a_reason_that_names_the_input(text, reason):
    with pytest.raises(Missing, match=reason):
        value(text, a=1, zero=0, one=1, nan=float("nan"), huge=1e200)


def test_units_convert():
    quads, clocks = Quantity(10, parse("quad")), Quantity(80, parse("cycle"))
    assert value("q / c", q=quads, c=clocks) == pytest.approx(0.5)
    assert value("p * 2", p=Quantity(45, parse("%"))) == pytest.approx(0.9)
    assert value("64[B/req] * r", r=Quantity(3, parse("req"))) == 192
    assert value("b / t", b=Quantity(1000, parse("B")), t=Quantity(1, parse("ns"))) == pytest.approx(1e12)


@pytest.mark.parametrize("text", ["q + 1", "min(q, i)", "q - i / w", "q + unknown"])
def test_units_that_do_not_fit_are_refused(text):
    units = {"q": parse("quad"), "i": parse("inst"), "w": parse("wave")}
    with pytest.raises(FormulaError):
        dimension(read(text), units)


def test_dimension_of_a_quotient():
    units = {"i": parse("inst"), "c": parse("quad")}
    assert dimension(read("i / c * 4[cycle]"), units).dimension == (("inst", 1),)


def test_unknown_units_are_refused():
    with pytest.raises(ValueError, match="parsec"):
        parse("B/parsec")


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(FormulaError):
        assert names(read(text)) == tuple(dict.fromkeys(names(read(text))))


NUMBERS = st.integers(1, 50)


@st.composite
def trees(draw, depth=3):
    if depth == 0 or draw(st.booleans()):
        return str(draw(NUMBERS))
    operation = draw(st.sampled_from(["+", "-", "*", "/"]))
    return f"({draw(trees(depth=depth - 1))} {operation} {draw(trees(depth=depth - 1))})"


@given(trees(), trees())
def test_precedence_is_that_of_arithmetic(left, right):
    """Python is the oracle here, on text that only this test makes."""
    text = f"{left} * 2 - {right} / 3 + 1"
    try:
        expected = eval(text)
    except ZeroDivisionError:
        with pytest.raises(Missing, match="division by zero"):
            value(text)
    else:
        assert value(text) == pytest.approx(expected)
