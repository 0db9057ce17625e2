"""Tuning for a card that is not here: ranked by prediction, the best verified by execution; nothing is measured or stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from hotloop.app.emulate.check import check
from hotloop.app.events import Listener, Notice, Searched, Silent, Stage
from hotloop.app.predict import abreast
from hotloop.app.predict.bench import Bench, bench
from hotloop.app.predict.kept import Kept
from hotloop.app.spec import Spec
from hotloop.errors import HotloopError, UsageError
from hotloop.host.clock import SystemClock
from hotloop.model.outcome import describe
from hotloop.model.problem import Problem
from hotloop.predict.ranking import Ranked, Tuned
from hotloop.search.strategy import named

if TYPE_CHECKING:
    from hotloop.model.space import Config

_STRATEGY = "local"
_VERIFIED = 3
"""Configurations that are executed against the reference, at most; the first that passes is the answer."""


_LIMIT_S, _LIMIT_SHARE = 20.0, 0.25
"""Processor time that one prediction may take: so many seconds, or this share of the budget where that is more."""

_FIRST_S = 600.0
"""Processor time that the start may take: without it there is nothing to compare with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A kernel to tune by prediction, and the limits for it."""

    spec: Spec
    problem: Problem
    shape: str
    target: str
    chip: str = ""
    budget_s: float = 120.0
    """Time for predicting, in s; verification comes on top."""
    seed: int = 1
    kept: Kept | None = None
    """Where predictions are looked up and kept; None: nowhere."""
    listener: Listener = field(default_factory=Silent, repr=False, compare=False)
    """Is told what is going on."""

    def bench(self) -> Bench:
        """Return the bench that predicts its variants. Raises UsageError."""
        return bench(self.spec.kernel, self.spec.chosen, self.problem, self.target, self.chip, self.seed, self.kept)


def tune(wish: Wish) -> Tuned:
    """Search a space by predicted times and verify the best; Ctrl-C ends the search, and what was predicted until then is ranked.

    Raises:
        UsageError: the target is no AMD GPU, no chip is known for it, or the start cannot be predicted.
    """
    made, clock = wish.bench(), SystemClock()
    begin = wish.spec.chosen.start.replace(**dict(wish.spec.changes))
    tried = gathered(wish, made, begin, clock.monotonic_s() + wish.budget_s)
    start = tried[0]
    if start.prediction is None:
        raise UsageError(f"{wish.spec.text} cannot be predicted for {wish.target}: {start.why_not}")
    ranked = sorted((candidate for candidate in tried if candidate.prediction is not None), key=_time)
    return Tuned(
        kernel=wish.spec.text,
        problem=wish.problem.key,
        target=wish.target,
        start=start,
        ranked=tuple(_verified(wish, ranked)),
        tried=len(tried),
        failed=len(tried) - len(ranked),
    )


def gathered(wish: Wish, made: Bench, begin: Config, end_s: float) -> list[Ranked]:
    """Return what a search from a configuration predicts until the clock shows `end_s`, or somebody presses Ctrl-C."""
    tried = list[Ranked]()
    wish.listener.notify(Stage(f"predicting configurations for {made.card.name} ({made.target.name})"))
    try:
        for candidate in searched(wish, made, [begin], end_s):
            tried.append(candidate)
            wish.listener.notify(_state(tried))
    except KeyboardInterrupt:
        if not tried:
            raise
        wish.listener.notify(Notice("stopped by hand: what was predicted until now is ranked, and the best verified"))
    return tried


def _state(tried: Sequence[Ranked]) -> Searched:
    times = [_time(ranked) for ranked in tried if ranked.prediction is not None]
    start = tried[0].prediction
    return Searched(len(tried), len(tried) - len(times), min(times) / start.time_ns if start else None)


def _time(ranked: Ranked) -> float:
    assert ranked.prediction is not None
    return ranked.prediction.time_ns


def searched(wish: Wish, made: Bench, begin: Sequence[Config], end_s: float) -> Iterator[Ranked]:
    """Yield configurations as the search asks for them, those to begin with first, until the clock shows `end_s`."""
    clock = SystemClock()
    strategy = named(_STRATEGY)(wish.spec.chosen.space, wish.seed, start=begin)
    limit_s = max(_LIMIT_S, wish.budget_s * _LIMIT_SHARE)
    yield from abreast.told(made, strategy, lambda: clock.monotonic_s() < end_s, limit_s, _FIRST_S)


def verified(wish: Wish, ranked: Ranked) -> Ranked:
    """Return a configuration with what executing it against the reference says."""
    wish.listener.notify(Stage(f"executing {ranked.config} against the reference"))
    spec = replace(wish.spec, changes=tuple(dict(ranked.config).items()), best=False)
    try:
        answer = check(spec, wish.problem, wish.target, wish.listener, seed=wish.seed)
    except HotloopError as reason:
        return replace(ranked, verified=False, why_not=str(reason))
    why = "" if answer.passed else describe(answer.answer)  # type: ignore[arg-type]
    return replace(ranked, verified=answer.passed, why_not=why)


def _verified(wish: Wish, ranking: list[Ranked]) -> Iterator[Ranked]:
    """Yield the ranking, the first few executed against the reference until one passes."""
    passed = False
    for candidate in islice(ranking, _VERIFIED):
        judged = candidate if passed else verified(wish, candidate)
        passed = passed or bool(judged.verified)
        yield judged
    yield from ranking[_VERIFIED:]
