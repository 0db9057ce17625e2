"""A search for which there is time for a single look makes one."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from hotloop.app.run import optimize, polish
from hotloop.app.run.kept.searched import Summary
from hotloop.app.run.plan import Plan
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.outcome import CompileFailed
from hotloop.model.space import Config, Parameter, Space
from hotloop.search.foretold import Foretold

SPACE = Space((Parameter("A", (1, 2, 4, 8)),))
INCUMBENT = Variant(Implementation("made", "null", SPACE, Config(A=1), lambda *_: None), Config(A=1))


class Asked:
    """A strategy that never runs out, and the queue before it."""

    def next(self):
        return Config(A=2)

    def tell(self, *_): ...


@pytest.fixture
def looked(monkeypatch):
    """Return how many looks of so many seconds a search makes that may take `left_s`, after an answer that took `before_s`."""
    monkeypatch.setattr(polish, "Queue", lambda *_: Asked())
    monkeypatch.setattr(polish.lanes, "window", lambda *_: 1)
    monkeypatch.setattr(polish.memory, "settled", nullcontext)

    def search(left_s, before_s, look_s):
        desk = SimpleNamespace(
            spent_s=50.0, latest_s=before_s, device=SimpleNamespace(kind="cpu"), engine=None, tell=lambda _: None
        )

        def glance(*_):
            desk.spent_s, desk.latest_s = desk.spent_s + look_s, look_s
            return SimpleNamespace(ratio=None, outcome=CompileFailed("no"))

        return polish.tried(desk, SimpleNamespace(glance=glance), INCUMBENT, 1.0, 50.0 + left_s, Asked())

    return search


@pytest.mark.parametrize(("left_s", "looks"), [(-0.1, 0), (0.1, 1), (1.0, 1), (2.5, 2), (3.5, 3)])
def test_what_was_answered_before_is_no_measure_of_the_first_look(looked, left_s, looks):
    found = looked(left_s, before_s=9.0, look_s=1.0)
    assert found.summary.evaluated == looks
    assert found.look_s == (1.0 if looks else 0.0)


class Told:
    """A strategy that keeps what it is made with."""

    def __init__(self, _space, _seed, start, **given):
        self.start, self.given = start, given

    def tell(self, *_): ...


def test_a_search_begins_with_the_best_predicted_and_is_told_all_predictions(monkeypatch):
    monkeypatch.setattr(polish, "named", lambda _name: Told)
    monkeypatch.setattr(polish, "tried", lambda *given: given[-2])
    times, desk = {Config(A=8): 7.0, Config(A=4): 3.0}, SimpleNamespace(search_seed=1)
    for doubted, first in ((False, [Config(A=4)]), (True, [])):
        made = polish.search(desk, None, INCUMBENT, 1.0, 9.0, foretold=Foretold(times, doubted))
        assert list(made.start) == [Config(A=1), *first]
        assert made.given["foretold"] == Foretold(times, doubted)
    assert not made.given["elsewhere"]


class BegunError(Exception):
    """A search began; its strategy is the argument."""


TABLE = {Config(A=number): 1.0 for number in range(8)}


@pytest.mark.parametrize(
    ("tables", "strategy"),
    [
        ({}, "local"),
        ({"elsewhere": [TABLE]}, "surrogate"),
        ({"elsewhere": [{Config(A=1): 1.0}]}, "local"),
        ({"foretold": Foretold(TABLE)}, "surrogate"),
        ({"foretold": Foretold(TABLE, doubted=True)}, "surrogate"),
    ],
)
def test_a_run_that_has_something_to_read_begins_with_the_strategy_that_reads_it(monkeypatch, tables, strategy):
    def search(*given, **_):
        raise BegunError(given[6])

    plan = Plan(strategies=("local", "surrogate"))
    loop = optimize.Loop(SimpleNamespace(tell=lambda _: None, spent_s=0.0), None, None, plan, (), **tables)
    loop._incumbent, loop._attempt, loop._attempts = INCUMBENT, SimpleNamespace(outcome=None), None
    loop._pace = SimpleNamespace(allows=lambda: True, searching_s=60.0, trying_s=1.0)
    loop.desk.bounded = lambda _: nullcontext()
    monkeypatch.setattr(optimize.Loop, "_at_roof", lambda _: "")
    monkeypatch.setattr(optimize.aim, "cost", lambda *_: 1.0)
    monkeypatch.setattr(polish, "known", lambda *_: [])
    monkeypatch.setattr(polish, "search", search)
    with pytest.raises(BegunError, match=strategy):
        loop._polish()


def test_the_best_so_far_of_two_phases_never_grows():
    """The second one begins without a best of its own."""
    first = Summary(evaluated=9, invalid=0, failures=(), curve=((2, 8.0), (7, 5.0)), exhausted=False)
    second = Summary(evaluated=9, invalid=0, failures=(), curve=((1, 7.0), (3, 5.0), (4, 4.5)), exhausted=True)
    assert polish.joined(first, second).curve == ((2, 8.0), (7, 5.0), (13, 4.5))
    assert polish.joined(None, second) is second
