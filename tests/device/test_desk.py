"""The desk that this folder's modules share, on the null backend, which needs no accelerator."""

from pathlib import Path

import pytest

LANGUAGE = "null"
KERNEL = Path(__file__).resolve().parents[1] / "loop" / "null_kernel.py"


def test_one_worker_checks_one_variant_after_another(made, checked):
    pids = []
    for text in (f"{KERNEL}@W=8", f"{KERNEL}@W=1,DEPTH=3"):
        checked(text, "", "full")
        pids.append(made.engine.worker_pid)
    assert pids[0] == pids[1]
    assert list(made.engine.arena.glob("*case*")) == []


@pytest.mark.parametrize(("trick", "why"), [("cheat", "wrong result"), ("typo", "compile"), ("unsafe", "crashed")])
def test_what_is_not_right_fails_and_the_next_one_runs(checked, trick, why):
    with pytest.raises(AssertionError, match=why):
        checked(f"{KERNEL}@DEPTH=3,TRICK={trick}", "")
    checked(f"{KERNEL}@DEPTH=3", "")
