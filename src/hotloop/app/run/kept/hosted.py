"""A winner as a host launches it that nobody changes: verified and compared like every candidate, for the patch of the program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.app.events import Stage
from hotloop.app.run.kept.result import Hosted
from hotloop.errors import SpentError
from hotloop.model.kernel import Variant
from hotloop.model.outcome import describe
from hotloop.model.verdict import Verdict

if TYPE_CHECKING:
    from hotloop.app.run.attempt import Attempts
    from hotloop.app.run.pace import Pace
    from hotloop.model.program import Program
    from hotloop.model.step import Step

NAME = "launched as before"
LATE = (
    "the budget left no time to try the text for a host that stays as it is; optimize it again with a larger --budget"
)


def tried(attempts: Attempts, pace: Pace, steps: Sequence[Step], winner: Variant | None) -> Hosted | None:
    """Return what the winner's text does for the host as it is; None where its launches are those of the baseline anyway."""
    if winner is None or winner.implementation.hosted is None:
        return None
    baseline = Variant(winner.implementation, steps[0].config)
    if winner.config == baseline.config:
        return None
    own = winner.implementation
    variant = Variant(replace(own, name=f"{own.name}, {NAME}", plan=own.hosted), winner.config)  # type: ignore[arg-type] # looked at above
    same = _launches(attempts, winner) == _launches(attempts, baseline)
    try:
        program = attempts.workload.program(variant)
    except ValueError as reason:
        return Hosted(variant=variant, why=str(reason), refused=True)
    if same and program.source == attempts.workload.program(winner).source:
        return None
    if pace.ending_s < pace.duel_s:  # it may make the run late, as the winner's own comparison may: a patch rests on it
        return Hosted(variant=variant, why=LATE)
    attempts.desk.tell(Stage("comparing the winner as the program launches it with the baseline"))
    try:
        with pace.bounded("the winner as the program launches it", pace.ending_s):
            attempt = attempts.against(baseline, variant, "as launched", pace.last_s)
    except SpentError as spent:
        return Hosted(variant=variant, why=str(spent))
    gain = attempt.comparison
    if gain is None:
        return Hosted(variant=variant, why=describe(attempt.outcome))
    faster = gain.verdict is Verdict.FASTER
    return Hosted(
        variant=variant,
        comparison=gain if faster else None,
        why="" if faster else f"it is then {gain.word} ({gain.speedup:.2f}×)",
    )


def _launches(attempts: Attempts, variant: Variant) -> list[object]:
    program: Program = attempts.workload.program(variant)
    return [(launch.entry, launch.global_size, launch.local_size) for launch in program.launches]
