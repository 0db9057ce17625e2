import shlex

import pytest

from hotloop.app import hint


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, ["hotloop", "check", "gemm@VW=4"]),
        ({"store": "my runs/a.sqlite"}, ["hotloop", "check", "--store", "my runs/a.sqlite", "gemm@VW=4"]),
        (
            {"device": "Tesla $1", "shape": "64x32x16,op=nt"},
            ["hotloop", "check", "--device", "Tesla $1", "gemm@VW=4", "--shape", "64x32x16,op=nt"],
        ),
    ],
)
def test_a_shell_reads_back_what_was_given(given, words):
    assert shlex.split(hint.command("check", "gemm@VW=4", **given)) == words


def test_a_full_stop_that_is_copied_too_names_no_other_store():
    assert hint.command("optimize", "gemm", store="a.sqlite", device="d").endswith(" gemm")


@pytest.mark.parametrize(
    ("store", "shown"),
    [
        ("postgresql://me:secret@host/db", "postgresql://me:***@host/db"),
        ("postgresql://host:5432/db?user=me&password=secret", "postgresql://host:5432/db?user=me&password=***"),
        ("postgresql://me@host/db", "postgresql://me@host/db"),
        ("sqlite:///a:b@c.sqlite", "sqlite:///a:b@c.sqlite"),
    ],
)
def test_passwords_are_not_printed(store, shown):
    assert shlex.split(hint.command("report", store=store)) == ["hotloop", "report", "--store", shown]


def test_a_run_that_others_read_holds_no_password(monkeypatch):
    monkeypatch.setattr("sys.argv", ["hotloop", "tune", "gemm", "--store", "postgresql://me:secret@host/db"])
    assert hint.again() == "hotloop tune gemm --store 'postgresql://me:***@host/db'"
