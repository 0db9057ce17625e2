"""Compiled CUDA C++ is kept for other processes, and compiled anew where the file is damaged or cannot be written."""

from __future__ import annotations

import pytest

from hotloop.dispatch import cubins
from hotloop.drivers.api import Compiled

MADE = Compiled(b"code\nof two lines", {"kernel": "_kernel"}, "a remark")


@pytest.fixture
def kept(tmp_path, monkeypatch):
    compiled = []

    def told(build="text", capability=90, folder=tmp_path):
        monkeypatch.setattr(cubins.platformdirs, "user_cache_dir", lambda _name: str(folder))

        def compile_text():
            compiled.append(build)
            return MADE

        return cubins.kept(build, "kernel", "NVRTC 13.0", capability, compile_text), len(compiled)

    return told


def test_a_text_is_compiled_once(kept):
    assert [kept(), kept(), kept("other"), kept(capability=100), kept()] == [(MADE, n) for n in (1, 1, 2, 3, 3)]


def test_a_damaged_file_is_compiled_anew(kept, tmp_path):
    kept()
    (path,) = (tmp_path / "cubins").glob("*.cubin")
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert kept() == (MADE, 2)
    path.write_bytes(b"")
    assert kept() == (MADE, 3)
    assert kept() == (MADE, 3)


def test_a_folder_that_cannot_be_written_costs_only_time(kept, tmp_path):
    (tmp_path / "file").write_text("in the way")
    assert kept(folder=tmp_path / "file") == (MADE, 1)
    assert kept(folder=tmp_path / "file") == (MADE, 2)
