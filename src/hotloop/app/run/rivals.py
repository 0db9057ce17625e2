"""Peers: what a user would otherwise call, verified like any variant and timed in the same run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hotloop.app.events import Stage
from hotloop.app.run import checking, timing
from hotloop.errors import HotloopError
from hotloop.model.check import CheckReport
from hotloop.model.outcome import Artifact, NotApplicable
from hotloop.model.step import PeerResult
from hotloop.model.subject import Subject

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.attempt import Attempts
    from hotloop.app.run.workload import Workload
    from hotloop.model.kernel import Peer, Variant
    from hotloop.model.program import Program
    from hotloop.stats.paired import PairedTest


def compare(desk: Desk, attempts: Attempts, winner: Variant, peers: Sequence[Peer]) -> list[PeerResult]:
    """Return every peer that this machine has, compared with the winner; absent peers are left out."""
    results, workload = [], attempts.workload
    for peer in peers:
        desk.tell(Stage(f"comparing with {peer.name}"))
        subject = Subject.peer(peer, workload.problem, desk.device, judge=workload.kernel.judge)
        key = subject.key(f"peer {peer.name}", workload.subject(winner))
        results.append(desk.remember(key, PeerResult, partial(_compared, desk, attempts, winner, subject)))
    return results


def _compared(desk: Desk, attempts: Attempts, winner: Variant, peer: Subject) -> PeerResult:
    workload = attempts.workload
    return meet(desk, workload, workload.program(winner), peer, attempts.test, attempts.noise)


def meet(
    desk: Desk, workload: Workload, winner: Program, peer: Subject, test: PairedTest, noise: float | None = None
) -> PeerResult:
    """Return a peer, verified and compared with a verified program of the workload's problem."""
    workload.sets()
    planned = peer.plan(workload.problem, desk.device)
    if planned is None:
        return PeerResult(name=peer.label, outcome=NotApplicable("the peer cannot run this problem"))
    try:
        built = desk.engine.build(planned)
    except HotloopError as reason:  # a peer that is not installed is an answer, not an error
        return PeerResult(name=peer.label, outcome=NotApplicable(str(reason)))
    if not isinstance(built, Artifact):
        return PeerResult(name=peer.label, outcome=NotApplicable(f"not available: {getattr(built, 'log', built)}"))
    name = f"{peer.label} ({built.log})" if built.log else peer.label
    verified = checking.check(desk, workload, peer)
    if verified.report is None:
        assert not isinstance(verified.answer, CheckReport)
        return PeerResult(name=name, outcome=verified.answer)
    duel = timing.duel(desk, workload, planned, winner, test, noise)
    if not isinstance(duel, timing.Duel):
        return PeerResult(name=name, outcome=duel)
    return PeerResult(name=name, outcome=replace(duel.incumbent, check=verified.report), comparison=duel.comparison)
