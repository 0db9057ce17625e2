"""What a kernel file's answers rest on: whatever it imports of the user's own."""

import sys

import pytest

from hotloop.app.imported import fingerprint


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "direct_helper.py").write_text("from deep_helpers.inner import one\n")
    (tmp_path / "deep_helpers").mkdir()
    (tmp_path / "deep_helpers" / "__init__.py").write_text("")
    (tmp_path / "deep_helpers" / "inner.py").write_text("from .sibling import one\n")
    (tmp_path / "deep_helpers" / "sibling.py").write_text("import numpy\none = 1\n")
    (tmp_path / "other_helper.py").write_text("two = 2\n")
    (tmp_path / "kernel.py").write_text(
        "import direct_helper\nimport json, numpy\ndef late():\n    import other_helper\n"
    )
    __import__("direct_helper")
    yield tmp_path
    for name in [name for name in sys.modules if name.partition(".")[0] in ("direct_helper", "deep_helpers")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    "changed",
    [
        "kernel.py",
        "direct_helper.py",
        "deep_helpers/__init__.py",
        "deep_helpers/inner.py",
        "deep_helpers/sibling.py",
        "other_helper.py",
    ],
)
def test_a_change_anywhere_among_the_users_modules_is_seen(folder, changed):
    before = fingerprint(folder / "kernel.py")
    assert fingerprint(folder / "kernel.py") == before
    file = folder / changed
    file.write_text(file.read_text() + "# changed\n")
    assert fingerprint(folder / "kernel.py") != before


def test_what_nobody_imports_and_what_is_installed_does_not_count(folder):
    before = fingerprint(folder / "kernel.py")
    (folder / "unused_helper.py").write_text("three = 3\n")
    assert fingerprint(folder / "kernel.py") == before


def test_a_module_that_cannot_be_read_is_taken_as_it_is(folder):
    (folder / "other_helper.py").write_text("print 'python 2'\n")
    assert fingerprint(folder / "kernel.py")
