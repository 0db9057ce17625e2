"""How a run ends: its last comparison, whether that confirms the winner, and sentences about techniques tried and left untried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.app.events import Notice, Stage
from hotloop.app.run import timing
from hotloop.errors import SpentError
from hotloop.metrics.roofline import BEYOND
from hotloop.model.energy import WORDS, Objective
from hotloop.model.finding import Finding, Move
from hotloop.model.kernel import Kernel, Variant
from hotloop.model.outcome import Crashed, LaunchFailed, Outcome, TimedOut, WrongResult, describe
from hotloop.model.step import Decision, Step
from hotloop.model.verdict import Comparison, Verdict
from hotloop.techniques.moves import answering

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.attempt import Attempts
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.app.run.kept.result import Result
    from hotloop.app.run.pace import Pace

_UNCONFIRMED = "the final comparison with the baseline does not confirm it"
_ENDED = "the budget ended before it was verified on every case and compared with the baseline"
ONCE = "the winner was compared with the baseline once: the budget left no time for a second comparison"

CONTENT = 0.9
"""Share of the roof from which a kernel that nothing made faster is called good."""
_MOST_NAMED = 4
"""Largest number of techniques that a sentence lists."""


def simpler(candidate: Variant, incumbent: Variant) -> bool:
    """Return whether a variant is less complex than another one."""
    return candidate.implementation.simplicity(candidate.config) < incumbent.implementation.simplicity(incumbent.config)


_NOISE_CALLS = 4 * (8 + 1)
"""Calls that a noise floor takes at least where a sample is one call: fewer than eight rounds and a warm-up give none."""


def noise(desk: Desk, workload: Workload, variant: Variant, limit_s: float, call_ns: float) -> float | None:
    """Return the noise floor: the measured difference of a variant from itself; None if it could not be measured in `limit_s`."""
    desk.tell(Stage("measuring the noise floor (the winner against itself)"))
    key = workload.subject(variant).key("noise")
    return desk.remember(key, float | None, lambda: _floor(desk, workload, variant, limit_s, call_ns))


def _floor(desk: Desk, workload: Workload, variant: Variant, limit_s: float, call_ns: float) -> float | None:
    if limit_s <= _NOISE_CALLS * call_ns / 1e9:
        desk.tell(Notice("the budget left no time for the noise floor"))
        return None
    floor = timing.noise(desk, workload, workload.program(variant), limit_s=limit_s)
    if isinstance(floor, timing.Noise):
        return floor.floor
    desk.tell(Notice("the noise floor could not be measured"))
    return None


_PASSING = (LaunchFailed, Crashed, TimedOut)
"""Ends of a comparison that say nothing of a winner that was verified and compared before: what else runs on the machine may be their cause."""


def last(
    attempts: Attempts, pace: Pace, baseline: Variant, winner: Variant, steps: Sequence[Step], noise: float | None
) -> tuple[Comparison | None, str]:
    """Return the comparison of the winner with the baseline that ends a run, and a remark on it: why there is none, or that it is the first one.

    Raises SpentError where there is no time for it, and the comparisons before do not serve instead.
    """
    instead = only(steps, noise) or clear(steps, noise)
    if instead is not None and pace.left_s < pace.duel_s:
        return instead, ONCE
    try:
        with pace.bounded("the last comparison", pace.ending_s):
            attempt = attempts.against(baseline, winner, "overall", pace.last_s)
            if attempt.comparison is None and isinstance(attempt.outcome, _PASSING) and pace.left_s > pace.duel_s:
                attempt = attempts.against(baseline, winner, "overall, once more", pace.last_s)
            return attempt.comparison, "" if attempt.comparison else describe(attempt.outcome)
    except SpentError:
        if instead is None:
            raise
        return instead, ONCE


def only(steps: Sequence[Step], noise: float | None = None) -> Comparison | None:
    """Return the comparison of a winner that was compared with the baseline and is all that was compared; None in any other run.

    A candidate that is compared alone is called faster by chance as rarely as one that `hotloop compare` is asked about. Of many that
    are compared one may be, which only a second comparison shows. `noise`: what this machine tells apart, as far as that is known.
    """
    tried = [step for step in steps if step.comparison is not None]
    if len(tried) != 1 or tried[0].decision is not Decision.KEEP or tried[0].comparison is None:
        return None
    return timing.resolved(replace(tried[0].comparison, noise=noise), last=True)


CLEAR = 1.15
"""Lower end of a speedup's interval from which a comparison with the baseline stands alone where no time is left for a second one."""


