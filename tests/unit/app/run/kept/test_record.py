from dataclasses import replace

import pytest

from hotloop.app.desk import MemoryJournal
from hotloop.app.run.kept import record
from hotloop.app.run.kept.result import Result
from hotloop.app.run.kept.searched import Summary
from hotloop.errors import UsageError
from hotloop.model.device import Device
from hotloop.model.outcome import Conditions, LaunchFailed, Measured, Sample
from hotloop.model.problem import Work
from hotloop.model.space import Config
from hotloop.model.step import Decision, Step
from hotloop.store import Store

HEAD = record.Head(
    title="fake n=1",
    kind="optimize",
    command=("hotloop optimize fake",),
    started="2030-01-01T00:00:00+00:00",
    device=Device(name="D", kind="null", backend="null", runtime="r", runtime_key="null"),
    problem="fake[n=1]",
    work=Work(1, 1),
)
MEASURED = Measured(samples=(Sample(wall_ns=100.0, calls=1),), conditions=Conditions("f"))


def step(index, decision, outcome=MEASURED):
    return Step(
        index=index,
        technique="t",
        change="a 1 → 2",
        why="because",
        implementation="i",
        config=Config(a=index),
        outcome=outcome,
        decision=decision,
        reason="reason",
    )


STEPS = [step(0, Decision.BASELINE), step(1, Decision.KEEP), step(2, Decision.REFUSE, LaunchFailed("no"))]


def result(**changes):
    return Result(steps=list(STEPS), stop_reason="menu empty", **changes)


def test_what_is_written_is_what_is_read_back(tmp_path):
    with Store.open(tmp_path / "s.sqlite") as store:
        with store.begin_run("optimize", "{}", "t") as run:
            record.write_head(run, HEAD)
            written(run, STEPS)
            search = Summary(evaluated=3, invalid=1, failures=(("Crashed", 1),), curve=((1, 5.0),), exhausted=True)
            tail = record.tail_of(result(search=search, noise=0.01), "later", "finished", (("Seed", "1"),))
            record.write_tail(run, tail)
        made = record.compose(HEAD, tuple(STEPS), tail)
        assert record.read(store, run.id[:6]) == made
    assert made.winner == 1
    assert (made.stop_reason, made.noise, made.search.evaluated) == ("menu empty", 0.01, 3)


def written(journal, steps, head=HEAD):
    walk = record.Walk(journal, head)
    for one in steps:
        walk.write(one)


def test_a_continued_run_whose_kernel_was_changed_is_told_as_it_went_then(tmp_path):
    """Its steps had the numbers of those before, and the record of a number that is there is not written again."""
    changed = [STEPS[0], *(replace(one, reason="of another source") for one in STEPS[1:])]
    with Store.open(tmp_path / "s.sqlite") as store:
        run = store.begin_run("optimize", "{}", "t")
        record.write_head(run, HEAD)
        for steps in (STEPS, [replace(one, elapsed_s=7.0) for one in STEPS], changed, changed[:2]):
            written(run, steps)
        assert record.read(store, run.id).steps == tuple(changed)
        assert record.read(store, run.id).device.driver == ""
        written(run, [changed[0], STEPS[1]], replace(HEAD, device=replace(HEAD.device, driver="2")))
        made = record.read(store, run.id)
        assert (made.steps, made.device.driver) == ((changed[0], STEPS[1]), "2")
        assert len(store.journal_entries(run.id)) == 1 + 3 + (1 + 3) + (1 + 2)


def test_what_an_interrupted_run_does_after_it_was_continued_is_told(tmp_path):
    with Store.open(tmp_path / "s.sqlite") as store:
        run = store.begin_run("optimize", "{}", "t")
        record.write_head(run, HEAD)
        written(run, STEPS[:1])
        stopped = Result(steps=list(STEPS[:1]), stop_reason="stopped by hand")
        record.write_tail(run, record.tail_of(stopped, "now", "interrupted", ()))
        assert record.read(store, run.id).stop_reason == "stopped by hand"
        written(run, STEPS)
        made = record.read(store, run.id)
        assert made.steps == tuple(STEPS)
        assert (made.state, made.stop_reason) == ("running", "the run has not ended")


def test_the_last_tail_counts():
    journal = MemoryJournal()
    for text in ("first", "second"):
        record.write_tail(journal, record.tail_of(Result(stop_reason=text), "now", "interrupted", ()))
    assert len(journal.entries) == 2
    assert "second" in list(journal.entries.values())[1]


def test_decisions_as_they_stand_at_the_end_replace_those_of_the_steps():
    changed = result()
    changed.steps[1] = step(1, Decision.REFUSE)
    made = record.compose(HEAD, tuple(STEPS), record.tail_of(changed, "now", "finished", ()))
    assert [s.decision for s in made.steps] == [Decision.BASELINE, Decision.REFUSE, Decision.REFUSE]
    assert made.winner == 0


def test_without_an_end_the_run_is_going_or_was_killed(tmp_path):
    made = record.compose(HEAD, tuple(STEPS), None)
    assert (made.state, made.stop_reason, made.winner) == ("running", "the run has not ended", 1)
    with Store.open(tmp_path / "s.sqlite") as store:
        run = store.begin_run("optimize", "{}", "t")
        record.write_head(run, HEAD)
        run.finish("failed")
        assert record.read(store, run.id).state == "failed"


def test_a_run_without_steps_has_nothing_to_report(tmp_path):
    with Store.open(tmp_path / "s.sqlite") as store:
        run = store.begin_run("check", "{}", "t")
        with pytest.raises(UsageError, match=r"\(check\) has nothing to report"):
            record.read(store, run.id)
