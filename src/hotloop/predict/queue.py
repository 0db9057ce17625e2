"""How well waves fill each other's gaps: mean value analysis of customers who come to one station between delays.

Waves that wait for memory leave their SIMD to others. How much of it stays idle depends on how many others there are, and waves that wait for
each other at barriers are one customer together: two groups of sixteen waves leave more gaps than 32 waves that nobody holds together.
"""

from __future__ import annotations


def per_customer(customers: int, demand: float, delay: float) -> float:
    """Return the mean time between departures of a closed queue with one station: what a customer costs, in the unit of the arguments.

    Exact for exponential service, any delays (Reiser and Lavenberg, "Mean-Value Analysis of Closed Multichain Queuing Networks", J. ACM 27,
    1980). One customer costs demand and delay; with many the station is never idle and each costs its demand.

    Args:
        customers: in the queue, at least 1.
        demand: time that a visit takes of the station, positive.
        delay: time that a customer spends elsewhere between visits.

    >>> [round(per_customer(number, 1.0, 3.0), 2) for number in (1, 2, 8, 64)]
    [4.0, 2.12, 1.01, 1.0]
    """
    waiting, between = 0.0, demand + delay
    for number in range(1, customers + 1):
        answer = demand * (1 + waiting)
        between = (answer + delay) / number
        waiting = answer / between
    return between


def coupled(waves: int, groups: int, demand: float, delay: float) -> float:
    """Return times as much as waves cost that wait for each other, over as many that do not.

    Args:
        waves: that a SIMD holds.
        groups: that these waves belong to, at most as many.
        demand: what a wave takes of the busiest part.
        delay: what it waits elsewhere meanwhile; the waves of a group wait at the same time.

    >>> coupled(8, 8, 1.0, 4.0), round(coupled(8, 2, 1.0, 4.0), 2)
    (1.0, 1.21)
    """
    together = waves / groups
    return per_customer(groups, demand * together, delay) / together / per_customer(waves, demand, delay)
