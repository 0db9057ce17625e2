"""The paired comparison: decides whether a candidate is FASTER, SLOWER, the SAME, or the data are UNCLEAR.

Three zones around 1: an interval of the speedup wholly above ``1 + margin`` says FASTER, wholly below
``1 / (1 + margin)`` SLOWER, wholly between them SAME. Otherwise more rounds are taken, up to the last planned look, after
which the answer is UNCLEAR. Each look spends an equal part of the permitted error (Bonferroni), so looking again and
again until something shows does not make errors more likely than ``1 - confidence``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log1p
from statistics import median

from hotloop.model.verdict import Comparison, Verdict
from hotloop.stats import signedrank
from hotloop.stats.outliers import agreeing
from hotloop.stats.signedrank import Interval

LOOKS = (10, 16, 25, 40, 60)
"""Numbers of rounds after which a decision is tried; ten is the fewest for which a rank test reaches 99 % over five looks."""

PATIENT = (16, 25, 40, 60, 90, 140)
"""The same where other processes have the processors: their bursts widen the interval, which more rounds narrow again."""

LANDSLIDE_ROUNDS = 5
"""Rounds after which a large difference is believed if every single round shows it."""
LANDSLIDE = log1p(0.25)
"""How large the difference must be, in ln. Noise would have to disturb the same contender by 25 % in each of five rounds: with one round in
three disturbed so much, which is worse than any machine we recorded, that is 1/3⁵ = 0.4 %. Ranks alone need ten rounds
for 99 %, which costs minutes where a naive kernel takes a quarter of a second."""
OVERWHELMING_ROUNDS, OVERWHELMING = 3, log1p(4.0)
"""The same where a call of the incumbent takes half a second or more, see `PairedTest.brief`: fivefold in each of three rounds. In 20,000
comparisons of a kernel with itself on each of nine simulated and seven recorded machines no three rounds showed it: at most 4.2-fold
on the worst simulated one, 2.0-fold on a recorded one (`benchmarks/paired_power.py --brief`)."""


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Sequential three-zone test on per-round log ratios ln(incumbent time / candidate time).

    Raises:
        ValueError: margin, confidence or looks make no sense, or the last look is too early to ever decide.
    """

    margin: float = 0.02
    """Relative difference below which two variants count as the same."""
    confidence: float = 0.99
    """Probability that the verdict is right, over all looks together."""
    looks: tuple[int, ...] = LOOKS
    """Numbers of rounds, increasing."""
    brief: bool = False
    """Whether rounds take seconds, so that three of them decide where each shows an overwhelming difference."""

    def __post_init__(self) -> None:
        if self.margin <= 0 or not 0 < self.confidence < 1:
            raise ValueError(f"margin {self.margin} must be positive and confidence {self.confidence} between 0 and 1")
        if not self.looks or any(b <= a for a, b in zip((0, *self.looks), self.looks, strict=False)):
            raise ValueError(f"looks must be increasing positive numbers of rounds: {self.looks}")
        if signedrank.critical(self.looks[-1], self.alpha) < 0:
            raise ValueError(f"{self.looks[-1]} rounds can never reach a confidence of {self.confidence}")

    @property
    def alpha(self) -> float:
        """Error probability that one look may spend."""
        return (1 - self.confidence) / len(self.looks)

    def next_look(self, rounds: int) -> int:
        """Return the number of rounds to reach before the next decision; the last look when all have passed.

        >>> PairedTest().next_look(0), PairedTest().next_look(10), PairedTest().next_look(99)
        (5, 16, 60)
        """
        if self.brief and rounds < OVERWHELMING_ROUNDS < self.looks[0]:
            return OVERWHELMING_ROUNDS
        if rounds < LANDSLIDE_ROUNDS < self.looks[0]:
            return LANDSLIDE_ROUNDS
        return next((look for look in self.looks if look > rounds), self.looks[-1])

    def within(self, rounds: int) -> PairedTest:
        """Return the test with the looks that a limited number of rounds allows; at least the first one.

        >>> PairedTest().within(20).looks
        (10, 16)
        """
        kept = tuple(look for look in self.looks if look <= rounds) or self.looks[:1]
        return replace(self, looks=kept)

    def decide(self, log_ratios: Sequence[float], noise: float | None = None) -> Comparison | None:
        """Return the verdict, or None while more rounds are needed (take them up to `next_look`).

        Args:
            log_ratios: one per round in time order, without the warm-up round.
            noise: noise floor of this machine as `noise_floor` gave it, for the record.
        """
        if obvious := _landslide(log_ratios, brief=self.brief):
            return self._comparison(self.zone(obvious), obvious, log_ratios, noise)
        last = len(log_ratios) >= self.looks[-1]
        if not last and len(log_ratios) not in self.looks:
            return None
        interval = signedrank.interval(agreeing(log_ratios), self.alpha)
        if interval is None and last:
            interval = signedrank.interval(log_ratios, self.alpha)
        if interval is None:
            return None
        verdict = self.zone(interval)
        if verdict is Verdict.UNCLEAR and not last:
            return None
        return self._comparison(verdict, interval, log_ratios, noise)

    def ended(self, log_ratios: Sequence[float], noise: float | None = None) -> Comparison:
        """Return an UNCLEAR comparison: the rounds so far decide nothing, and there is no time for more."""
        interval = Interval(min(log_ratios), median(log_ratios), max(log_ratios))
        comparison = self._comparison(Verdict.UNCLEAR, interval, log_ratios, noise)
        return replace(comparison, reason=f"the time was used up after {len(log_ratios)} rounds, which were not clear")

    def zone(self, interval: Interval) -> Verdict:
        """Return the zone that an interval of the log speedup lies in; UNCLEAR when it lies in none."""
        edge = log1p(self.margin)
        if interval.low > edge:
            return Verdict.FASTER
        if interval.high < -edge:
            return Verdict.SLOWER
        return Verdict.SAME if -edge < interval.low and interval.high < edge else Verdict.UNCLEAR

    def _comparison(
        self, verdict: Verdict, interval: Interval, log_ratios: Sequence[float], noise: float | None
    ) -> Comparison:
        return Comparison(
            verdict=verdict,
            speedup=exp(interval.centre),
            low=exp(interval.low),
            high=exp(interval.high),
            confidence=self.confidence,
            margin=self.margin,
            log_ratios=tuple(log_ratios),
            noise=noise,
            reason=self._why(interval, len(log_ratios)) if verdict is Verdict.UNCLEAR else "",
        )

    def _why(self, interval: Interval, rounds: int) -> str:
        low, high, edge = exp(interval.low), exp(interval.high), 1 + self.margin
        crossed = [f"{e:.3g}" for e in (1 / edge, edge) if low <= e <= high]
        return f"after {rounds} rounds the speedup lies in {low:.3f} … {high:.3f}, across {' and '.join(crossed)}"


def _landslide(log_ratios: Sequence[float], *, brief: bool) -> Interval | None:
    """Return the range of all rounds when each of the first ones shows the same large difference."""
    least = {LANDSLIDE_ROUNDS: LANDSLIDE, **({OVERWHELMING_ROUNDS: OVERWHELMING} if brief else {})}.get(len(log_ratios))
    if least is None:
        return None
    low, high = min(log_ratios), max(log_ratios)
    return Interval(low, median(log_ratios), high) if low > least or high < -least else None


def noise_floor(log_ratios: Sequence[float], confidence: float = 0.99) -> float | None:
    """Return the relative difference that A/A rounds cannot exclude; None when there are too few rounds.

    It is the half width of the smallest interval around 1 that holds the whole confidence interval, so that a
    systematic difference between two identical contenders counts as noise too.
    """
    ratios = signedrank.interval(agreeing(log_ratios), 1 - confidence)
    return None if ratios is None else exp(max(abs(ratios.low), abs(ratios.high))) - 1
