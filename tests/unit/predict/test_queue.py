"""Mean value analysis: known queues, and what holding customers together costs."""

import pytest

from hotloop.predict.queue import coupled, per_customer


@pytest.mark.parametrize(
    ("customers", "demand", "delay", "expected"),
    [(1, 2.0, 5.0, 7.0), (2, 1.0, 0.0, 1.0), (2, 1.0, 1.0, 1.25), (400, 2.0, 50.0, 2.0), (3, 0.0, 6.0, 2.0)],
)
def test_what_a_customer_costs(customers, demand, delay, expected):
    assert per_customer(customers, demand, delay) == pytest.approx(expected)


def test_holding_waves_together_costs_most_where_few_are_left_and_nothing_without_delays():
    costs = [coupled(16, groups, 1.0, 8.0) for groups in (16, 8, 4, 2, 1)]
    assert costs == sorted(costs)
    assert costs[0] == 1.0
    assert coupled(16, 2, 1.0, 0.0) == pytest.approx(1.0)
