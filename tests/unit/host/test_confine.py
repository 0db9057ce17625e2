from __future__ import annotations

import os
import resource
import socket
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from hotloop.host.confine import Confinement, _read_only, confine, possible, without_others

DENIED = ("PermissionError", "OSError")
"""By Landlock, or because mounts are read-only."""
needs_landlock = pytest.mark.skipif(not possible().writing, reason="this system has no Landlock")


def inside(attempt, writable=()):
    """Return what `attempt` answers, or the name of what it raises, in a confined child."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        try:
            confine(writable)
            told = str(attempt())
        except BaseException as error:
            told = type(error).__name__
        os.write(writing, told.encode())
        os._exit(0)
    os.close(writing)
    told = os.read(reading, 4096).decode()
    os.close(reading)
    os.waitpid(child, 0)
    return told


@needs_landlock
def test_files_are_written_only_where_it_was_left(tmp_path):
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir()
    other.mkdir()
    (other / "store.db").write_text("results")
    assert inside(lambda: (own / "a").write_text("1"), (own,)) == "1"
    assert inside(lambda: (other / "a").write_text("1"), (own,)) in DENIED
    assert inside(lambda: (other / "store.db").write_text("x"), (own,)) in DENIED
    assert inside(lambda: (other / "store.db").unlink(), (own,)) in DENIED
    assert inside(lambda: os.truncate(other / "store.db", 0), (own,)) in DENIED
    assert inside((other / "store.db").read_text) == "results"


@needs_landlock
def test_modes_and_times_of_files_elsewhere_stay(tmp_path):
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir()
    other.mkdir()
    if inside(lambda: os.chmod(other, 0o711)) == "None":
        pytest.skip("this system gives nobody mounts of its own")
    assert inside(lambda: os.utime(other, (1, 1)), (own,)) in DENIED
    assert inside(lambda: os.chmod(other, 0), (own,)) in DENIED
    assert inside(lambda: os.chmod(own, 0o711), (own,)) == "None"


@needs_landlock
def test_the_parent_cannot_be_read_or_ended():
    parent = os.getpid()
    assert inside(lambda: Path(f"/proc/{parent}/mem").read_bytes()) == "PermissionError"
    if possible().signals:
        assert inside(lambda: os.kill(parent, 0)) == "PermissionError"


def test_other_processes_cannot_be_named_and_none_outlives_the_first():
    if not possible().network:
        pytest.skip("this system gives nobody namespaces")
    parent = os.getpid()

    def alone(attempt):
        def first():
            without_others()
            return attempt()

        return inside(first)

    assert alone(os.getpid) == "1"
    for name in (
        lambda: os.sched_setaffinity(parent, {0}),
        lambda: os.setpriority(os.PRIO_PROCESS, parent, 19),
        lambda: resource.prlimit(parent, resource.RLIMIT_CPU, (1, 1)),
        lambda: os.kill(parent, 0),
    ):
        assert alone(name) == "ProcessLookupError"
    reading, writing = os.pipe()

    def leave():
        if not os.fork():
            os.setsid()
            if not os.fork():
                time.sleep(600)
            os._exit(0)
        return "left"

    assert alone(leave) == "left"
    os.close(writing)
    assert os.read(reading, 1) == b""  # nobody holds the other end any more
    os.close(reading)


def test_the_network_is_gone():
    if not possible().network:
        pytest.skip("this system lets nobody leave the network")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert inside(lambda: socket.create_connection(("127.0.0.1", port), 2)) in ("OSError", "PermissionError")


def test_what_is_lacking_is_told():
    assert Confinement().lacking[0] == "writing files"
    assert Confinement(True, True, True, True, True).whole


def test_mounts_stay_where_a_folder_cannot_be_left_writable(tmp_path):
    """Else the folder that a worker must write to would be read-only with everything else."""
    changed = []
    libc = SimpleNamespace(unshare=lambda _: 0, mount=lambda *_: -1, syscall=lambda *call: changed.append(call))
    _read_only(libc, (tmp_path,))
    assert not changed
