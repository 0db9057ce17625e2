"""Variables of a program that outlive its calls: what is kept there may be a result, or a table that is right for all inputs.

No clock can tell such a table from speed: once made, it serves content that was never met, too. So a program that keeps more
than its incumbent does is not called better than it; what a call needs beyond its arguments belongs into local memory or a
scratch area, which are spoiled before what counts is timed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.model.outcome import Artifact
from hotloop.model.verdict import Comparison, Verdict
from hotloop.units import size

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.program import Program


def doubted(desk: Desk, programs: tuple[Program, Program], found: Comparison) -> Comparison:
    """Return a comparison, UNCLEAR where the winner keeps more between calls than the incumbent."""
    if found.verdict is not Verdict.FASTER:
        return found
    incumbent, candidate = (_kept_bytes(desk, program) for program in programs)
    if candidate <= incumbent:
        return found
    reason = (
        f"the candidate has {size(candidate)} of variables that outlive a call, where results may be kept; "
        "use local memory or a scratch area"
    )
    return replace(found, verdict=Verdict.UNCLEAR, reason=reason)


def _kept_bytes(desk: Desk, program: Program) -> int:
    built = desk.engine.build(program)
    return built.kept_bytes if isinstance(built, Artifact) else 0
