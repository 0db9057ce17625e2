"""Counting what a program calls: arrays without PyTorch, everything else through its dispatcher."""

from __future__ import annotations

import json

import pytest

from hotloop import ops
from hotloop.dispatch import watching
from hotloop.errors import UsageError
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.model import tally as tallies


def test_products_of_arrays_are_counted_and_timed_by_problem():
    with ops.record() as run:
        for _ in range(3):
            watching.WATCHERS[-1](DEFAULT, 10.0)
        watching.WATCHERS[-1](DEFAULT.replace(m=5), 1.0)
    first, second = run.tally.lines[:2]
    assert (first.count, first.total_ns, first.problem) == (3, 30.0, DEFAULT)
    assert (second.count, second.sizes["m"]) == (1, 5)
    assert run.tally.total_ns == 31.0
    assert "gemm m=1024" in str(run)


def test_nobody_is_told_after_the_recording_even_when_it_fails():
    before = list(watching.WATCHERS)
    with pytest.raises(ZeroDivisionError), ops.record():
        _ = 1 / 0
    assert before == watching.WATCHERS


def test_a_recording_is_asked_after_its_end_and_used_once(tmp_path):
    run = ops.record()
    with run, pytest.raises(UsageError, match="has not ended"):
        _ = run.tally
    with pytest.raises(UsageError, match="used once"), run:
        pass
    with pytest.raises(UsageError, match="cannot be written"):
        run.save(tmp_path / "missing" / "file.json")
    run.save(tmp_path / "file.json")
    assert tallies.of_data(json.loads((tmp_path / "file.json").read_text(encoding="utf-8"))) == run.tally


@pytest.mark.parametrize(
    ("times", "said"), [([5e6, 1e4, 1e4], True), ([2e4, 1e4, 1e4], False), ([5e6], False), ([2e5, *[1e5] * 9], False), ([None, None], False), ([], False)]
)  # fmt: skip
def test_what_happens_once_is_said_to_have_been_counted(times, said):
    from hotloop.ops import recording

    notes = recording._cold([("form", ns) for ns in times] + [("other", 1e4)] * 3)
    assert bool(notes) == said
    assert not said or notes[0].startswith("1 calls took more than 10 times")
