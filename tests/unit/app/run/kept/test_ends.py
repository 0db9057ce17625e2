"""A patch fits the file as it lies there: ends of lines, byte order mark, form feeds."""

import errno
import os
import shutil
import subprocess

import pytest

from hotloop.app.run.kept.patch import Patch
from hotloop.errors import MachineError

BEFORE = "__kernel void a() {\n    one();\n\f    two();\n    three();\n}\n"
AFTER = BEFORE.replace("two();", "zwei();\n    dos();")
MARK = b"\xef\xbb\xbf"
ENDS = {
    "unix": BEFORE.encode(),
    "dos": BEFORE.replace("\n", "\r\n").encode(),
    "mixed": BEFORE.replace("\n", "\r\n", 2).encode(),
    "marked": MARK + BEFORE.encode(),
    "marked-dos": MARK + BEFORE.replace("\n", "\r\n").encode(),
}


@pytest.fixture(params=ENDS)
def source(request, tmp_path):
    path = tmp_path / "a.cl"
    path.write_bytes(ENDS[request.param])
    return path


def patch_of(path):
    return Patch(path=str(path), before=BEFORE, after=AFTER, launches=())


def test_writing_changes_the_lines_that_differ_and_no_others(source):
    held = source.read_bytes()
    patch = patch_of(source)
    assert patch.stands
    assert not patch.applied
    patch.fitted.write()
    assert patch.applied
    assert source.read_bytes().startswith(MARK) == held.startswith(MARK)
    kept = [row for row in held.split(b"\n") if b"two" not in row]
    assert [row for row in source.read_bytes().split(b"\n") if b"zwei" not in row and b"dos" not in row] == kept
    assert [path.name for path in source.parent.iterdir()] == ["a.cl"]


@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no program patch")
def test_the_diff_is_what_the_program_patch_takes(source):
    patch = patch_of(source)
    command = ["patch", "--binary", "-p1", "-s"]
    subprocess.run(command, input=patch.fitted.diff.encode(), cwd=source.parent, check=True, timeout=60)
    assert patch.applied


def test_a_source_that_cannot_be_written_stays_as_it_is(tmp_path, monkeypatch):
    path = tmp_path / "a.cl"
    path.write_text(BEFORE)

    def full(*_given):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MachineError, match="cannot write .*a.cl: No space left on device; its text is what it was"):
        patch_of(path).write()
    assert (path.read_text(), list(tmp_path.iterdir())) == (BEFORE, [path])
