"""Mapped files: what is returned is what the file holds now, and results have room before they are written."""

import errno
import os

import numpy as np
import pytest

from hotloop.engine.pinned import Pinned
from hotloop.errors import MachineError


class Backend:
    def __init__(self):
        self.held = []

    def pin(self, array):
        self.held.append(array.ctypes.data)

    def unpin(self, array):
        self.held.remove(array.ctypes.data)


def test_a_source_is_mapped_once_and_anew_when_it_was_written_again(tmp_path):
    backend, pinned, file = Backend(), Pinned(tmp_path), tmp_path / "d.0.in"
    np.arange(100, dtype=np.uint8).tofile(file)
    first = pinned.source("d.0.in", backend)
    assert pinned.source("d.0.in", backend) is first
    os.utime(file, ns=(1, 1))
    assert pinned.source("d.0.in", backend) is first  # pages that are pinned may count as written
    file.unlink()
    np.arange(99, -1, -1, dtype=np.uint8).tofile(file)
    assert np.array_equal(pinned.source("d.0.in", backend), np.arange(99, -1, -1))
    assert len(backend.held) == 1


def test_a_target_grows_and_is_the_file_itself(tmp_path):
    backend, pinned = Backend(), Pinned(tmp_path)
    pinned.target("out", 5000, backend)[:] = 7
    small = pinned.target("out", 10, backend)
    small[:] = 8
    assert small.size == 10
    large = pinned.target("out", 9000, backend)
    large[-1] = 9
    kept = np.fromfile(tmp_path / "out", np.uint8)
    assert (kept.size, kept[9], kept[10], kept[-1]) == (9000, 8, 7, 9)
    assert len(backend.held) == 1


def test_only_the_files_of_a_dataset_are_forgotten(tmp_path):
    backend, pinned = Backend(), Pinned(tmp_path)
    for name in ("set1.0.in", "set11.0.in"):
        np.zeros(4, np.uint8).tofile(tmp_path / name)
        pinned.source(name, backend)
    pinned.forget("set1")
    assert len(backend.held) == 1


def test_without_room_there_is_a_sentence(tmp_path):
    pinned = Pinned(tmp_path)
    with pytest.raises(MachineError, match="free space there") as told:
        pinned.target("out", 1 << 60, Backend())
    assert told.value.__cause__.errno in (errno.ENOSPC, errno.EFBIG, errno.EINVAL)
