"""Commands that are printed for people to paste, with what they gave."""

import json
import shlex
from pathlib import Path

import pytest

from hotloop.cli.main import main
from hotloop.report.run import terminal
from hotloop.store import Store


@pytest.fixture
def run(capsys):
    """Return a function that runs hotloop and returns exit code, standard output and standard error."""

    def call(*arguments):
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        return left.value.code, *capsys.readouterr()

    return call


def commands(text):
    """Return the words of each command in a line."""
    return [shlex.split(part) for part in text.partition(": ")[2].split(" && ")]


def test_the_files_of_init_are_quoted(run, tmp_path):
    folder = tmp_path / "my kernels"
    _, _, err = run("init", folder)
    told = next(line for line in err.splitlines() if line.startswith("next: "))
    check, optimize = commands(told)
    assert check[:2] == ["hotloop", "check"]
    assert optimize == ["hotloop", "optimize", check[2]]
    assert (folder / check[2].rpartition("/")[2]).is_file()


def test_a_store_without_runs_says_how_to_begin_in_it(run, tmp_path):
    store = tmp_path / "a store.sqlite"
    Store.open(store).close()
    code, _, err = run("report", "--store", store)
    assert code == 2
    assert err.rstrip(".\n").endswith(shlex.join(["hotloop", "optimize", "--store", str(store), "gemm"]))


def test_a_summary_names_the_store_that_has_the_rest(run, tmp_path):
    kernel, store = Path(__file__).parents[2] / "loop" / "null_kernel.py", tmp_path / "a store.sqlite"
    _, out, _ = run("optimize", kernel, "--store", store, "--budget", 5, "--quiet", "--no-peers")
    told = " ".join(out.split())
    again = shlex.join(["hotloop", "report", "--store", str(store)])
    assert told.endswith(terminal.FURTHER.format(again))
    code, out, _ = run(*shlex.split(again)[1:], "--json")
    assert code == 0
    assert json.loads(out)["state"] == "finished"


def test_the_best_of_a_store_that_knows_nothing_says_how_to_find_it_there(run, tmp_path):
    kernel, store = Path(__file__).parents[2] / "loop" / "null_kernel.py", tmp_path / "a store.sqlite"
    for verb in ("check", "bench"):
        code, _, err = run(verb, f"{kernel}@best", "--store", store, "--device", "null")
        assert code == 2
        asked = shlex.join(["hotloop", "optimize", "--device", "null", "--store", str(store), str(kernel)])
        assert err.splitlines()[-1].endswith(f"; run: {asked}.")
