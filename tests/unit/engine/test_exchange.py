from __future__ import annotations

import random

import pytest

from hotloop.engine.exchange import Exchange


@pytest.mark.parametrize("sets", [2, 3, 7, 64])
def test_no_call_finds_its_own_results_unless_the_array_was_poisoned(sets):
    chance, turns = random.Random(sets), Exchange(sets)
    holds = {}
    for _ in range(200):
        first, calls = chance.randrange(sets), chance.randrange(1, 3 * sets)
        places, stale = turns.plan(first, calls, sets)
        for array in stale:
            holds[array] = None
        assert [one for one, _ in places] == [(first + call) % sets for call in range(calls)]
        for one, kind in places:
            array = (one + turns.shift * kind) % sets
            assert holds.get(array) != one
            holds[array] = one


def test_whole_turns_need_no_poison():
    turns = Exchange(8)
    assert not any(turns.plan(0, 24, 8)[1] for _ in range(50))


def test_a_single_set_is_poisoned_each_time():
    turns = Exchange(1)
    assert [turns.plan(0, 5, 1) for _ in range(2)] == [([(0, 0)] * 5, [0])] * 2
