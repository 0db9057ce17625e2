"""Counting what a program calls: arrays without PyTorch, everything else through its dispatcher."""

from __future__ import annotations

import json

import pytest

from hotloop import ops
from hotloop.dispatch import watching
from hotloop.errors import MachineError, UsageError
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
    with pytest.raises(MachineError, match="cannot write"):
        run.save(tmp_path / "missing" / "file.json")
    run.save(tmp_path / "file.json")
    assert tallies.of_data(json.loads((tmp_path / "file.json").read_text(encoding="utf-8"))) == run.tally


@pytest.mark.parametrize(
    ("times", "total", "said"),
    [
        ([5e6, 1e4, 2e4], 4.5e4, "1 calls took more than 10 times"),
        ([2e4, 1e4, 1e4], 4e4, ""),
        ([5e6], 5e6, "100 % of the time is in forms that were called once"),
        ([2e5, *[1e5] * 9], 1.1e6, ""),
    ],
)
def test_what_happens_once_is_left_out_or_said_to_be_in_it(times, total, said):
    with ops.record() as run:
        for ns in times:
            watching.WATCHERS[-1](DEFAULT, ns)
        for _ in range(3):
            watching.WATCHERS[-1](DEFAULT.replace(m=5), 1e4)
    assert run.tally.lines[0].total_ns == total
    assert run.tally.total_ns == total + 3e4
    notes = [note for note in run.tally.notes if "not imported" not in note]
    assert len(notes) == bool(said)
    assert not said or notes[0].startswith(said.replace("100 %", "99 %"))


def test_calls_without_times_stay_without():
    from hotloop.ops import recording

    assert recording.settled([("form", None), ("form", None)]) == ([("form", None)] * 2, 0)
