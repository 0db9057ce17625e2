"""Reduction of the samples of interleaved rounds to one log ratio per round."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from statistics import fmean
from typing import Literal

import numpy as np

from hotloop.model.outcome import Sample
from hotloop.ports import Round

Clock = Literal["wall", "device", "cpu"]
Quantity = Literal["wall", "device", "cpu", "energy", "edp"]
"""Quantities that can be compared: a time, joules, or joules times seconds, by the device's clock if all contenders have one."""

DISTURBED = 0.10
"""A sample this much (in ln) above the fastest of its contender in the same round was disturbed and does not count.

Noise on a busy machine only ever adds time. Of two samples that agree the mean is the better estimate; of two that do
not, the faster one. Under bursts this halves the rounds needed against the plain mean of logs and costs nothing in
quiet (``benchmarks/paired_power.py --estimators`` shows it).
"""


def call_ns(sample: Sample, clock: Clock = "wall") -> float:
    """Return the time of one call by the chosen clock, in ns.

    Raises:
        ValueError: the sample has no such time, or the time is not positive.
    """
    total = {"wall": sample.wall_ns, "device": sample.device_ns, "cpu": sample.cpu_ns}[clock]
    if total is None or total <= 0:
        raise ValueError(f"a sample has no {clock} time: {total}")
    return total / sample.calls


def amount(sample: Sample, quantity: Quantity) -> float:
    """Return how much of a quantity one call took: ns, J, or J·s.

    Raises:
        ValueError: the sample does not have it.
    """
    if quantity == "energy" or quantity == "edp":
        if sample.energy_j is None or sample.energy_j <= 0:
            raise ValueError(f"a sample has no energy: {sample.energy_j}")
        joules = sample.energy_j / sample.calls
        own_ns = sample.wall_ns if sample.device_ns is None else sample.device_ns
        return joules if quantity == "energy" else joules * 1e-9 * own_ns / sample.calls
    return call_ns(sample, quantity)


def outrun(rounds: Sequence[Round], limits: Sequence[float]) -> bool:
    """Tell whether the last contender is slower than the first beyond doubt, so that further rounds would tell nothing of use.

    That is so if its fastest sample so far took more than `limits[n - 1]` times the other's slowest after n rounds; never after more
    rounds than there are limits.

    >>> one = Round(tuple((index, Sample(wall_ns=ns, calls=1)) for index, ns in ((0, 2.0), (1, 3.1), (1, 3.2), (0, 1.9))))
    >>> outrun([one], (1.5,)), outrun([one], (1.6,)), outrun([one, one], (1.5,))
    (True, False, False)
    """
    if not 0 < len(rounds) <= len(limits):
        return False
    times: dict[int, list[float]] = {}
    for index, sample in (pair for each in rounds for pair in each.samples):
        times.setdefault(index, []).append(call_ns(sample, "wall" if sample.device_ns is None else "device"))
    return len(times) > 1 and min(times[max(times)]) > limits[len(rounds) - 1] * max(times[0])


def log_time(samples: Sequence[float]) -> float:
    """Return the log of one contender's time in one round, undisturbed samples only.

    >>> log_time([1.0, 1.0, 5.0])
    0.0
    """
    logs = sorted(log(value) for value in samples)
    return fmean(value for value in logs if value - logs[0] <= DISTURBED)


def log_times(rounds: Sequence[Round], contender: int, clock: Quantity = "wall") -> tuple[float, ...]:
    """Return ln(ns per call), or of another quantity, of one contender, round by round.

    Raises:
        ValueError: a round has no sample of the contender, or none of that clock.
    """
    return tuple(_of(each, contender, clock) for each in rounds)


def log_ratios(
    rounds: Sequence[Round], incumbent: int = 0, candidate: int = 1, clock: Quantity = "wall"
) -> tuple[float, ...]:
    """Return ln(incumbent time / candidate time) per round, or of another quantity: positive where the candidate is better.

    Raises:
        ValueError: a round lacks a contender or the clock.
    """
    old, new = log_times(rounds, incumbent, clock), log_times(rounds, candidate, clock)
    return tuple(a - b for a, b in zip(old, new, strict=True))


def beside(rounds: Sequence[Round], speedup: float, clock: Clock = "wall") -> tuple[float, float]:
    """Return ns per call of incumbent and candidate as geometric means over the two rounds whose mean log ratio is this speedup.

    The centre of a comparison's interval is the mean of two rounds' log ratios (both may be the same round). The medians of
    the contenders' own times come from different rounds, and on a busy machine their quotient differs from the speedup.

    Raises:
        ValueError: there is no round, or one lacks a contender or the clock.
    """
    old, new = np.array(log_times(rounds, 0, clock)), np.array(log_times(rounds, 1, clock))
    if not old.size:
        raise ValueError("there is no round")
    ratios = old - new
    first, second = np.triu_indices(old.size)
    off = np.abs((ratios[first] + ratios[second]) / 2 - log(speedup))
    apart = np.abs(ratios[first] - ratios[second])
    at = np.lexsort((apart, np.round(off, 9)))[0]
    pair = [first[at], second[at]]
    return exp(fmean(old[pair])), exp(fmean(new[pair]))


def _of(round_: Round, contender: int, clock: Quantity) -> float:
    amounts = [amount(sample, clock) for index, sample in round_.samples if index == contender]
    if not amounts:
        raise ValueError(f"a round has no sample of contender {contender}")
    # Errors from a counter's steps go in both directions, so unlike with times no window is the better one.
    return fmean(map(log, amounts)) if clock in ("energy", "edp") else log_time(amounts)
