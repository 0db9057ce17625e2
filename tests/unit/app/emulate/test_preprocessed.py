"""Folders and macros of a C source: what clang gets, and what is refused in one sentence."""

from pathlib import Path

import pytest

from hotloop.app.emulate.preprocessed import Preprocessed
from hotloop.errors import UsageError


def test_folders_are_whole_paths_because_clang_runs_elsewhere(tmp_path, monkeypatch):
    (tmp_path / "inc lude").mkdir()
    monkeypatch.chdir(tmp_path)
    given = Preprocessed(("inc lude",), ("REAL=float", "F(a, b)=((a) + (b))", "FLAG"))
    assert given.options == (
        f"-I{Path(tmp_path).resolve() / 'inc lude'}",
        "-DREAL=float",
        "-DF(a, b)=((a) + (b))",
        "-DFLAG",
    )
    assert Preprocessed().options == ()


@pytest.mark.parametrize("macro", ["3=4", "", "=x", "a b=c", "-x"])
def test_what_is_no_macro_is_refused(macro):
    with pytest.raises(UsageError, match="no NAME or NAME=TEXT"):
        _ = Preprocessed(macros=(macro,)).options


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="there is no such folder"):
        _ = Preprocessed((str(tmp_path / "nope"),)).options


def test_what_has_no_preprocessor_takes_neither():
    Preprocessed().refuse("gemm")
    with pytest.raises(UsageError, match="gemm has no preprocessor"):
        Preprocessed(macros=("A",)).refuse("gemm")
