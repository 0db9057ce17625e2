import os
import shutil
import subprocess
import sys
import tempfile
import threading

import pytest

from hotloop.errors import MachineError
from hotloop.host.arena import PREFIX, Arena


@pytest.fixture(autouse=True)
def root(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_an_arena_is_private_and_goes_with_everything_in_it(root):
    arena = Arena.create()
    assert arena.path.parent == root
    assert arena.path.stat().st_mode & 0o777 == 0o700
    assert arena.free_bytes > 0
    (arena.path / "file").write_bytes(b"x")
    arena.remove()
    arena.remove()
    assert list(root.iterdir()) == []


def test_arenas_of_live_owners_stay(root):
    one = Arena.create()
    two = Arena.create()
    assert one.path.is_dir()
    one.remove()
    two.remove()


def test_arenas_of_dead_owners_are_swept(root):
    code = "import os; from hotloop.host.arena import Arena; a = Arena.create(); print(a.path, flush=True); os._exit(1)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    left = root / done.stdout.strip().rpartition("/")[2]
    (left / "file").write_bytes(b"x")
    assert left.is_dir()
    Arena.create().remove()
    assert not left.exists()


def test_other_folders_are_left_alone(root):
    (root / "somebody-elses").mkdir()
    (root / f"{PREFIX}without-a-lock").mkdir()
    Arena.create().remove()
    assert [path.name for path in root.iterdir()] == ["somebody-elses"]


def test_an_arena_that_may_not_be_opened_is_somebody_elses(root, monkeypatch):
    foreign = root / f"{PREFIX}foreign"
    foreign.mkdir()
    (foreign / "owner.lock").touch()
    real = os.open

    def refusing(path, *rest):
        if str(path).startswith(str(foreign)):
            raise PermissionError(13, "Permission denied")
        return real(path, *rest)

    monkeypatch.setattr(os, "open", refusing)
    Arena.create().remove()
    assert foreign.is_dir()


def test_no_room_is_one_sentence(root, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(root / "missing"))
    monkeypatch.setattr(tempfile, "tempdir", str(root / "missing"))
    with pytest.raises(MachineError, match=r"cannot create a temporary folder in .*missing: No such file"):
        Arena.create()


def test_a_folder_that_its_maker_never_finished_is_swept_when_it_is_old(root):
    old, fresh = root / "hotloop-new-old", root / "hotloop-new-fresh"
    for folder in (old, fresh):
        folder.mkdir()
    os.utime(old, (1e9, 1e9))
    Arena.create().remove()
    assert [path.name for path in root.iterdir()] == ["hotloop-new-fresh"]


def test_processes_that_a_dead_owners_worker_started_end_with_its_arena(root):
    left = root / f"{PREFIX}dead"
    left.mkdir()
    with subprocess.Popen(["sleep", "60"], env={**os.environ, "HOTLOOP_ARENA": str(left)}) as stray:
        Arena.create().remove()
        assert stray.wait(10) == -9
    assert not left.exists()


def test_a_missing_file_tells_of_an_arena_that_is_being_emptied(root, monkeypatch):
    arena = Arena.create()
    removal = threading.Timer(0.2, shutil.rmtree, [arena.path])
    removal.start()
    with pytest.raises(MachineError, match="was removed while it was in use"):
        arena.keep(missing=True)
    removal.join()
    arena.remove()
    standing = Arena.create()
    monkeypatch.setattr("hotloop.host.arena._EMPTYING_S", 0.1)
    standing.keep(missing=True)  # a file is missing for another reason
    standing.remove()


def test_an_arena_knows_when_it_is_gone_and_marks_who_works_in_it(root):
    arena = Arena.create()
    assert arena.environment()["HOTLOOP_ARENA"] == str(arena.path)
    arena.keep()
    shutil.rmtree(arena.path)
    with pytest.raises(MachineError, match="was removed while it was in use"):
        arena.keep()
    arena.remove()
