"""What `apply --write` does to files: the right one, whole or not at all."""

import os
import stat

import pytest

from hotloop.app.run.kept import together
from hotloop.app.run.kept.patch import Patch
from hotloop.errors import HotloopError


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


TEXT = "one\ntwo\nthree\nfour\nfive\n"


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


@pytest.mark.parametrize("other", [("two\n", "zwei\n"), ("two\n", "two\nneu\n")])
def test_two_runs_that_change_the_same_lines_are_not_put_together(tmp_path, other):
    runs = [patch(tmp_path / "k.cl", TEXT, TEXT.replace(*one)) for one in (("two\n", "deux\ntwo bis\n"), other)]
    with pytest.raises(HotloopError, match="the same lines"):
        together.joined(runs)
