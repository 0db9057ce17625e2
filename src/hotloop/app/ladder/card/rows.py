"""A rung of a ladder for an NVIDIA card as a row of its page: what it is, its code, and what moved from the rung below."""

from __future__ import annotations

from hotloop.app.ladder.card import code
from hotloop.model.ladder import Ladder, Rung
from hotloop.model.record import Record
from hotloop.report.ladder.cardview import CardRungView, moved


def row(ladder: Ladder, rung: Rung, over: str, made: code.Code, below: code.Code | None) -> CardRungView:
    """Return what is known of a rung before it is timed, beside the code of the rung that it is compared with.

    Args:
        ladder: to which it belongs.
        rung: the rung.
        over: name of the rung that it is compared with; empty: none.
        made: its code.
        below: what its code is held against; None: nothing.
    """
    return CardRungView(
        rung=rung,
        kernel=ladder.implementation(rung) or "",
        config=str(Record(ladder.changes(rung))),
        sizes=str(Record(ladder.varied(rung))),
        failure=made.failure,
        absent=made.absent,
        facts=made.facts,
        compiler=made.compiler,
        violations=code.violations(made, rung.bounds),
        over=over,
        moved=moved(rung, made.facts, below.facts) if below else (),
    )
