from collections.abc import Iterator

import click
import pytest

from hotloop import ports
from hotloop.app.events import Notice
from hotloop.cli import destination, options, output
from hotloop.cli.live import Progress
from hotloop.cli.main import hotloop, main


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


@pytest.mark.parametrize("verb", ["check", "optimize", "profile"])
def test_a_time_is_one_that_can_be_waited_for(capsys, verb):
    with pytest.raises(SystemExit, match="2"):
        main([verb, "gemm", "--limit", "1e308"])
    assert "1e308 is not a number above 0 and below 1e+09" in capsys.readouterr().err


def test_what_a_session_needs():
    made = options.options("pocl", 3.0, "here.sqlite", 5)
    assert (made.device, made.limit_s, made.store, made.seed) == ("pocl", 3.0, "here.sqlite", 5)


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["report", ""], "an argument"),
        (["optimize", "gemm", "--shape", ""], "--shape"),
        (["tune", "gemm", "--shape", "64x64x64", "--store="], "--store"),
        (["isa", "diff", "a.s", ""], "an argument"),
    ],
)
def test_what_is_empty_is_not_the_default(capsys, arguments, what):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    sentence = f"hotloop: {what} is empty; give it a value, or leave it out; see hotloop {arguments[0]}"
    assert sentence in capsys.readouterr().err


def test_a_number_within_a_range_is_called_a_whole_number(capsys):
    with pytest.raises(SystemExit):
        main(["history", "--limit", "x"])
    assert "'x' is not a valid whole number; see hotloop history --help" in capsys.readouterr().err


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


