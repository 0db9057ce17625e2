"""Peers at the end of a run: what there is no time for, and what is left in the middle because there is none."""

from types import SimpleNamespace

import pytest

from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.run import rivals
from hotloop.app.run.pace import Pace
from hotloop.errors import SpentError
from hotloop.model.outcome import NotApplicable
from hotloop.model.step import PeerResult
from hotloop.model.subject import Subject


class Clock:
    now_s = 0.0

    def monotonic_s(self):
        return self.now_s


@pytest.fixture
def met(monkeypatch):
    """Names of peers that were compared; slow ones are left by whoever limits their time."""
    names = []
    subject = SimpleNamespace(key=lambda name, *_others: name)
    monkeypatch.setattr(
        Subject, "peer", lambda peer, *_given, **_named: SimpleNamespace(key=subject.key, label=peer.name)
    )

    def compared(desk, _attempts, _winner, peer, _limit_s):
        names.append(peer.label)
        desk.clock.now_s += 100.0 if peer.label == "slow" else 1.0
        desk.due()
        return PeerResult(name=peer.label, outcome=NotApplicable("compared"))

    monkeypatch.setattr(rivals, "_compared", compared)
    return names


def of(desk, *names, budget_s=30.0):
    workload = SimpleNamespace(problem="", kernel=SimpleNamespace(judge=None), subject=lambda _variant: None)
    peers = [SimpleNamespace(name=name) for name in names]
    results = rivals.compare(desk, SimpleNamespace(workload=workload), None, peers, Pace(desk, budget_s))
    return {result.name: result.outcome.reason for result in results}


def test_a_peer_that_takes_too_long_is_left_and_a_run_that_goes_on_leaves_it_at_once(met):
    desk = Desk(engine=None, device=SimpleNamespace(kind="cpu"), journal=MemoryJournal(), clock=Clock(), began_s=0.0)
    expected = {"quick": "compared", "slow": rivals.LATE, "late": rivals.LATE}
    assert of(desk, "quick", "slow", "late") == expected
    assert met == ["quick", "slow"]
    again = Desk(engine=None, device=desk.device, journal=desk.journal, clock=Clock(), began_s=0.0)
    assert of(again, "quick", "slow", "late") == expected
    assert met == ["quick", "slow"]


def test_the_end_of_the_time_is_no_failure_of_a_peer():
    def build(_program):
        raise SpentError("the budget had ended in the middle of this.")

    desk = Desk(SimpleNamespace(build=build), device=None, journal=MemoryJournal(), clock=Clock())
    workload = SimpleNamespace(sets=tuple, problem=None)
    peer = SimpleNamespace(plan=lambda *_given: "program", label="BLAS")
    with pytest.raises(SpentError):
        rivals.meet(desk, workload, None, peer, None)
