"""What `apply` and `adopt` say of a run, by what it left: a text, launches, or nothing faster."""

import json
import sys
from contextlib import nullcontext

import pytest

from hotloop.app import session
from hotloop.app.run.kept import patch as patches
from hotloop.app.run.kept.patch import Patch
from hotloop.cli.main import main

NOTHING = "nothing that was tried is faster"


@pytest.fixture
def say(capsys, monkeypatch, tmp_path):
    """Ask a verb about a run that left `after` of the source `a`, and launches."""
    path = tmp_path / "k.cl"
    path.write_text("a\n")

    def asked(arguments, after="a\n", launches=(), asks=False):
        left = Patch(path=str(path), before="a\n", after=after, launches=launches, speedup="2× faster", asks=asks)
        monkeypatch.setattr(session, "open_store", lambda *_args, **_more: nullcontext())
        monkeypatch.setattr(patches, "read", lambda _store, _run: left)
        with pytest.raises(SystemExit) as end:
            main(arguments)
        return end.value.code, capsys.readouterr()

    return asked


@pytest.mark.parametrize("more", [[], ["--check"], ["--write"]])
def test_a_run_that_found_nothing_faster_patched_nothing(say, more):
    code, said = say(["apply", "3f2a", *more])
    assert (code, said.out) == (0, "")
    assert NOTHING in said.err


def test_a_source_that_was_not_changed_is_not_called_patched(say):
    found = json.loads(say(["apply", "3f2a", "--json"])[1].out)
    assert (found["fits"], found["applied"], found["diff"]) == (True, False, "")
    assert say(["apply", "3f2a", "--check"], after="b\n")[1].err.endswith("is what was optimized\n")


def test_launches_that_change_alone_are_told(say):
    code, said = say(["apply", "3f2a"], launches=("k: launch it with num_warps=8 (was 4)",))
    assert code == 0
    assert NOTHING not in said.err
    for words in ("its text stays as it is", "num_warps=8 (was 4)", "2× faster"):
        assert words in said.err


def test_nothing_faster_is_nothing_to_adopt(say):
    code, said = say(["adopt", "3f2a", "--check"])
    assert code == 2
    assert "found nothing faster, so there is nothing to adopt." in said.err


def test_a_source_that_is_patched_already_is_left_as_it_is(say, tmp_path):
    """Its lines may end otherwise than those that won; all of them were written again."""
    path = tmp_path / "k.cl"
    path.write_bytes(b"b\r\n")
    code, said = say(["apply", "3f2a", "--write"], after="b\n")
    assert (code, path.read_bytes()) == (0, b"b\r\n")
    assert said.err.endswith("is patched already\n")


def test_a_source_that_is_gone_is_not_called_changed(say, tmp_path):
    (tmp_path / "k.cl").unlink()
    code, said = say(["apply", "3f2a"], after="b\n")
    assert (code, said.err.startswith(f"hotloop: there is no file {tmp_path / 'k.cl'} any more: ")) == (2, True)


def test_an_adoption_takes_no_programs_place(say, tmp_path):
    program = tmp_path / "program.py"
    program.write_text("print()\n")
    code, said = say(["adopt", "3f2a", "--out", str(program)])
    assert code == 2
    assert "is a program, which would be lost" in said.err


def test_a_text_with_which_the_program_must_change_is_not_written_before_that(say, tmp_path):
    asks = {"after": "b\n", "launches": ("k: global size 8 becomes 4",), "asks": True}
    code, said = say(["apply", "3f2a", "--write"], **asks)
    assert (code, (tmp_path / "k.cl").read_text()) == (2, "a\n")
    for words in ("nothing was written to", "global size 8 becomes 4", "give --host-changed"):
        assert words in " ".join(said.err.split())
    code, said = say(["apply", "3f2a"], **asks)
    assert (code, "+b" in said.out) == (0, True)
    code, said = say(["apply", "3f2a", "--host-changed"], **asks)
    assert (code, "give --write, too" in said.err) == (2, True)
    code, said = say(["apply", "3f2a", "--write", "--host-changed"], **asks)
    assert (code, (tmp_path / "k.cl").read_text()) == (0, "b\n")


@pytest.mark.parametrize(
    ("program", "code", "words"),
    [
        ("print(open('k.cl').read())", 0, "ends with code 0 as before; it printed otherwise before: a"),
        ("open('k.cl').read(); open('made', 'w'); print(1)", 0, "ends with code 0 as before, and prints the same"),
        ("raise SystemExit(open('k.cl').read() != 'a\\n')", 1, "ends with code 1 instead of 0"),
    ],
)
def test_a_program_is_tried_in_copies_of_its_folder(say, tmp_path, monkeypatch, program, code, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.py").write_text(program)
    found, said = say(["apply", "3f2a", "--check", "--", sys.executable, str(tmp_path / "p.py")], after="b\n")
    assert (found, words in said.err) == (code, True)
    assert ((tmp_path / "k.cl").read_text(), sorted(one.name for one in tmp_path.iterdir())) == (
        "a\n",
        ["k.cl", "p.py"],
    )
    code, said = say(["apply", "3f2a", "--", "true"], after="b\n")
    assert (code, "is tried with --check" in said.err) == (2, True)
