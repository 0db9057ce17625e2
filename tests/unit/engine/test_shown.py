"""Memory of a worker that is used again."""

from __future__ import annotations

import pytest

from hotloop.engine import pinned
from hotloop.engine.pinned import Shown


def content(files, path):
    status = path.stat()
    return files.content(path, status.st_ino, status.st_size)


def test_a_file_is_mapped_once_and_nobody_writes_to_its_pages(tmp_path):
    files, path = Shown(), tmp_path / "set0.y"
    path.write_bytes(bytes(range(100)))
    found = content(files, path)
    assert found.tobytes() == bytes(range(100))
    assert content(files, path) is found
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 1


def test_another_content_and_a_file_that_was_forgotten_are_read_anew(tmp_path):
    files, path = Shown(), tmp_path / "set0.y"
    path.write_bytes(b"old content")
    old = content(files, path)
    path.unlink()
    path.write_bytes(b"new content")
    assert content(files, path).tobytes() == b"new content"
    assert old.tobytes() == b"old content"
    known = content(files, path)
    files.forget("set")
    assert content(files, path) is known
    files.forget("set0")
    assert content(files, path) is not known
    empty = tmp_path / "set0.z"
    empty.touch()
    assert content(files, empty).size == 0


def test_the_least_recently_used_files_are_unmapped(tmp_path, monkeypatch):
    monkeypatch.setattr(pinned, "_MOST_FILES", 2)
    paths = [tmp_path / f"set{number}.y" for number in range(3)]
    for number, path in enumerate(paths):
        path.write_bytes(bytes([number]))
    files = Shown()
    first, second = content(files, paths[0]), content(files, paths[1])
    assert content(files, paths[0]) is first
    content(files, paths[2])
    assert content(files, paths[0]) is first
    assert content(files, paths[1]) is not second
