import pytest

from hotloop.errors import UsageError
from hotloop.isa.banks.expression import parse


@pytest.mark.parametrize(
    ("text", "lane", "value"),
    [
        ("lane", 7, 7),
        ("lane % 16 * 260 + 8 * (lane / 16)", 35, 3 * 260 + 16),
        ("lane // 16 ^ 1 | 8 & ~0", 35, 11),
        ("-(lane - 3) << 2 >> 1", 1, 4),
        ("min(lane, 5) + max(lane, 9, 2)", 7, 14),
        ("0x10 + 1_000", 0, 1016),
    ],
)
def test_integer_arithmetic(text, lane, value):
    assert parse(text)({"lane": lane}) == value


@pytest.mark.parametrize(
    "text",
    [
        "", "lane +", "__import__('os')", "lane.bit_length()", "(lambda: 1)()", "[lane][0]", "lane if lane else 1", "lane < 3", "1.5",
        "True", "'a'", "lane ** 9", "min(lane)", "min(lane, key=1)", "eval('1')", "lane := 3", "\0", "(" * 400 + ")" * 400, "9" * 900,
        "lane, 2", "{}", "*lane",
    ],
)  # fmt: skip
def test_everything_else_is_refused(text):
    with pytest.raises(UsageError):
        parse(text)


def test_unknown_names_list_the_known_ones():
    with pytest.raises(UsageError, match="uses 'row'; known here: k, lane"):
        parse("row + lane", ("lane", "k"))


@pytest.mark.parametrize("text", ["1 << lane", "1 << -lane", "lane * 999999999999", "9999999 * 9999999"])
def test_values_beyond_any_address_are_refused(text):
    with pytest.raises(UsageError, match="larger than any address"):
        parse(text)({"lane": 60})


def test_division_by_zero_is_a_usage_error():
    with pytest.raises(UsageError, match="divides by zero"):
        parse("lane % (lane - lane)")({"lane": 1})


def test_long_texts_are_refused():
    with pytest.raises(UsageError, match="1000 characters"):
        parse("1+" * 600 + "1")
