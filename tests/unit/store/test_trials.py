from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from hotloop.errors import StoreError
from hotloop.model.check import CaseResult, CheckReport
from hotloop.model.outcome import (
    CompileFailed,
    Conditions,
    Crashed,
    Impossible,
    LaunchFailed,
    Measured,
    NotApplicable,
    Sample,
    TimedOut,
    WrongResult,
)
from hotloop.store.schema import trials

CHECK = CheckReport(
    (CaseResult(problem="p", distribution="normal", seed=1, passed=False, reason="off", max_err=1e300),)
)
OUTCOMES = [
    Measured(samples=(Sample(wall_ns=0.1 + 0.2, calls=3),), conditions=Conditions("f"), check=CHECK),
    Measured(samples=(), conditions=Conditions("f")),
    NotApplicable("no room"),
    CompileFailed("error: \x00 \udcff 'µ'", 7),
    LaunchFailed("out of resources"),
    WrongResult(CHECK),
    Crashed("time", 11),
    TimedOut("build", 0.5),
    Impossible(1.0, 2.0),
]


@pytest.mark.parametrize("outcome", OUTCOMES, ids=lambda outcome: type(outcome).__name__)
def test_every_outcome_comes_back_exactly(store, make_trial, outcome):
    trial = make_trial(outcome=outcome)
    store.add_trial(trial)
    assert store.trials() == (trial,)


def test_threads_that_append_at_the_same_time_lose_nothing(store, make_trial):
    made = [make_trial(number) for number in range(64)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(store.add_trial, made))
    kept = store.trials()
    assert len(kept) == len(made)
    assert all(trial in kept for trial in made)


def test_kind_and_median_have_columns_of_their_own(store, make_trial):
    store.add_trial(make_trial(0))
    store.add_trial(make_trial(1, outcome=CompileFailed("no")))
    with store._database.read() as connection:
        rows = connection.execute(select(trials.c.outcome_kind, trials.c.call_ns).order_by(trials.c.number)).all()
    assert [tuple(row) for row in rows] == [("Measured", 550.0), ("CompileFailed", None)]


def test_the_same_trial_twice_is_one_and_a_later_one_is_another(store, make_trial):
    first = make_trial()
    later = replace(first, created="2030-01-01T00:00:09+00:00")
    for trial in (first, first, later):
        store.add_trial(trial)
    assert store.trials() == (first, later)


def test_trials_are_found_by_family_problem_and_newest(store, make_trial):
    kept = [make_trial(0), make_trial(1, family="conv"), make_trial(2, problem="gemm[m=1]"), make_trial(3)]
    for trial in kept:
        store.add_trial(trial)
    assert store.trials(family="gemm") == (kept[0], kept[2], kept[3])
    assert store.trials(family="gemm", problem="gemm[m=1]") == (kept[2],)
    assert store.trials(limit=2) == (kept[2], kept[3])
    assert store.trials(run="no such run") == ()


def test_a_trial_of_an_unknown_run_is_refused(store, make_trial):
    with pytest.raises(StoreError, match="FOREIGN KEY"):
        store.add_trial(make_trial(run="no such run"))
    assert store.trials() == ()


def test_an_outcome_of_another_version_is_named_not_guessed(store, make_trial):
    store.add_trial(make_trial())
    with store._database.write() as connection:
        connection.execute(update(trials).values(outcome='{"is": "Dreamt"}'))
    with pytest.raises(StoreError, match=r"trial 1 of the store .* cannot be understood"):
        store.trials()


def test_timings_are_trials_without_their_samples(store, make_trial):
    trial = make_trial()
    slow = replace(trial, implementation="other")
    failed = replace(trial, outcome=TimedOut("build", 0.5), created="later")
    for one in (trial, slow, failed):
        store.add_trial(one)
    told = store.timings(trial.family, trial.implementation, 10)
    assert [row.call_ns for row in told] == [trial.outcome.call_ns, None]
    assert {(row.config, row.device, row.problem, row.sizes) for row in told} == {
        (trial.config, trial.device, trial.problem, trial.sizes)
    }
    assert store.timings(trial.family, trial.implementation, 1) == told[-1:]
