"""Temporary folders: gone at the end, left alone while somebody lives, removed for whom was killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hotloop.host import scratch

HELD = "from hotloop.host import scratch\nwith scratch.folder() as name:\n    print(name, flush=True)\n    input()\n"


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    scratch._sweep.cache_clear()
    yield tmp_path
    scratch._sweep.cache_clear()


def aged(path):
    os.utime(path, (time.time() - 3600,) * 2)


def test_a_folder_is_removed_at_the_end_also_with_an_error(root):
    def twice():
        with scratch.folder() as name:
            Path(name, "inner").mkdir()
            Path(name, "inner").mkdir()

    with pytest.raises(FileExistsError):
        twice()
    assert not list(root.iterdir())


def test_a_folder_is_removed_after_its_owner_was_killed_and_not_before(root):
    owner = subprocess.Popen(
        [sys.executable, "-c", HELD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(root)}
    )  # fmt: skip
    left = Path(owner.stdout.readline().strip())
    aged(left)
    with scratch.folder():
        assert left.is_dir()
    owner.kill()
    owner.communicate()
    scratch._sweep.cache_clear()  # as in another process
    with scratch.folder():
        assert not left.exists()


def test_a_folder_that_is_new_is_somebodys_although_it_has_no_lock_yet(root):
    (root / f"{scratch.PREFIX}new").mkdir()
    with scratch.folder():
        assert (root / f"{scratch.PREFIX}new").is_dir()


def test_without_locks_a_folder_has_a_name_that_is_never_swept(root, monkeypatch):
    monkeypatch.setattr(scratch, "_locked", lambda _: None)
    with scratch.folder() as name:
        aged(name)
        assert Path(name).is_dir()
        assert not Path(name).name.startswith(scratch.PREFIX)
    assert not list(root.iterdir())
