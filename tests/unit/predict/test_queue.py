"""Mean value analysis: known queues, and what groups that begin, meet and end together cost, beside simulated queues."""

import heapq
import random
from itertools import count

import pytest

from hotloop.predict.queue import coupled, per_customer, together


@pytest.mark.parametrize(
    ("customers", "demand", "delay", "expected"),
    [(1, 2.0, 5.0, 7.0), (2, 1.0, 0.0, 1.0), (2, 1.0, 1.0, 1.25), (400, 2.0, 50.0, 2.0), (3, 0.0, 6.0, 2.0)],
)
def test_what_a_customer_costs(customers, demand, delay, expected):
    assert per_customer(customers, demand, delay) == pytest.approx(expected)


def ways(parts):
    """What a wave does one after the other: visits of a part, demand and delay of each, whether it ends in a barrier."""
    return [
        (demand, delay, meets and n == visits - 1)
        for visits, demand, delay, meets in parts
        for n in range(visits)
    ]  # fmt: skip


def simulated(waves, groups, parts, *, held=True, lives=24, vary=0.3):
    """Time of a wave's life at one station, first come first served; groups whose waves have all ended begin anew."""
    draw, number, steps = random.Random(7), count(), ways(parts)
    life, events, there = sum(waves * d + z for d, z, _ in steps), [], {}
    free, ended, begin = 0.0, 0, ()
    for group in range(groups):
        at = draw.random() * life
        for _ in range(waves):
            heapq.heappush(events, (at, next(number), group, 0))
    while True:
        now, _, group, step = heapq.heappop(events)
        demand, delay, meets = steps[step]
        free = max(free, now) + demand * draw.uniform(1 - vary, 1 + vary)
        back, last = free + delay * draw.uniform(1 - vary, 1 + vary), step == len(steps) - 1
        leave = [back]
        if held and (meets or last):
            there.setdefault((group, step), []).append(back)
            if len(there[group, step]) < waves:
                continue
            arrived = there.pop((group, step))
            leave = [max(arrived)] * waves
        if last:
            ended += len(leave)
            if ended >= groups * waves * lives:
                return (back - begin[0]) / (ended - begin[1])
            if not begin and ended >= groups * waves * lives / 4:
                begin = back, ended
        for time in leave:
            heapq.heappush(events, (time, next(number), group, 0 if last else step + 1))


def predicted(waves, groups, parts):
    demand, delay = (sum(visits * part[n] for visits, *part, _ in parts) for n in (0, 1))
    group = sum(
        together(waves, visits * d, visits * (d + z), float(meets), visits) for visits, d, z, meets in parts
    )  # fmt: skip
    return coupled(waves * groups, groups, demand, delay, group)


ALIKE = (1, 20)
CASES = {
    "no barrier": [(64, *ALIKE, False)],
    "one barrier at the start": [(1, *ALIKE, True), (64, *ALIKE, False)],
    "a barrier each 16 rounds": [(16, *ALIKE, True)] * 4,
    "a barrier each 4 rounds": [(4, *ALIKE, True)] * 16,
    "a barrier each round": [(1, *ALIKE, True)] * 64,
    "loads, then computing": [(22, 5, 267, True), (100, 7.6, 8, False)],
    "loads, then computing, no barrier": [(22, 5, 267, False), (100, 7.6, 8, False)],
    "a load, then computing, eight times": [(1, 5, 800, True), (25, 7.6, 8, True)] * 8,
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("waves", "groups"), [(1, 4), (4, 2), (8, 1), (8, 2)])
def test_holding_waves_together_costs_what_a_simulated_queue_says(case, waves, groups):
    parts = CASES[case]
    measured = simulated(waves, groups, parts) / simulated(waves, groups, [(*p[:3], False) for p in parts], held=False)
    assert predicted(waves, groups, parts) == pytest.approx(measured, rel=0.17)


def test_a_barrier_costs_by_how_much_lies_between_two():
    costs = [predicted(8, 2, CASES[name]) for name in list(CASES)[:5]]
    assert costs == sorted(costs)
    assert costs[1] < 1.01 * costs[0]  # one at the start of a long way is next to none
    assert costs[4] > 1.2 * costs[0]


def test_holding_waves_together_costs_most_where_few_are_left_and_nothing_without_delays():
    costs = [coupled(16, groups, 1.0, 8.0, 16 / groups + 8.0) for groups in (16, 8, 4, 2, 1)]
    assert costs == sorted(costs)
    assert costs[0] == 1.0
    assert coupled(16, 2, 1.0, 0.0, 8.0) == pytest.approx(1.0)
