"""How well waves fill each other's gaps: mean value analysis of customers who come to one station between delays.

Waves that wait for memory leave their SIMD to others. How much of it stays idle depends on how many others there are. A group's waves begin
together and get their place when all of them fit, so that they load and compute at the same time, the more so the more often they meet at
barriers: two groups of sixteen waves leave more gaps than 32 waves that come and go by themselves.
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


def together(waves: float, demand: float, alone: float, meetings: float = 0.0, halts: float = 1.0) -> float:
    """Return the time of a part that waves of a group begin at the same time and have their unit for: in the unit of the arguments.

    Served in turn, waves are apart after the first halt and fill each other's gaps from then on: the part takes the unit's time for all of them or one
    wave's way, whichever is longer (the asymptotic bounds of Denning and Buzen, "The Operational Analysis of Queueing Network Models", ACM Computing
    Surveys 10, 1978). Where they meet at its end, those that are first wait for the last one's latest halt, or its turn, if that is shorter: once for
    each meeting, however many halts there are between two. For equal halts without chance that is exact. A barrier after each halt makes the part the
    sum of both, one barrier in a long way changes next to nothing.

    Args:
        waves: of the group on one unit, at least 1.
        demand: what one of them takes of the unit in this part.
        alone: what one takes that has the unit for itself, at least its demand.
        meetings: barriers that it comes to.
        halts: how often it stands still.

    >>> [together(8, 1.0, 5.0, meetings, halts=16) for meetings in (0, 1, 16)]
    [8.0, 8.25, 12.0]
    """
    idle = max(0.0, alone - demand)
    last = min((waves - 1) * demand, idle) * min(1.0, meetings / halts)
    return max(waves * demand, demand + idle) + last


def coupled(waves: int, groups: int, demand: float, delay: float, group: float) -> float:
    """Return times as much as waves cost whose groups begin and end together, over as many that come and go by themselves; at least 1.

    A group is taken for one customer, whose visit is what its waves need together and whose delay is for how long they leave the unit idle when
    they have it for themselves: a part of the network replaced by one with the same flow (Chandy, Herzog and Woo, "Parametric Analysis of Queuing
    Networks", IBM Journal of Research and Development 19, 1975).

    Args:
        waves: that a SIMD holds.
        groups: that these waves belong to, at most as many.
        demand: what a wave takes of the busiest part.
        delay: what it waits elsewhere meanwhile.
        group: what a group takes that has the unit for itself, from `together`.

    >>> [round(coupled(8, 2, 1.0, 4.0, group), 2) for group in (5.0, 6.0, 8.0)]  # waves apart; two parts; waves that load, then compute
    [1.0, 1.05, 1.21]
    """
    each = waves / groups
    held = per_customer(groups, demand * each, max(0.0, group - demand * each)) / each
    return max(1.0, held / per_customer(waves, demand, delay))
