"""Whatever a trial holds, the store gives it back."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

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
from hotloop.model.space import Config
from hotloop.model.trial import Trial
from hotloop.store import Known, Store, Winner

words = st.text(st.characters(codec="utf-8"), max_size=12)
logs = st.text(max_size=40)  # anything at all, undecodable bytes included
numbers = st.floats(allow_nan=False)
times = st.floats(min_value=1e-3, max_value=1e15)
scalars = st.booleans() | st.integers() | st.floats(allow_nan=False) | logs
configs = st.dictionaries(logs, scalars, max_size=4).map(Config)


def maybe(strategy):
    return st.none() | strategy


samples = st.builds(
    Sample,
    wall_ns=times,
    calls=st.integers(1, 10**6),
    device_ns=maybe(times),
    cpu_ns=maybe(times),
    dataset=st.integers(),
)
cases = st.builds(
    CaseResult,
    problem=logs,
    distribution=logs,
    seed=st.integers(),
    passed=st.booleans(),
    reason=logs,
    max_err=maybe(numbers),
    norm_err=maybe(numbers),
    cos_sim=maybe(numbers),
    worst_ratio=maybe(numbers),
)
checks = st.builds(CheckReport, st.lists(cases, max_size=3).map(tuple))
conditions = st.builds(
    Conditions, logs, clock=words, mode=words, load_average=maybe(numbers), cpu_share=maybe(numbers), note=logs
)
outcomes = st.one_of(
    st.builds(Measured, samples=st.lists(samples, max_size=5).map(tuple), conditions=conditions, check=maybe(checks)),
    st.builds(NotApplicable, logs),
    st.builds(CompileFailed, logs, maybe(st.integers())),
    st.builds(LaunchFailed, logs),
    st.builds(WrongResult, checks),
    st.builds(Crashed, logs, maybe(st.integers()), logs),
    st.builds(TimedOut, logs, numbers),
    st.builds(Impossible, numbers, numbers),
)
trials = st.builds(
    Trial,
    family=words,
    problem=words,
    sizes=configs,
    implementation=words,
    config=configs,
    fingerprint=words,
    device=words,
    device_fingerprint=words,
    outcome=outcomes,
    created=words,
    purpose=words,
)


@pytest.fixture(scope="module")
def store():
    with Store.open("sqlite://") as opened:
        yield opened


few = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@few
@given(trial=trials)
def test_trials_come_back_exactly(store, trial):
    for _ in range(2):
        store.add_trial(trial)
    found = store.trials(family=trial.family, problem=trial.problem)
    assert trial in found
    # Equality takes 1, 1.0 and True for the same and does not see the order of names; the text does.
    assert [repr(other) for other in found].count(repr(trial)) == 1


winners = st.builds(
    Winner,
    family=st.just("f"),
    problem=st.sampled_from(["p", "q"]),
    sizes=st.just(Config(m=1)),
    device=st.sampled_from(["d", "e"]),
    device_fingerprint=st.sampled_from(["1", "2"]),
    implementation=st.sampled_from(["a", "b"]),
    config=st.sampled_from([Config(x=1), Config(x=2)]),
    call_ns=st.sampled_from([1.0, 2.0, 3.0]),
    created=st.integers(0, 10**9).map(str),
    hotloop=st.uuids().map(str),  # no two are the same record
)


def best_by_hand(rows: list[Winner], problem: str, device: str, current: str | None) -> Known | None:
    """The definition, spelled out: newest per variant, current before stale, lowest time, newest among equals."""
    mine = [(index, row) for index, row in enumerate(rows) if row.device == device]
    if current is None and mine:
        current = mine[-1][1].device_fingerprint
    newest = {
        (row.device_fingerprint, row.implementation, row.config): (index, row)
        for index, row in mine
        if row.problem == problem
    }
    order = sorted(newest.values(), key=lambda pair: (pair[1].device_fingerprint != current, pair[1].call_ns, -pair[0]))
    return Known(order[0][1], order[0][1].device_fingerprint != current) if order else None


@few
@given(rows=st.lists(winners, max_size=12), current=st.sampled_from([None, "1", "2", "3"]))
def test_best_known_is_what_its_definition_says(store, rows, current):
    machine = uuid.uuid4()  # what earlier examples left in the store is about other devices
    rows = [replace(row, device=f"{machine} {row.device}") for row in rows]
    for row in rows:
        store.add_winner(row)
    for device in (f"{machine} d", f"{machine} e"):
        expected = [best_by_hand(rows, problem, device, current) for problem in ("p", "q")]
        assert [store.best("f", problem, device, fingerprint=current) for problem in ("p", "q")] == expected
        near = store.winners_near("f", device, fingerprint=current)
        assert list(near) == [known for known in expected if known]
