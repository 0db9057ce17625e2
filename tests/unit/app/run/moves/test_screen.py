"""Which moves get a quick look, and which of them a comparison."""

from dataclasses import replace

import pytest

from hotloop.app.run import polish
from hotloop.app.run.kept.searched import Summary
from hotloop.app.run.moves import screen
from hotloop.app.run.polish import Found
from hotloop.model.finding import Gain, Move
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.space import Config, Parameter, Space

IMPLEMENTATION = Implementation("fake", "null", Space((Parameter("A", (0, 1, 2, 3, 4)),)), Config(A=0), lambda *_: None)


def move(value):
    return Move(
        technique="pad",
        variant=Variant(IMPLEMENTATION, Config(A=value)),
        change=f"A 0 → {value}",
        why="",
        gain=Gain(1.0, 1.1),
    )


def seen(monkeypatch, looks, moves, times):
    """Let a round of looks find the times of some configurations; others were not reached."""
    summary = Summary(evaluated=len(times), invalid=0, failures=(), curve=(), exhausted=True)
    found = Found((), 1.0, summary, tuple((Config(A=value), ns) for value, ns in times.items()))
    monkeypatch.setattr(polish, "tried", lambda *_: found)
    looks.look(None, None, None, 100.0, moves, 0.0)


def test_what_looked_faster_is_compared_the_fastest_first_and_nothing_else(monkeypatch):
    moves, looks = tuple(map(move, (1, 2, 3, 4))), screen.Looks()
    assert looks.fresh(moves) == moves
    seen(monkeypatch, looks, moves, {1: 95.0, 2: 60.0, 3: None})
    assert [one.change for one in looks.worth(moves)] == ["A 0 → 2", "A 0 → 1"]
    assert looks.fresh(moves) == moves[3:]  # not reached
    seen(monkeypatch, looks, moves[3:], {4: 120.0})
    assert looks.seen == 4
    assert looks.summary.evaluated == 4


def test_on_a_cpu_every_move_gets_a_look_before_it_is_compared_whatever_the_kernel():
    assert screen.manner(IMPLEMENTATION, "cpu") is screen.ON_CPU
    assert screen.manner(IMPLEMENTATION, "gpu") is None
    assert screen.manner(replace(IMPLEMENTATION, looks=True), "gpu") is screen.ON_GPU


def test_on_a_cpu_what_looked_little_faster_is_not_compared_and_no_more_is_looked_at_while_something_is(monkeypatch):
    moves, looks = tuple(map(move, (1, 2, 3, 4))), screen.Looks(screen.ON_CPU)
    seen(monkeypatch, looks, moves[:2], {1: 98.0, 2: 80.0})
    assert looks.worth(moves) == moves[1:2]
    assert list(looks.rounds(moves)) == []
    assert looks.times_ns == {Config(A=1): 98.0, Config(A=2): 80.0}  # the search need not look again


def test_beside_a_new_incumbent_only_clear_losers_of_earlier_looks_stay_out(monkeypatch):
    moves, looks = tuple(map(move, (1, 2, 3, 4))), screen.Looks(screen.ON_CPU)
    seen(monkeypatch, looks, moves, {1: 80.0, 2: 105.0, 3: 130.0, 4: None})
    looks.renew()
    assert looks.fresh(moves) == moves[:2]
    on_gpu = screen.Looks()
    seen(monkeypatch, on_gpu, moves, {1: 80.0, 2: 105.0, 3: 130.0, 4: None})
    on_gpu.renew()
    assert on_gpu.fresh(moves) == ()


def test_a_move_whose_machine_code_speaks_against_it_takes_no_look():
    moves, looks = tuple(map(move, (1, 2, 3, 4))), screen.Looks(screen.ON_CPU)
    assert looks.fresh(moves, lambda one: one.variant.config["A"] > 2) == moves[2:]


@pytest.mark.parametrize(("how", "asked"), [(screen.ON_CPU, 2), (screen.ON_GPU, 4)])
def test_on_a_cpu_a_look_that_shows_much_ends_its_round_though_nobody_expected_it(monkeypatch, how, asked):
    moves, looks, times = tuple(map(move, (1, 2, 3, 4))), screen.Looks(how), {1: 101.0, 2: 60.0, 3: 120.0, 4: 95.0}

    def tried(_desk, _attempts, _incumbent, _ns, _until_s, strategy):
        told = []
        while (config := strategy.ask()) is not None:
            told.append((config, times[config["A"]]))
            strategy.tell(*told[-1])
        summary = Summary(evaluated=len(told), invalid=0, failures=(), curve=(), exhausted=True)
        return Found((), 1.0, summary, tuple(told))

    monkeypatch.setattr(polish, "tried", tried)
    looks.look(None, None, None, 100.0, moves, 0.0)
    assert looks.made == asked


def test_where_there_are_no_looks_every_move_is_new_and_none_is_known_to_be_faster():
    moves, looks = tuple(map(move, (1, 2, 3, 4))), screen.Looks(None)
    assert looks.fresh(moves) == moves
    assert looks.faster(moves[0]) is None


def test_a_round_of_looks_asks_for_each_once_in_order():
    listed = screen.Listed({Config(A=2): "", Config(A=1): ""})
    assert [listed.ask(), listed.ask(), listed.ask()] == [Config(A=2), Config(A=1), None]


def test_a_round_ends_where_a_leap_that_was_expected_is_seen():
    listed = screen.Listed([Config(A=value) for value in (1, 2, 3, 4)], frozenset([Config(A=1), Config(A=3)]), 50.0)
    for ns in (80.0, 40.0, 45.0):  # slower than expected, not expected, a leap
        listed.tell(listed.ask(), ns)
    assert listed.ask() is None


def test_looks_go_on_where_none_was_faster_and_time_is_left(monkeypatch):
    from types import SimpleNamespace

    from hotloop.app.run import optimize

    moves, looks = tuple(map(move, (1, 2, 3, 4))), screen.Looks()
    rounds = iter([{1: 120.0, 2: 130.0}, {3: 110.0}, {4: 50.0}])
    monkeypatch.setattr(optimize.aim, "cost", lambda *_: 100.0)

    def tried(*_):
        times = next(rounds)
        summary = Summary(evaluated=len(times), invalid=0, failures=(), curve=(), exhausted=True)
        return Found((), 1.0, summary, tuple((Config(A=value), ns) for value, ns in times.items()))

    monkeypatch.setattr(polish, "tried", tried)
    loop = SimpleNamespace(
        _supported=lambda _: True, _incumbent=None, _looks=looks, _attempts=None,
        _attempt=SimpleNamespace(outcome=None), _pace=SimpleNamespace(searching_s=5.0), _moves=lambda _: moves,
        desk=SimpleNamespace(spent_s=0.0, tell=lambda _: None), result=SimpleNamespace(findings=(), search=None),
    )  # fmt: skip
    assert [one.change for one in optimize.Loop._looked(loop)] == ["A 0 → 4"]
    assert looks.seen == 4
