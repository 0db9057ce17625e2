"""The command line where something is missing on the machine, or the store is damaged, locked or newer."""

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from hotloop.store import Store, schema

NULL_KERNEL = Path(__file__).parents[1] / "null_kernel.py"


# --- what is missing on the machine ----------------------------------------------------------------------------------


def test_no_runtime(run, user_file, tmp_path, monkeypatch):
    pytest.importorskip("pyopencl")
    (tmp_path / "vendors").mkdir()
    monkeypatch.setenv("OCL_ICD_VENDORS", str(tmp_path / "vendors"))
    for verb in (["check"], ["optimize", "--quiet"], ["tune", "--quiet"], ["bench"]):
        run(verb[0], user_file(), *verb[1:]).refused(3, "OCL_ICD_VENDORS")
    ended = run("doctor", "--json")
    assert ended.code == 3
    assert not json.loads(ended.out)["healthy"]


def test_no_bindings(run, user_file, tmp_path, monkeypatch):
    package = tmp_path / "path" / "pyopencl"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('raise ModuleNotFoundError("No module named pyopencl", name="pyopencl")')
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    run("check", user_file()).refused(3, "pip install 'hotloop[cpu]'")
    assert run("history").refused(3, "there is no store")
    assert run("init", tmp_path).code == 0


def test_no_such_device(opencl, run, user_file):
    run("check", user_file(), "--device", "abacus").refused(3, "no OpenCL device matches 'abacus'", "listed devices")


def test_pages_that_cannot_be_written_are_refused_before_the_run(run, tmp_path):
    missing = tmp_path / "no" / "page.html"
    run("optimize", NULL_KERNEL, "--html", missing).refused(3, "cannot write", "there is no folder")
    run("optimize", NULL_KERNEL, "--markdown", tmp_path).refused(2, "is a directory")


def test_a_page_that_cannot_be_written_after_all_loses_nothing(run, tmp_path):
    for runs, budget_s in enumerate(
        ("1", "60"), start=1
    ):  # a busy machine may spend the first before there is a baseline
        ended = run("optimize", NULL_KERNEL, "--budget", budget_s, "--quiet", "--html", "/dev/full")
        ended.refused(3, "cannot write /dev/full", "No space left on device", "kept in the store")
        assert len(json.loads(run("history", "--json").out)) == runs
        if "Trajectory" in ended.out:
            break
    assert "Trajectory" in ended.out


@pytest.mark.parametrize("arguments", [["history", "--json"], ["--help"], ["report"], ["doctor"], ["check", str(NULL_KERNEL), "--level", "quick"]])  # fmt: skip
def test_a_reader_that_goes_away_is_no_reason_for_a_traceback(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as out:
        done = subprocess.run(
            [sys.executable, "-m", "hotloop", *arguments],
            stdout=out,
            stderr=subprocess.PIPE,
            text=True,
            timeout=600,
            check=False,
        )
    assert done.returncode in (1, 2, 3)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert "presumably code of the kernel file" not in done.stderr


# --- stores ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def store(tmp_path):
    """Return a store with one run in it."""
    path = tmp_path / "store.sqlite"
    with Store.open(path) as opened, opened.begin_run("optimize", "{}", "a run") as begun:
        begun.record("key", "{}")
    return path


OPTIMIZE = ["optimize", NULL_KERNEL, "--budget", "1", "--quiet"]


@pytest.mark.parametrize("arguments", [["history"], ["report"], OPTIMIZE], ids=lambda value: value[0])
def test_a_corrupt_store(run, tmp_path, arguments):
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"not a database, but somebody's letter" * 100)
    run(*arguments, "--store", path).refused(3, "corrupt", "left as it is", str(path))
    assert path.read_bytes().startswith(b"not a database")


@pytest.mark.parametrize("arguments", [["history"], OPTIMIZE], ids=lambda value: value[0])
def test_a_store_of_a_newer_version(run, store, arguments):
    with closing(sqlite3.connect(store)) as connection:
        connection.execute(f"UPDATE {schema.VERSION_TABLE} SET version_num = 'r9999_future'")
        connection.commit()
    run(*arguments, "--store", store).refused(3, "newer")


def test_a_locked_store(run, store, monkeypatch):
    opened = Store.open
    monkeypatch.setattr(Store, "open", lambda *given, **named: opened(*given, busy_timeout_s=0.1, **named))
    with closing(sqlite3.connect(store, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        run(*OPTIMIZE, "--store", store).refused(3, "locked by another process")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_store_can_be_read_but_not_written(run, store):
    store.chmod(0o444)
    store.parent.chmod(0o555)
    assert "a run" in run("history", "--store", store).out
    run(*OPTIMIZE, "--store", store).refused(3, "read-only")
    store.parent.chmod(0o755)


def test_a_store_that_names_no_database(run):
    run("history", "--store", "mysql://host/base").refused(3, "mysql")


def test_nothing_to_report(run, store):
    run("report", "--store", store).refused(2, "nothing to report")
    run("report", "zzz", "--store", store).refused(2, "unknown run 'zzz'")


def test_a_store_without_runs_says_so(run, tmp_path):
    Store.open(tmp_path / "none.sqlite").close()
    run("report", "zzz", "--store", tmp_path / "none.sqlite").refused(2, "unknown run 'zzz'; there is none.")
