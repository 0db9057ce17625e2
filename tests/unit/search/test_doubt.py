from __future__ import annotations

import numpy as np

from hotloop.model.space import Parameter, Space
from hotloop.search import doubt
from hotloop.search.strategies import surrogate

TARGETS = np.array([-1.0, -0.5, 0.0, 0.5, 2.0])


def test_slow_results_are_doubted_the_more_the_slower_they_are():
    factors = doubt.noise_factors(TARGETS, doubted=True)
    assert factors[:3].tolist() == [1.0, 1.0, 1.0]
    assert factors[3:].tolist() == [1.0 + 1000.0 * 0.25, 1.0 + 1000.0 * 4.0]


def test_few_results_are_all_believed():
    assert doubt.noise_factors(TARGETS, doubted=False).tolist() == [1.0] * 5


def test_a_search_doubts_from_many_successes_on(monkeypatch):
    asked = []

    def seen(targets, *, doubted):
        asked.append((len(targets), doubted))
        return doubt.noise_factors(targets, doubted=doubted)

    monkeypatch.setattr(surrogate, "noise_factors", seen)
    search = surrogate.Surrogate(Space(tuple(Parameter(name, (1, 2, 4, 8)) for name in "abcd")), 0)
    for number in range(40):
        config = search.ask()
        search.tell(config, None if number % 5 == 1 else 100.0 + config["a"] * config["b"] + abs(config["c"] - 2))
    assert not any(doubted for count, doubted in asked if count < doubt.MANY)
    assert all(doubted for count, doubted in asked if count >= doubt.MANY)
    assert any(doubted for _, doubted in asked)
