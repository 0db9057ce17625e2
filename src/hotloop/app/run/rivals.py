"""Peers: what a user would otherwise call, verified like any variant and timed in the same run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hotloop.app.events import Stage
from hotloop.app.run import checking, timing
from hotloop.app.run.checking import Subject
from hotloop.errors import HotloopError
from hotloop.model.check import CheckReport
from hotloop.model.outcome import Artifact, NotApplicable
from hotloop.model.step import PeerResult

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.attempt import Attempts
    from hotloop.model.kernel import Peer, Variant


def compare(desk: Desk, attempts: Attempts, winner: Variant, peers: Sequence[Peer]) -> list[PeerResult]:
    """Return every peer that this machine has, compared with the winner; absent peers are left out."""
    results = []
    for peer in peers:
        desk.tell(Stage(f"comparing with {peer.name}"))
        key = f"peer {peer.name} {winner.config.fingerprint}"
        found = desk.remember(key, PeerResult, partial(_one, desk, attempts, winner, peer))
        results.append(found)
    return results


def _one(desk: Desk, attempts: Attempts, winner: Variant, peer: Peer) -> PeerResult:
    workload = attempts.workload
    workload.sets()
    planned = peer.plan(workload.problem, desk.device)
    if planned is None:
        return PeerResult(name=peer.name, outcome=NotApplicable("the peer cannot run this problem"))
    try:
        built = desk.engine.build(planned)
    except HotloopError as reason:  # a peer that is not installed is an answer, not an error
        return PeerResult(name=peer.name, outcome=NotApplicable(str(reason)))
    if not isinstance(built, Artifact):
        return PeerResult(name=peer.name, outcome=NotApplicable(f"not available: {getattr(built, 'log', built)}"))
    name = f"{peer.name} ({built.log})" if built.log else peer.name
    verified = checking.check(desk, workload, Subject(name, peer.plan))
    if verified.report is None:
        assert not isinstance(verified.answer, CheckReport)
        return PeerResult(name=name, outcome=verified.answer)
    found = timing.duel(desk, workload, planned, workload.program(winner), attempts.test, attempts.noise)
    if not isinstance(found, timing.Duel):
        return PeerResult(name=name, outcome=found)
    return PeerResult(name=name, outcome=replace(found.incumbent, check=verified.report), comparison=found.comparison)
