from __future__ import annotations

from dataclasses import replace
from importlib.metadata import version

from hotloop.model.space import Config
from hotloop.store import Known

KEY = ("gemm", "gemm[m=64 n=64]", "intel:cpu:avx2:2")
FAST = Config(VW=8)


def best_ns(store, **options) -> tuple[float, bool]:
    known = store.best(*KEY, **options)
    return known.winner.call_ns, known.stale


def test_a_winner_comes_back_with_time_and_version_filled_in(store, make_winner):
    store.add_winner(make_winner(10.0, fingerprint="abc"))
    expected = make_winner(10.0, fingerprint="abc", created="2030-01-01T00:00:01+00:00", hotloop=version("hotloop"))
    assert store.best(*KEY) == Known(expected, stale=False)


def test_the_same_winner_twice_is_one(store, make_winner):
    store.add_winner(make_winner(10.0))
    store.add_winner(make_winner(10.0))
    with store._database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM winners").scalar() == 1


def test_nothing_known_is_none(store):
    assert store.best(*KEY) is None
    assert store.winners_near("gemm", KEY[2]) == ()


def test_the_fastest_variant_is_best(store, make_winner):
    for call_ns, config in ((10.0, Config(VW=4)), (8.0, FAST), (9.0, Config(VW=16))):
        store.add_winner(make_winner(call_ns, config=config))
    assert best_ns(store) == (8.0, False)
    assert store.best(*KEY).winner.config == FAST


def test_the_newest_confirmation_of_a_variant_replaces_its_lucky_old_one(store, make_winner):
    store.add_winner(make_winner(5.0, config=Config(VW=8, WG=1)))
    store.add_winner(make_winner(9.0))
    store.add_winner(make_winner(10.0, config=Config(WG=1, VW=8)))
    assert best_ns(store) == (9.0, False)


def test_equal_times_go_to_the_newest(store, make_winner):
    store.add_winner(make_winner(9.0))
    store.add_winner(make_winner(9.0, config=FAST))
    assert store.best(*KEY).winner.config == FAST


def test_a_new_driver_supersedes_faster_results_of_the_old_one(store, make_winner):
    store.add_winner(make_winner(5.0))
    store.add_winner(make_winner(9.0, device_fingerprint="f2"))
    assert best_ns(store) == (9.0, False)
    assert best_ns(store, fingerprint="f1") == (5.0, False)


def test_stale_results_are_better_than_none_and_say_so(store, make_winner):
    store.add_winner(make_winner(5.0))
    assert best_ns(store, fingerprint="f3") == (5.0, True)
    store.add_winner(make_winner(1.0, problem="gemm[m=1]", device_fingerprint="f2"))
    assert best_ns(store) == (5.0, True)


def test_near_winners_are_the_best_of_each_problem_of_the_device(store, make_winner):
    sizes = Config(m=1)
    store.add_winner(make_winner(7.0, problem="gemm[m=1]", sizes=sizes))
    store.add_winner(make_winner(6.0, problem="gemm[m=1]", sizes=sizes, config=FAST))
    store.add_winner(make_winner(9.0))
    store.add_winner(make_winner(1.0, device="other"))
    store.add_winner(make_winner(1.0, family="conv"))
    near = store.winners_near("gemm", KEY[2])
    assert [(known.winner.problem, known.winner.call_ns) for known in near] == [("gemm[m=1]", 6.0), (KEY[1], 9.0)]
    assert near[0].winner.sizes == sizes


def test_a_winner_without_comparison_and_with_a_run(store, make_winner):
    run = store.begin_run("tune", "{}", "t")
    store.add_winner(replace(make_winner(3.0, run=run.id), comparison=None))
    winner = store.best(*KEY).winner
    assert (winner.comparison, winner.run) == (None, run.id)
