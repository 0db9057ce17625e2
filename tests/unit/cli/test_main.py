import errno

import click
import pytest

from hotloop.cli import main as entry
from hotloop.errors import KernelFileError, StoreError


@pytest.fixture
def verb(monkeypatch, capsys):
    """Return a function that runs a verb whose body is given, as `hotloop act`."""

    def run(body, *arguments):
        @click.command("act")
        @click.option("--number", type=int)
        @click.option("--out")
        def act(number, out):
            return body()

        monkeypatch.setattr(entry.Verbs, "list_commands", lambda self, ctx: ["act"])
        monkeypatch.setattr(entry.registry, "load", lambda *names: act)
        with pytest.raises(SystemExit) as left:
            entry.main([*arguments])
        out, err = capsys.readouterr()
        return left.value.code, out, err

    return run


def raising(error):
    def body():
        raise error

    return body


@pytest.mark.parametrize("code", [0, 1, 130])
def test_the_answer_of_a_verb_is_the_exit_code(verb, code):
    assert verb(lambda: code, "act") == (code, "", "")


@pytest.mark.parametrize(
    ("error", "code", "told"),
    [
        (KernelFileError("the file is wrong."), 2, "hotloop: the file is wrong.\n"),
        (StoreError("the store is full."), 3, "hotloop: the store is full.\n"),
        (KeyboardInterrupt(), 130, "\nstopped.\n"),
    ],
)
def test_errors_are_one_sentence_and_a_code(verb, error, code, told):
    assert verb(raising(error), "act") == (code, "", told)


@pytest.mark.parametrize(
    ("given", "named"),
    [("--out=dir/a\nb.s", "dir/a\nb.s"), ("--out=dir/a\nb.cl", "a\nb.cl"), ("--out=a\r\nb", "a\r\nb")],
)
def test_a_line_break_in_what_was_given_is_spelled_out(verb, given, named):
    def body():
        raise KernelFileError(f"{named} is wrong.\nThe second line of a compiler stays.")

    code, _, err = verb(body, "act", given)
    told = named.replace("\r", "").replace("\n", "\\n")
    assert (code, err) == (2, f"hotloop: {told} is wrong.\nThe second line of a compiler stays.\n")


def test_an_interrupt_while_a_class_is_made_is_no_defect(verb):
    def body():
        raise RuntimeError("Error calling __set_name__ on 'cached_property'") from KeyboardInterrupt()

    assert verb(body, "act") == (130, "", "stopped.\n")


def test_defects_are_one_sentence_too_unless_debugging(verb):
    code, _, err = verb(raising(ZeroDivisionError("by zero")), "act")
    assert code == 1
    assert err == "hotloop: defect: ZeroDivisionError: by zero; run again with --debug and report it.\n"


def test_a_full_disk_is_no_defect(verb):
    code, _, err = verb(raising(OSError(errno.ENOSPC, "No space left on device")), "act")
    assert code == 3
    assert (
        err == "hotloop: nothing more can be written: No space left on device; free some space, or write elsewhere.\n"
    )


def test_too_few_files_that_may_be_open_are_no_defect(verb):
    code, _, err = verb(raising(OSError(errno.EMFILE, "Too many open files")), "act")
    assert (code, err) == (
        3,
        "hotloop: no further file can be opened: allow more (ulimit -n), or close other programs.\n",
    )


def test_a_folder_that_is_gone_is_no_defect(verb):
    code, _, err = verb(raising(FileNotFoundError(errno.ENOENT, "No such file or directory")), "act")
    assert (code, err) == (3, "hotloop: the folder in which this runs is gone; change to one that exists.\n")


def test_no_folder_for_temporary_files_is_no_defect(verb, monkeypatch):
    import tempfile

    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/no/such/folder"])
    code, _, err = verb(tempfile.gettempdir, "act")
    assert code == 3
    assert err.startswith("hotloop: no folder for temporary files can be written: free some space, or set TMPDIR")