_OTHER = "ask for different things: give one of them"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["tune", "gemm", "--least", "5"], "--least is a share of a program: give --workload FILE"),
        (["tune", "gemm", "--target", "gfx942", "--fresh"], "--fresh is for runs on a device"),
        (["optimize", "gemm", "--target", "gfx942", "--fresh"], "--fresh is for runs on a device"),
        (["optimize", "k.cu", "--target", "sm_90", "--no-peers"], "--no-peers is for runs on a device"),
        (["optimize", "k.hip", "--target", "gfx942", "--margin", "0.1"], "--margin is for kernels that go through the loop"),
        (["bench", "gemm", "--store", "a.db"], "--store is where KERNEL@best is looked up"),
        (["check", "gemm", "--store", "a.db"], "--store is where KERNEL@best is looked up"),
        (["compare", "gemm", "gemm@MWI=4", "--store", "a.db"], "--store is where KERNEL@best is looked up"),
        (["check", "gemm", "--target", "gfx000"], "gfx000 cannot be emulated"),
        (["doctor", "--engine", "foo"], "unknown engine 'foo'; write gpus"),
        (["compare", "gemm", "gemm", "--entry", "k"], "--entry describes a source: give --source FILE"),
        (["compare", "gemm", "--source", "x.cl", "--entry", "k"], "give --entry NAME and --items SIZES"),
        (["history", "--best", "--calibration"], f"--best and --calibration {_OTHER}"),
        (["history", "--best", "--kind", "tune"], "--kind chooses among runs"),
        (["apply", "3f2a", "--check", "--write"], f"--check and --write {_OTHER}"),
        (["adopt", ",", "--check"], ", names no run"),
        (["capture", "--show", "x.capture", "--force"], "--force is for recording"),
        (["ladder", "gemm", "--target", "sm_90", "--predict"], "--predict is for AMD GPUs, not for sm_90"),
        (["ladder", "gemm", "--target", "gfx942", "--margin", "0.1"], "--margin is for a ladder that runs here"),
        (["emulate", "gemm", "--once", "--every-order"], f"--once and --every-order {_OTHER}"),
        (["emulate", "reduction", "--target", "gfx942", "--grid", "4"], "says itself how it is launched: leave out --grid"),
        (["emulate", "gemm", "--rung", "stage2", "--shape", "64"], "says itself how it is launched: leave out --shape"),
        (["emulate", "reduction", "--target", "gfx942", "-P", "NOPE=1"], "unknown parameter"),
        (["predict", "reduction", "--target", "gfx942", "--lds", "4"], "says itself how it is launched: leave out --lds"),
        (["predict", "gemm", "--target", "gfx942,gfx950", "--chip", "MI300A"], "the code is for gfx950"),
        (["occupancy", "--target", "gfx942", "--vgpr", "9", "--plot", "lds", "--json"], "--plot is a picture"),
        (["verify-checker", "--markdown", "--json"], f"--markdown and --json {_OTHER}"),
        (["isa", "a.s", "--annotate", "--markdown"], "--markdown is for the report"),
        (["isa", "a.s", "--target", "gfx942,gfx950", "--loop", "1"], "--loop is for one target"),
        (["profile", "counters", "--target", "sm_999"], "unknown GPU target 'sm_999'"),
        (["compare", "gemm", "gemm", "--accuracy-loss", "nan"], "nan is no finite number"),
        (["capture", "--after", "inf", "--", "python"], "inf is no finite number"),
    ],
)  # fmt: skip
def test_an_option_that_would_do_nothing_is_refused(capsys, arguments, sentence):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["report", "--html", "page", "--markdown", "./page"],
        ["explain", "--html", "kernel.s", "kernel.s"],
        ["optimize", "kernel.py:first@A=1", "--markdown", "kernel.py"],
        ["isa", "kernel.s", "--annotate", "--html", "kernel.s"],
        ["ladder", "gemm", "--from", "run.json", "--markdown", "run.json"],
        ["patch", "kernel.s", "--recipe", "run.json", "-o", "kernel.s"],
    ],
)
def test_nothing_is_written_over_what_the_command_reads_or_writes(capsys, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    files = {name: f"{name} as it was" for name in ("kernel.s", "kernel.py", "run.json")}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2
    told = capsys.readouterr().err
    assert "is a file that this command reads or writes already: name another" in told or "is a program" in told
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == files


@pytest.mark.parametrize("name", ["kernel.py", "kernel.CL", "host.cpp"])
def test_no_page_takes_the_place_of_a_program(tmp_path, name):
    path = tmp_path / name
    assert destination.writable(None, None, str(path)) == str(path)
    path.write_text("")
    assert destination.writable(None, None, str(path)) == str(path)
    path.write_text("mine\n")
    with pytest.raises(click.UsageError, match="is a program, which would be lost"):
        destination.writable(None, None, str(path))
    (tmp_path / "page.html").write_text("an earlier page")
    assert destination.writable(None, None, f"{tmp_path}/page.html")


def test_a_folder_that_is_gone_hinders_what_writes_nothing_there(monkeypatch, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert not destination.writable(None, None, "")
    assert destination.writable(None, None, f"{tmp_path}/page.html") == f"{tmp_path}/page.html"
    with pytest.raises(FileNotFoundError):  # which the command line tells
        destination.writable(None, None, "page.html")


def _verbs(command: click.Command) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            verb = command.get_command(click.Context(command), name)
            assert verb is not None
            yield from _verbs(verb)


def test_every_verb_that_shows_progress_can_be_told_not_to():
    """`report` shows progress when nothing else is asked of it (--watch)."""
    showing = {"check", "bench", "compare", "optimize", "tune", "revalidate", "ladder", "emulate", "predict", "profile"}
    hushed = {verb.name for verb in _verbs(hotloop) if any("--quiet" in given.opts for given in verb.params)}
    assert hushed == {*showing, "verify-checker"}


@pytest.mark.parametrize("said", [True, False])
def test_quiet_reaches_whatever_shows_progress(said, capsys):
    @click.command()
    @options.quiet
    def verb() -> None:
        with Progress(0.0) as progress:
            progress.notify(Notice("begun"))
        output.stage("compiling")

    verb.main(["-q"] * said, standalone_mode=False)
    assert capsys.readouterr().err.split() == ([] if said else ["begun", "compiling", "..."])
