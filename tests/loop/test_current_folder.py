"""Modules of the folder in which hotloop is started are not what workers and compilers import."""

import pytest

from hotloop.app import session
from hotloop.app.code.offline import compile_offline
from hotloop.compilers.offer import Compiled
from hotloop.host import settings, toolchain

TRITON = """import triton
import triton.language as tl

@triton.jit
def copy(x_ptr, y_ptr):
    tl.store(y_ptr, tl.load(x_ptr))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Be where files have names of modules that everything needs."""
    for name in ("json", "numpy", "triton", "hotloop", "select"):
        (tmp_path / f"{name}.py").write_text("raise RuntimeError('a file of the current folder')\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_worker_starts(folder):
    options = session.Options(language="null")
    with session.open_engine(options) as engine:
        assert session.select_device(engine, options).backend == "null"


@pytest.mark.skipif(toolchain.package("triton") is None, reason="the package triton is not installed")
def test_a_compiler_starts(folder, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "kernel.py").write_text(TRITON)
    made = compile_offline("sub/kernel.py", "gfx942")
    assert isinstance(made, Compiled), made


def test_where_hotloop_itself_is_imported_from_nothing_is_kept_out(monkeypatch):
    from pathlib import Path

    import hotloop

    monkeypatch.chdir(Path(hotloop.__file__).parents[1])
    assert settings.child_path() == {}


def test_a_folder_that_was_removed_does_no_harm(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert settings.child_path() == {"PYTHONSAFEPATH": "1"}