def test_debugging_shows_where_it_happened(verb, capsys):
    code, _, err = verb(raising(KernelFileError("wrong.")), "--debug", "act")
    assert code == 2
    assert "Traceback" in err
    assert "KernelFileError: wrong." in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["act", "--number", "x"],
            "hotloop: invalid value for '--number': 'x' is not a valid integer; see hotloop act --help.\n",
        ),
        (["other"], "hotloop: no such command 'other'"),
        (["act", "more"], "hotloop: got unexpected extra argument (more)"),
        (["atc"], "hotloop: no such command 'atc', did you mean act? See hotloop --help.\n"),
        (["act", "--number"], "hotloop: option '--number' requires an argument; see hotloop act --help.\n"),
        (["act", "--numbr"], "hotloop: no such option '--numbr', did you mean --number? See hotloop act --help.\n"),
        (["act", "--aer"], "hotloop: no such option '--aer'; see hotloop act --help.\n"),
    ],
)
def test_misuse_is_one_sentence_with_a_hint(verb, arguments, words):
    code, _, err = verb(lambda: 0, *arguments)
    assert code == 2
    assert err.startswith(words)
    assert err.count("\n") == 1


def test_the_version(verb):
    code, out, _ = verb(lambda: 0, "--version")
    assert code == 0
    assert out.startswith("hotloop, version ")


def test_a_name_that_the_system_refuses_is_the_users(verb):
    code, _, err = verb(raising(OSError(errno.ENAMETOOLONG, "File name too long", "n" * 300)), "act")
    assert code == 2
    assert err == f"hotloop: {'n' * 300} is longer than this system lets a name be; name an existing file or kernel.\n"


@pytest.mark.parametrize("word", [None, "", "x", "3x"])
def test_variables_of_completion_that_no_shell_set_are_told(monkeypatch, capsys, word):
    monkeypatch.setenv("_HOTLOOP_COMPLETE", "bash_complete")
    for name, value in {"COMP_WORDS": "hotloop op", "COMP_CWORD": word}.items():
        monkeypatch.delenv(name, raising=False) if word is None else monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as left:
        entry.main([])
    assert left.value.code == 2
    assert "_HOTLOOP_COMPLETE is set, but COMP_WORDS and COMP_CWORD are not" in capsys.readouterr().err


def test_memory_that_runs_out_is_no_defect(verb):
    code, out, err = verb(raising(MemoryError("Unable to allocate 728. TiB")), "act")
    assert (code, out) == (3, "")
    assert err == "hotloop: memory ran out (Unable to allocate 728. TiB); choose smaller sizes, or free memory.\n"


def test_a_choice_that_is_missing_is_told_in_one_line(capsys):
    with pytest.raises(SystemExit) as left:
        entry.main(["completion"])
    assert left.value.code == 2
    assert capsys.readouterr().err == (
        "hotloop: missing argument '{bash|zsh|fish}'. Choose from: bash, zsh, fish; see hotloop completion --help.\n"
    )


def test_a_number_of_runs_that_no_store_counts_is_refused(capsys):
    with pytest.raises(SystemExit) as left:
        entry.main(["history", "--limit", "9" * 24])
    assert left.value.code == 2
    assert "is not in the range 1<=x<=1000000000" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("hotloop check my", ["file,my"]),
        ("hotloop explain one.csv res", ["file,res"]),
        ("hotloop compare gemm_pre", ["plain,gemm_preshuffled"]),
        ("hotloop isa di", ["plain,diff"]),
        ("hotloop techniques show swi", ["plain,swizzle"]),
        ("hotloop history --store a", ["file,a"]),
    ],
)
def test_what_a_verb_takes_is_completed(monkeypatch, capsys, line, words):
    monkeypatch.setenv("_HOTLOOP_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    with pytest.raises(SystemExit):
        entry.main([])
    assert capsys.readouterr().out.split() == words
