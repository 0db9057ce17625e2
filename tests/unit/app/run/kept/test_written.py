"""What `apply --write` does to files: the right one, whole or not at all."""

import os
import signal
import stat
from pathlib import Path

import pytest

from hotloop.app.capture import tried
from hotloop.app.run.kept import replaced, together
from hotloop.app.run.kept.change import Change
from hotloop.app.run.kept.patch import Patch
from hotloop.captures import folder as folders
from hotloop.errors import HotloopError, UsageError


def patch(path, before="a\n", after="b\n"):
    return Patch(path=str(path), before=before, after=after, launches=())


def test_a_link_stays_one(tmp_path):
    (tmp_path / "real").mkdir()
    own, link = tmp_path / "real" / "k.cl", tmp_path / "k.cl"
    own.write_text("a\n")
    link.symlink_to(own)
    patch(link).write()
    assert (link.is_symlink(), own.read_text()) == (True, "b\n")


def test_a_file_that_may_not_be_written_is_not(tmp_path):
    own = tmp_path / "k.cl"
    own.write_text("a\n")
    own.chmod(0o444)
    with pytest.raises(HotloopError, match="may only be read"):
        patch(own).write()
    assert own.read_text() == "a\n"


def test_other_files_beside_it_stay(tmp_path):
    own, other = tmp_path / "k.cl", tmp_path / ".k.cl.hotloop"
    own.write_text("a\n")
    own.chmod(0o640)
    other.write_text("mine\n")
    patch(own).write()
    assert (own.read_text(), other.read_text(), sorted(os.listdir(tmp_path))) == (
        "b\n",
        "mine\n",
        [other.name, own.name],
    )
    assert stat.S_IMODE(own.stat().st_mode) == 0o640


def test_bytes_of_another_encoding_stay(tmp_path):
    own = tmp_path / "k.cl"
    own.write_bytes(b"// f\xfcr\r\na\r\n")
    fitted = patch(own, "// f\udcfcr\na\n", "// f\udcfcr\nb\n").fitted
    assert (fitted.stands, fitted.applied) == (True, False)
    fitted.write()
    assert own.read_bytes() == b"// f\xfcr\r\nb\r\n"


def test_a_file_that_changed_in_the_meantime_is_kept(tmp_path):
    own = tmp_path / "k.cl"
    own.write_text("a\n")
    fitted = patch(own).fitted
    own.write_text("c\n")
    with pytest.raises(HotloopError, match="has changed"):
        fitted.write()
    assert own.read_text() == "c\n"


def test_a_text_in_a_capture_is_none_of_the_program(tmp_path):
    from hotloop.captures import folder as folders

    (tmp_path / folders.INDEX).write_text("{}")
    own = tmp_path / "k.cl"
    own.write_text("a\n")
    with pytest.raises(HotloopError, match="stands in no file"):
        patch(own).write()
    assert own.read_text() == "a\n"


TEXT = "#define N 1\nkernel void f(global int *a) {\n  two\n  three\n}\nfloat h(int b) {\n  four(b);\n}\nkernel void g() {\n  five;\n}\nkernel void i() {\n  h(1);\n}\n"


def test_two_kernels_of_one_file_are_patched_together(tmp_path):
    own = tmp_path / "k.cl"
    runs = [patch(own, TEXT, TEXT.replace(word, f"{word}!\nmore")) for word in ("two", "five")]
    whole = runs[1].after.replace("two", "two!\nmore")
    for written in (TEXT, runs[0].after, runs[1].after):
        own.write_bytes(written.replace("\n", "\r\n").encode())
        fitted = together.joined(runs).fitted
        assert (fitted.stands, fitted.applied) == (True, False)
        fitted.write()
        assert own.read_bytes() == whole.replace("\n", "\r\n").encode()
    assert together.joined(runs).fitted.applied
    own.write_text(TEXT.replace("three", "drei"))
    assert not together.joined(runs).fitted.stands


JIT = "@triton.jit\ndef f(x):\n    a = 1\n    b = 2\n\n\n@triton.jit\ndef g(x):\n    c = 3\n"


