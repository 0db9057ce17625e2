import click
import pytest

from hotloop import ports
from hotloop.cli import options
from hotloop.cli.main import main


def test_assignments_are_numbers_where_they_can_be():
    assert options.assignments(("A=8", "B=0.5", "C=text", "D=")) == {"A": 8, "B": 0.5, "C": "text", "D": ""}
    assert options.assignments(()) == {}


def test_a_name_is_assigned_once():
    with pytest.raises(click.BadParameter, match="A is given twice"):
        options.assignments(("A=8", "B=1", "A=9"))


def test_modes_are_those_that_the_engine_knows():
    """Written out among the options, so that help need not import them."""
    found = click.command("x")(options.mode(lambda mode: mode)).params[0]
    assert set(found.type.choices) == set(ports.MODES)
    assert found.default == options.options().mode == ports.ROTATED
    assert options.options(mode="hot").mode == "hot"


def test_an_empty_name_is_not_the_default():
    option = click.Option(["--target"], callback=options.named)
    context = click.Context(click.Command("x"))
    assert options.named(context, option, None) == ""
    assert options.named(context, option, "gfx942") == "gfx942"
    with pytest.raises(click.BadParameter, match="it is empty; name one, or leave --target out"):
        options.named(context, option, "")


@pytest.mark.parametrize("pair", ["A", "=1", ""])
def test_what_is_no_assignment(pair):
    with pytest.raises(click.BadParameter, match="is not NAME=VALUE"):
        options.assignments((pair,))


@pytest.mark.parametrize("text", ["0.5", "1e-3", "0.999"])
def test_positive_numbers(text):
    assert options.Positive(most=1).convert(text, None, None) == float(text)


@pytest.mark.parametrize("text", ["0", "-1", "1", "nan", "inf", "many", ""])
def test_numbers_that_are_not_positive_or_too_large(text):
    with pytest.raises(click.BadParameter, match="is not a number above 0 and below 1"):
        options.Positive(most=1).convert(text, None, None)


def test_infinity_is_no_time():
    with pytest.raises(click.BadParameter, match=r"is not a number above 0$"):
        options.Positive().convert("inf", None, None)


def test_what_a_session_needs():
    made = options.options("pocl", 3.0, "here.sqlite", 5)
    assert (made.device, made.limit_s, made.store, made.seed) == ("pocl", 3.0, "here.sqlite", 5)


@pytest.mark.parametrize("verb", ["report", "verify-checker"])
def test_an_empty_argument_is_not_the_default(capsys, verb):
    with pytest.raises(SystemExit) as left:
        main([verb, ""])
    assert left.value.code == 2
    assert "it is empty; name one, or leave it out" in capsys.readouterr().err
