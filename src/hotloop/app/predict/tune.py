"""Tuning for a card that is not here: ranked by prediction, the best verified by execution; nothing is measured or stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from hotloop import registry
from hotloop.app.emulate.check import check
from hotloop.app.events import Silent
from hotloop.app.predict.answer import Request, predict
from hotloop.app.spec import Spec
from hotloop.errors import HotloopError, UsageError
from hotloop.host.clock import SystemClock
from hotloop.model.outcome import describe
from hotloop.model.problem import Problem
from hotloop.model.space import Config
from hotloop.predict.ranking import Ranked, Tuned

_STRATEGIES = "hotloop.search.strategies"
_STRATEGY = "local"
_VERIFIED = 3
"""Configurations that are executed against the reference, at most; the first that passes is the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What to tune."""

    spec: Spec
    problem: Problem
    shape: str
    target: str
    chip: str = ""
    budget_s: float = 120.0
    """For predicting; verification comes on top."""
    seed: int = 1


def tune(wish: Wish) -> Tuned:
    """Search a space by predicted times and verify the best.

    Raises:
        UsageError: the target is no AMD GPU, no chip is known for it, or the start cannot be predicted.
    """
    tried = list(_searched(wish))
    start = tried[0]
    if start.prediction is None:
        raise UsageError(f"{wish.spec.text} cannot be predicted for {wish.target}: {start.why_not}")
    known = sorted((one for one in tried if one.prediction is not None), key=_time)
    return Tuned(
        kernel=wish.spec.text,
        problem=wish.problem.key,
        target=wish.target,
        start=start,
        ranked=tuple(_verified(wish, known)),
        tried=len(tried),
        failed=len(tried) - len(known),
    )


def _time(one: Ranked) -> float:
    assert one.prediction is not None
    return one.prediction.time_ns


def _searched(wish: Wish) -> Iterator[Ranked]:
    """Yield configurations as the search asks for them, the start first, until the budget is spent."""
    clock = SystemClock()
    end = clock.monotonic_s() + wish.budget_s
    chosen = wish.spec.chosen
    start = chosen.start.replace(**dict(wish.spec.changes))
    strategy = registry.load(_STRATEGIES, _STRATEGY, "STRATEGY")(chosen.space, wish.seed, start=[start])
    config: Config | None = start
    while config is not None:
        made = _candidate(wish, config)
        strategy.tell(config, made.prediction.time_ns if made.prediction else None)
        yield made
        config = strategy.ask() if clock.monotonic_s() < end else None


def _candidate(wish: Wish, config: Config) -> Ranked:
    try:
        (found,) = predict(
            Request(
                text=wish.spec.text.partition("@")[0],
                implementation=wish.spec.chosen.name,
                targets=(wish.target,),
                chip=wish.chip,
                parameters=dict(config),
                shape=wish.shape,
                seed=wish.seed,
            )
        )
    except HotloopError as reason:
        return Ranked(config=config, prediction=None, why_not=str(reason))
    return Ranked(config=config, prediction=found)


def _verified(wish: Wish, known: list[Ranked]) -> Iterator[Ranked]:
    """Yield the ranking, the first few executed against the reference until one passes."""
    passed = False
    for one in islice(known, _VERIFIED):
        if passed:
            yield one
            continue
        spec = replace(wish.spec, changes=tuple(dict(one.config).items()), best=False)
        try:
            answer = check(spec, wish.problem, wish.target, Silent(), seed=wish.seed)
        except HotloopError as reason:
            yield replace(one, verified=False, why_not=str(reason))
            continue
        passed = answer.passed
        why = "" if passed else describe(answer.answer)  # type: ignore[arg-type]
        yield replace(one, verified=passed, why_not=why)
    yield from known[_VERIFIED:]
