"""Peers, the library functions a user would otherwise call, verified like any variant and timed in the same run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING

from hotloop.app.events import Stage
from hotloop.app.run import checking, timing
from hotloop.errors import HotloopError, SpentError
from hotloop.model.check import CheckReport
from hotloop.model.outcome import Artifact, NotApplicable
from hotloop.model.step import PeerResult
from hotloop.model.subject import Subject

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.attempt import Attempts
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.app.run.pace import Pace
    from hotloop.model.kernel import Peer, Variant
    from hotloop.model.program import Program
    from hotloop.stats.paired import PairedTest


LATE = "the budget left no time for it; give more with --budget"


def compare(desk: Desk, attempts: Attempts, winner: Variant, peers: Sequence[Peer], pace: Pace) -> list[PeerResult]:
    """Return a result for every peer: compared with the winner while time permits; a peer that is not installed says so."""
    results, workload = [], attempts.workload
    for peer in peers:
        desk.tell(Stage(f"comparing with {peer.name}"))
        subject = Subject.peer(peer, workload.problem, desk.device, judge=workload.kernel.judge)
        key = subject.key(f"peer {peer.name}", workload.subject(winner))
        results.append(PeerResult(name=peer.name, outcome=NotApplicable(LATE)))
        if pace.allows_peer() or desk.journal.recall(key) is not None:
            made = partial(_compared, desk, attempts, winner, subject, pace.left_s)
            with suppress(SpentError), pace.bounded(f"peer {peer.name}", pace.ending_s):
                results[-1] = desk.remember(key, PeerResult, made)
    return results


def _compared(desk: Desk, attempts: Attempts, winner: Variant, peer: Subject, limit_s: float) -> PeerResult:
    workload = attempts.workload
    return meet(desk, workload, workload.program(winner), peer, attempts.test, attempts.noise, limit_s)


def meet(
    desk: Desk,
    workload: Workload,
    winner: Program,
    peer: Subject,
    test: PairedTest,
    noise: float | None = None,
    limit_s: float = inf,
) -> PeerResult:
    """Verify a peer and compare it with a verified program of the same problem, within a time limit."""
    began_s = desk.clock.monotonic_s()
    workload.sets()
    planned = peer.plan(workload.problem, desk.device)
    if planned is None:
        return PeerResult(name=peer.label, outcome=NotApplicable("the peer cannot run this problem"))
    try:
        built = desk.engine.build(planned)
    except SpentError:  # of the run, which says nothing about the peer
        raise
    except HotloopError as reason:  # a peer that is not installed is a result, not an error
        return PeerResult(name=peer.label, outcome=NotApplicable(str(reason)))
    if not isinstance(built, Artifact):
        return PeerResult(name=peer.label, outcome=NotApplicable(f"not available: {getattr(built, 'log', built)}"))
    name = f"{peer.label} ({built.log})" if built.log else peer.label
    verified = checking.check(desk, workload, peer)
    if verified.report is None:
        assert not isinstance(verified.answer, CheckReport)
        return PeerResult(name=name, outcome=verified.answer)
    left_s = limit_s - (desk.clock.monotonic_s() - began_s)
    duel = timing.duel(desk, workload, planned, winner, test, noise, left_s)
    if not isinstance(duel, timing.Duel):
        return PeerResult(name=name, outcome=duel)
    return PeerResult(name=name, outcome=replace(duel.incumbent, check=verified.report), comparison=duel.comparison)
