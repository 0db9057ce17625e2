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


@pytest.mark.parametrize(("sets", "calls"), [(2, 1), (2, 3), (5, 3), (5, 5), (7, 40), (1, 3)])
def test_results_of_a_call_in_a_sample_are_found_where_nothing_has_overwritten_them(sets, calls):
    """A judge that looked elsewhere would see what another call left, for which a wrong call may pass."""
    chance, turns, used = random.Random(sets * calls), Exchange(sets), set()
    for _ in range(300):
        kept = chance.randrange(sets)
        behind = chance.choice(turns.lasting(kept, calls, sets))
        used.add(behind)
        first = (kept + behind - calls + 1) % sets
        wrote = {}
        for call, (one, kind) in enumerate(turns.plan(first, calls, sets)[0]):
            wrote[(one + turns.shift * kind) % sets] = call
        assert wrote[(kept + turns.shift_before(kept, behind)) % sets] == calls - 1 - behind
    assert used == set(range(min(calls, sets)))
