"""What a look at a lead could have seen, from the spread of its rounds."""

from __future__ import annotations

import random
from math import exp, log

import pytest

from hotloop.app.run.lent.power import Lead, Said, answer, loss, owed_ns, said

PLAIN_NS = 100.0


def looked(lost, spread, rounds=8, lead=1.4, seed=0, burst=0.0):
    """Return what rounds of a look say whose programs take `PLAIN_NS`, one of them `lost` of it more, each lengthened at random."""
    chance = random.Random(seed)

    def call_ns(longer):
        more = chance.expovariate(1 / spread) if spread else 0.0
        return PLAIN_NS * (1 + longer) * (1 + more + (chance.random() < burst) * 2 * chance.random())

    rows = [(call_ns(0.0), call_ns(lost)) for _ in range(rounds)]
    owed = owed_ns(lead, PLAIN_NS)
    return [loss(there - before, (exp(lead / 4) - 1) * PLAIN_NS, 0.2 * before, owed) for before, there in rows]


@pytest.mark.parametrize(
    ("lost", "spread", "told"), [(0.0, 0.03, Said.KEPT), (1.0, 0.03, Said.LOST), (0.4, 0.3, Said.UNSEEN)]
)
def test_a_look_says_what_it_can_see(lost, spread, told):
    assert said(looked(lost, spread)) is told


@pytest.mark.parametrize("spread", [0.02, 0.1, 0.3, 1.0])
@pytest.mark.parametrize("burst", [0.0, 0.3])
def test_a_lead_that_is_lost_is_hardly_ever_kept_however_noisy_the_rounds_are(spread, burst):
    chance = random.Random(7)
    told = [answer(lambda: looked(0.65, spread, seed=chance.random(), burst=burst)) for _ in range(200)]
    assert told.count(Said.KEPT) <= 4


@pytest.mark.parametrize(("spread", "least"), [(0.02, 200), (0.1, 195), (0.2, 170)])
def test_an_honest_lead_is_kept_where_the_looks_have_power(spread, least):
    chance = random.Random(7)
    told = [answer(lambda: looked(0.0, spread, seed=chance.random(), burst=0.1)) for _ in range(200)]
    assert told.count(Said.KEPT) >= least
    assert told.count(Said.LOST) == 0


def test_looks_are_taken_until_they_say_something_and_no_longer():
    taken = []

    def look(lost, spread):
        taken.append(1)
        return looked(lost, spread, seed=len(taken))

    for lost, spread, most in ((0.0, 0.01, 1), (1.0, 0.01, 2), (0.4, 1.5, 4)):
        taken.clear()
        answer(lambda lost=lost, spread=spread: look(lost, spread))
        assert len(taken) == most


def test_no_look_says_nothing_and_one_that_cannot_be_repeated_is_blind():
    assert answer(list) is None
    rounds = iter([looked(0.4, 1.5, seed=1), []])
    assert answer(lambda: next(rounds)) is Said.UNSEEN


def test_a_limit_above_what_the_whole_lead_is_worth_shows_nothing():
    rows = [loss(1.9, 0.5, 6.0, owed_ns(log(1.05), 40.0))] * 16  # of a lead of 2 ns
    assert said(rows) is Said.LOST
    rows = [loss(20.0, 0.5, 6.0, owed_ns(log(1.05), 40.0), spent_ns=15.0)] * 16
    assert said(rows) is Said.UNSEEN
    rows = [loss(16.0, 0.5, 6.0, owed_ns(log(1.05), 40.0), spent_ns=15.0)] * 16  # as much as the look costs others
    assert said(rows) is Said.KEPT


@pytest.mark.parametrize(
    ("claimed", "worked", "counts"),
    [(2.0, 1.4, 1.4), (2.0, 3.0, 2.0), (2.0, 0.1, 0.2), (0.1, 0.0, 0.1), (2.0, None, 2.0)],
)
def test_what_may_be_lost_of_a_lead_goes_by_processor_time_and_by_no_more_than_is_claimed(claimed, worked, counts):
    assert Lead.of(claimed, worked).worked == counts


def test_where_no_time_is_left_two_looks_are_all():
    taken = []

    def look():
        taken.append(1)
        return looked(0.4, 1.5, seed=len(taken))

    assert answer(look, lambda: False) is Said.UNSEEN
    assert len(taken) == 2
