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


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["report", ""], "an argument"),
        (["optimize", "gemm", "--shape", ""], "--shape"),
        (["tune", "gemm", "--shape", "64", "--store="], "--store"),
        (["isa", "diff", "a.s", ""], "an argument"),
    ],
)
def test_what_is_empty_is_not_the_default(capsys, arguments, what):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert f"hotloop: {what} is empty; give it a value, or leave it out; see" in capsys.readouterr().err


def test_what_a_program_is_given_may_be_empty(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main(["capture", "--", "/no/such/program", ""])
    assert "/no/such/program cannot be started" in capsys.readouterr().err
    assert left.value.code == 2
    assert not list(tmp_path.iterdir()), "the same command is not refused for what this one left behind"


@pytest.mark.parametrize("verb", ["capture", "profile"])
@pytest.mark.parametrize("program", ["no-such-program", "/etc/passwd", "./folder", ""])
def test_what_is_no_program_is_refused_before_anything_is_started(capsys, tmp_path, monkeypatch, verb, program):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(SystemExit) as left:
        main([verb, "--", program])
    assert capsys.readouterr().err == (
        f"hotloop: {program or repr('')} cannot be started: there is no such program; name a program after --.\n"
    )
    assert left.value.code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("option", [("--name", "blur"), ("--language", "cuda")])
def test_init_from_a_source_takes_no_option_that_would_do_nothing(capsys, tmp_path, monkeypatch, option):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main(["init", "--from", "scale.cl", *option])
    assert left.value.code == 2
    assert f"hotloop: {option[0]} is not for --from: the file is named after its source" in capsys.readouterr().err
