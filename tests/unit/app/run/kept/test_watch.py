"""A run is followed through the store alone: the watcher has a connection of its own and asks now and then."""

import json

import pytest

from hotloop.app.events import Searched, Took, Working
from hotloop.app.run.attempt import Attempt
from hotloop.app.run.kept import record, watch
from hotloop.backends.null import DEVICE
from hotloop.errors import StoreError
from hotloop.model.codec import encode
from hotloop.model.outcome import CompileFailed, Conditions, Measured, Sample
from hotloop.model.problem import Work
from hotloop.model.space import Config
from hotloop.model.step import Decision, Step
from hotloop.store import RunState, Store


def measured(place=""):
    return Measured(samples=(Sample(wall_ns=2e6, calls=2),), conditions=Conditions("f", place=place))


def head():
    return record.Head(
        title="gemm 512", kind="tune", command=(), started="", device=DEVICE, problem="p", work=Work(flops=1, bytes=1)
    )


def step(index, decision=Decision.BASELINE):
    return Step(
        index=index, technique="t", change="", why="", implementation="i", config=Config(A=index), outcome=measured(),
        decision=decision, reason="r",
    )  # fmt: skip


def glance(outcome, ratio):
    return Attempt(outcome=outcome, ratio=ratio)


class Elsewhere:
    """The run's side, which goes on whenever the watcher rests."""

    def __init__(self, path, acts):
        self.store = Store.open(path)
        self.run = self.store.begin_run("tune", "{}", "gemm 512")
        self.acts = list(acts)
        self.now_s = 0.0

    def rest(self, seconds):
        self.now_s += seconds
        if self.acts:
            self.acts.pop(0)(self.run)

    def watched(self, path):
        with Store.open(path, read_only=True) as reader:
            return list(watch.events(reader, self.run.id, self.rest, lambda: self.now_s))


def look(name, outcome, ratio):
    data = {"elapsed_s": 1.0, "data": encode(glance(outcome, ratio), Attempt)}
    return lambda run: run.record(f"glance {name}", json.dumps(data))


def ended(run):
    run.finish(RunState.FINISHED)


def test_steps_and_looks_arrive_as_they_are_recorded(tmp_path):
    path = tmp_path / "s.db"
    acts = [
        lambda run: record.write_head(run, head()),
        lambda run: record.Walk(run, head()).write(step(0)),
        look("a", measured("n0:gpu0"), 1.2),
        look("b", measured("n1:gpu0"), 0.5),
        look("c", CompileFailed("no"), None),
        lambda run: record.Walk(run, head()).write(step(1, Decision.REVERT)),
        ended,
    ]
    there = Elsewhere(path, acts)
    notice, baseline, *searched, last = there.watched(path)
    assert notice.text.startswith("gemm 512, begun ")
    assert baseline == Took(step(0), 1e6, None)
    assert [one for one in searched if isinstance(one, Searched)] == [
        Searched(1, 0, 1.2), Searched(2, 0, 0.5), Searched(3, 1, 0.5),
    ]  # fmt: skip
    workers = next(one for one in searched if isinstance(one, Working)).workers
    assert [(one.place, one.done, one.doing) for one in workers] == [("n0:gpu0", 1, ""), ("n1:gpu0", 1, "measuring")]
    assert last == Took(step(1, Decision.REVERT), 1e6, None)


def test_a_run_that_ended_is_told_at_once(tmp_path):
    path = tmp_path / "s.db"
    there = Elsewhere(path, [])
    record.Walk(there.run, head()).write(step(0))
    ended(there.run)
    assert [type(one) for one in there.watched(path)] == [Took]
    assert there.now_s == 0


def test_silence_is_told_once_and_no_death(tmp_path):
    path = tmp_path / "s.db"
    there = Elsewhere(path, [lambda run: None] * 60 + [ended])
    (notice,) = there.watched(path)
    assert notice.text == "nothing new for 60 s: it may be at something long, or its process is gone"


def test_a_record_of_another_hotloop(tmp_path):
    path = tmp_path / "s.db"
    there = Elsewhere(path, [lambda run: run.record("record step 0", '{"index": 0}')])
    with pytest.raises(StoreError, match="step 0 was written by another hotloop"):
        there.watched(path)