@pytest.mark.parametrize(
    ("text", "edits", "said"),
    [
        (TEXT, (("two\n", "deux\n  two bis\n"), ("two\n", "zwei\n")), "both change f"),
        (TEXT, (("two\n", "deux\n"), ("three\n", "drei\n")), "both change f"),
        (TEXT, (("N 1", "N 2"), ("five", "cinq")), "share"),
        (TEXT, (("four", "vier"), ("h(1)", "h(2)")), "share"),
        (TEXT, (("kernel void f", "#define M\nkernel void f"), ("five", "cinq")), "share"),
        (JIT, (("a = 1", "a = 2"), ("b = 2", "b = 3")), "both change f"),
        (JIT, (("a = 1", "a = 2"), ("c = 3", "c = 4")), ""),
        (TEXT, (("two", "deux"), ("two", "deux")), ""),
    ],
)
def test_only_what_was_verified_is_put_together(tmp_path, text, edits, said):
    runs = [patch(tmp_path / "k.cl", text, text.replace(*one)) for one in edits]
    if said:
        with pytest.raises(HotloopError, match=said):
            together.joined(runs)
        return
    made = together.joined(runs).after
    assert all(new in made for _, new in edits)


@pytest.mark.parametrize("why", [KeyboardInterrupt, signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("last", [0, 1])
def test_a_command_that_is_ended_leaves_no_half_of_a_patch(tmp_path, monkeypatch, why, last):
    files = [tmp_path / name for name in ("a.cl", "b.c")]
    for file in files:
        file.write_text("a\n")
    put, heard = Path.replace, list[int]()

    def ended(draft, place):
        put(draft, place)
        if place == files[last] and place.read_text() == "b\n":
            if why is KeyboardInterrupt:
                raise why
            signal.raise_signal(why)

    monkeypatch.setattr(Path, "replace", ended)
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        with pytest.raises(KeyboardInterrupt):
            replaced.write(dict.fromkeys(files, b"b\n"), lambda: True)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [signal.SIGTERM] * (why == signal.SIGTERM)
    assert [file.read_text() for file in files] == ["a\n"] * 2
    assert sorted(tmp_path.iterdir()) == files


@pytest.mark.parametrize(("repository", "name"), [("", "lib/k.cl"), ("lib", "k.cl"), ("..", "here/lib/k.cl")])
def test_a_diff_names_files_from_the_root_of_their_repository(tmp_path, monkeypatch, repository, name):
    """`git apply` takes them so; the bare name was that of another file."""
    here = tmp_path / "here"
    (here / "lib").mkdir(parents=True)
    monkeypatch.chdir(here)
    if repository:
        (here / repository / ".git").mkdir()
    change = Change(path=str(here / "lib" / "k.cl"), before="a\n", after="b\n")
    assert change.own_diff.splitlines()[:2] == [f"--- a/{name}", f"+++ b/{name}"]
    outside = Change(path=str(tmp_path / "other" / "k.cl"), before="a\n", after="b\n")
    assert outside.own_diff.startswith(f"--- a/{'other/' if repository == '..' else ''}k.cl\n")


def test_a_trial_needs_files_that_can_be_copied(tmp_path, monkeypatch):
    here, package = tmp_path / "here", tmp_path / "site" / "k.py"
    for folder in (here, package.parent, here / "p.capture"):
        folder.mkdir()
    (here / "p.capture" / folders.INDEX).write_text("{}", encoding="utf-8")
    package.write_text("a\n" * 2000, encoding="utf-8")
    monkeypatch.chdir(here)
    monkeypatch.setattr(tried, "_MOST_BYTES", 1000)
    for path, sentence in (
        (package, "lies outside of the folder in which the command is given"),
        (here / "p.capture" / "k.cl", "there is no patched program to try: the text stands in no file of it"),
    ):
        left = Patch(path=str(path), before="a\n", after="b\n", launches=())
        with pytest.raises(UsageError, match=sentence) as raised:
            tried.tried(left, ("true",))
        assert "hotloop adopt" in str(raised.value)
