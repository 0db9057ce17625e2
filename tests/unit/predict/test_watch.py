"""What an observer counts of local memory."""

from types import SimpleNamespace

import numpy as np

from hotloop.emulate.sanitizer.access import Kind
from hotloop.predict import watch as module
from hotloop.predict.paths import _Firsts
from hotloop.predict.watch import Watch
from hotloop.targets.target import Target

READ = SimpleNamespace(kind=Kind.READ, bytes=4)
INSTRUCTION = SimpleNamespace(index=3)


def told(observer, offsets, lanes=None):
    """Tell an observer of one access of some waves."""
    taking = np.ones(offsets.shape, bool) if lanes is None else lanes
    observer.local(SimpleNamespace(waves_at=np.arange(len(offsets))), INSTRUCTION, offsets, taking, READ)
    return observer


def watch():
    return Watch(Target.named("gfx942"), 64)


def test_conflicts_are_summed_over_waves_whatever_they_share():
    even, column = np.arange(64) * 4, np.arange(64) * 128
    apart = [sum(told(watch(), row[None]).conflict_cycles.values()) for row in (even, column)]
    assert apart[1] > apart[0] > 0
    together = told(watch(), np.stack((even, column, even + 1024, column + 4096)))
    assert together.conflict_cycles == {3: 2 * sum(apart)}


def test_waves_and_lanes_that_take_no_part_cost_nothing():
    lanes = np.zeros((2, 64), bool)
    assert told(watch(), np.zeros((2, 64), np.int64), lanes).conflict_cycles == {3: 0}
    lanes[1, :32] = True
    half = told(watch(), np.stack((np.arange(64) * 128, np.arange(64) * 4)), lanes)
    assert half.conflict_cycles == told(watch(), (np.arange(64) * 4)[None], lanes[1:]).conflict_cycles


def test_the_same_access_is_judged_once_and_beginnings_of_groups_never(monkeypatch):
    judged = []
    monkeypatch.setattr(module, "_conflicts", lambda *given: judged.append(given) or 1.0)
    seen = watch()
    for _ in range(3):
        told(seen, np.stack([np.arange(64) * 4] * 5))
    assert (len(judged), seen.conflict_cycles) == (1, {3: 15.0})
    told(_Firsts(Target.named("gfx942"), 64, waves=5), np.stack([np.arange(64) * 8] * 5))
    assert len(judged) == 1
