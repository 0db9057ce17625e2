"""A lead of a program whose variables outlive its calls."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from hotloop.app.run.keeping import doubted
from hotloop.model.outcome import Artifact, CompileFailed
from hotloop.model.program import Program
from hotloop.model.verdict import Comparison, Verdict


def compared(verdict, incumbent, candidate):
    built = {"a": incumbent, "b": candidate}
    made = {
        name: Artifact(name, 0.0, kept_bytes=size) if size is not None else CompileFailed("")
        for name, size in built.items()
    }
    desk = SimpleNamespace(engine=SimpleNamespace(build=lambda program: made[program.source]))
    found = Comparison(
        verdict=verdict, speedup=2.0, low=1.9, high=2.1, log_ratios=(0.7,) * 5, confidence=0.99, margin=0.02
    )
    return doubted(desk, (Program("opencl", "a"), Program("opencl", "b")), found)


@pytest.mark.parametrize(("incumbent", "candidate"), [(0, 0), (4, 4), (64, 4), (None, 0), (0, None)])
def test_who_keeps_no_more_than_the_incumbent_may_be_faster(incumbent, candidate):
    assert compared(Verdict.FASTER, incumbent, candidate).verdict is Verdict.FASTER


def test_who_keeps_more_is_not_called_faster():
    found = compared(Verdict.FASTER, 4, 4096)
    assert found.verdict is Verdict.UNCLEAR
    assert "4.00 KiB" in found.reason
    assert "scratch" in found.reason


def test_other_verdicts_stay():
    assert compared(Verdict.SLOWER, 0, 4096).verdict is Verdict.SLOWER