def clear(steps: Sequence[Step], noise: float | None = None) -> Comparison | None:
    """Return the comparison of a winner that was compared with the baseline and is far ahead of it; None of any other.

    The only step that is kept was compared with the baseline. That the best of some candidates looks faster by chance is a matter
    of a few parts in a hundred, not of so much.
    """
    kept = [step for step in steps if step.decision is Decision.KEEP]
    if len(kept) != 1 or kept[0].comparison is None or kept[0].comparison.low < CLEAR:
        return None
    return timing.resolved(replace(kept[0].comparison, noise=noise), last=True)


def confirmed(overall: Comparison | None, *, plainer: bool) -> bool:
    """Return whether the final comparison confirms the winner: FASTER than the baseline, or SAME and simpler."""
    if overall is None:
        return False
    return overall.verdict is Verdict.FASTER or (overall.verdict is Verdict.SAME and plainer)


def unconfirmed(overall: Comparison | None, why: str) -> str:
    """Return the reason for which a kept step is dropped in the end; `why`: what ended the last comparison where there is none."""
    text = _UNCONFIRMED
    if overall is None:
        return f"{text}: {why}"
    interval = f"{overall.word} {overall.speedup:.3f}× [{overall.low:.3f}, {overall.high:.3f}]"
    return f"{text}: {interval}" + (f", {overall.reason}" if overall.reason else "")


def drop(result: Result) -> None:
    """Revert what was kept, of which nobody knows whether it is right on every case, as the budget ended before that was known."""
    kept = [step for step in result.steps if step.decision is Decision.KEEP]
    for step in kept:
        result.steps[step.index] = replace(step, decision=Decision.REVERT, reason=f"{_ENDED}; give more with --budget")
    if kept:
        result.stop_reason = dropped(result.stop_reason, f"{_ENDED}; give more with --budget")


def nothing_left(steps: Sequence[Step], findings: Sequence[Finding], looks: int = 0) -> str:
    """Return a sentence about techniques tried without success, and those suggested that could not be tried.

    Where there were quick `looks` at moves, what looked slower was tried, too.
    """
    if looks:
        compared = f"the {len(steps) - 1} that looked faster were compared" if len(steps) > 1 else "none looked faster"
        return f"{looks} moves got a quick look: {compared}"
    tried = {step.technique for step in steps[1:]}
    asked = tuple(dict.fromkeys(name for finding in findings for name in answering(finding)))
    missing = [name for name in asked if name not in tried]
    if not asked and not tried:
        return "no finding suggests a technique"
    objective = next((step.comparison.objective for step in steps if step.comparison), Objective.TIME)
    gain = "makes it faster" if objective is Objective.TIME else f"takes {WORDS[objective].less}"
    text = f"no technique that was tried {gain}" if tried else "nothing that the findings suggest could be tried"
    if not missing:
        return f"{text} any more"
    rest = ", ".join(missing[:_MOST_NAMED]) + (" and others" if len(missing) > _MOST_NAMED else "")
    return f"{text}; this kernel has no parameter that would now do these suggestions: {rest}"


def dropped(reason: str, why: str = _UNCONFIRMED) -> str:
    """Return why a search ended whose every step fell at the end, for the reason `why`: what it ended for is true of the last step only.

    >>> dropped("the roofline is reached: 99% of what this machine can do").partition(";")[0]
    'with what was kept on the way, the roofline is reached: 99% of what this machine can do'
    """
    found = reason and f"with what was kept on the way, {reason}"
    return "; ".join(filter(None, (found, f"what was kept on the way is dropped: {why}")))


def content(winner: Step | None, share: float) -> str:
    """Return the end of a sentence that says of a kernel near its roof that it is fine as it is; empty where something was kept."""
    if winner is None or winner.index > 0 or not CONTENT <= share <= BEYOND:
        return ""
    return f"; it runs at {min(share, 1.0):.0%} of its roof as it is: nothing here is worth tuning"


def left_to_try(moves: Sequence[Move]) -> str:
    """Return the most promising untried techniques as the end of a sentence; empty if there are none."""
    left = dict.fromkeys(f"{move.technique} ({move.gain.low:.2f}–{move.gain.high:.1f}×)" for move in moves)
    return f"; left to try: {', '.join(list(left)[:_MOST_NAMED])}" if left else ""


def unusable(kernel: Kernel, outcome: Outcome) -> str:
    """Return why the start configuration cannot be the baseline, with an explanation if its results depend on work-item order."""
    ordered = isinstance(outcome, WrongResult) and outcome.check.ordered
    return f"{describe(outcome)}; {kernel.unsteady}" if ordered and kernel.unsteady else describe(outcome)
