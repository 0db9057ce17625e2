"""The decision about an attempt (keep, revert or refuse), and the steps whose predictions can be scored."""

from __future__ import annotations

from collections.abc import Iterable

from hotloop.app.run.attempt import Attempt
from hotloop.model.check import Accuracy, CheckReport
from hotloop.model.energy import WORDS
from hotloop.model.evidence import Evidence
from hotloop.model.finding import Gain, Move
from hotloop.model.outcome import Measured, describe
from hotloop.model.step import Decision, Step
from hotloop.model.verdict import Verdict


def decide(
    attempt: Attempt,
    simpler: bool,  # noqa: FBT001 - a fact, not an option
    start: CheckReport | None = None,
) -> tuple[Decision, str]:
    """Return the decision about an attempt and its reason, by the rules K1 to K3 of the loop.

    The reason for keeping a change also tells what accuracy it gives up beside the start.
    """
    comparison = attempt.comparison
    if comparison is None:
        return Decision.REFUSE, describe(attempt.outcome)
    say = WORDS[comparison.objective]
    interval = f"{comparison.speedup:.3f}× [{comparison.low:.3f}, {comparison.high:.3f}]"
    match comparison.verdict:
        case Verdict.FASTER:
            accuracy = Accuracy.of(start, attempt.outcome.check) if isinstance(attempt.outcome, Measured) else None
            return Decision.KEEP, "; ".join(
                filter(None, (f"{say.less}: {interval}", accuracy.warning if accuracy else ""))
            )
        case Verdict.SAME if simpler:
            return Decision.KEEP, f"{say.equal} and simpler: {interval}"
        case Verdict.SAME:
            return Decision.REVERT, f"no difference beyond {comparison.margin:.0%}: {interval}"
        case Verdict.SLOWER:
            return Decision.REVERT, f"{say.more}: {interval}"
        case Verdict.UNCLEAR:
            return Decision.REVERT, f"unclear: {comparison.reason or interval}"


def noted(
    index: int, move: Move, attempt: Attempt, decision: Decision, reason: str, predicted: Gain | None, promised: Gain | None,
    evidence: Evidence, elapsed_s: float,
) -> Step:  # fmt: skip
    """Return an attempt at a move as a step of a run."""
    return Step(
        index=index,
        technique=move.technique,
        change=move.change,
        why=move.why,
        implementation=move.variant.implementation.name,
        config=move.variant.config,
        outcome=attempt.outcome,
        decision=decision,
        reason=reason,
        rule=move.rule,
        predicted=predicted,
        promised=promised,
        comparison=attempt.comparison,
        evidence=evidence,
        elapsed_s=elapsed_s,
    )


def predictions(steps: Iterable[Step]) -> list[tuple[Step, float | None]]:
    """Return the steps that had a prediction, with the measured speedup (None: never timed)."""
    return [
        (s, s.comparison.speedup if s.comparison else None) for s in steps if s.predicted and s.technique != "search"
    ]
