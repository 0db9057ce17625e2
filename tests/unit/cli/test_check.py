"""What `check` says it did not look at."""

from pathlib import Path

from hotloop.app import spec
from hotloop.cli.commands.check import _others

VOTES = Path(__file__).parents[2] / "planted" / "newcomers" / "votes.py"


def test_other_implementations_of_a_file_are_named():
    (said,) = _others(spec.parse(str(VOTES)))
    assert said.endswith(f"hotloop check {VOTES}@group")
    assert "only plain was checked, not group" in said


def test_who_names_one_wants_that_one():
    assert _others(spec.parse(f"{VOTES}@group")) == ()
    assert _others(spec.parse("gemm")) == ()
