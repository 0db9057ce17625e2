"""What refuses a candidate that won its duel."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from hotloop.app.run import attempt as attempts
from hotloop.app.run import timing
from hotloop.backends.null import DEVICE
from hotloop.model.check import CheckReport
from hotloop.model.outcome import Conditions, Impossible, Measured, Sample
from hotloop.model.program import Launch, Program


def _measured(call_ns):
    return Measured(samples=(Sample(wall_ns=call_ns, calls=1),), conditions=Conditions(""))


@pytest.mark.parametrize(("launched", "refused"), [(True, False), (False, True)])
def test_only_the_count_of_a_programs_own_launch_may_be_wrong(monkeypatch, launched, refused):
    """An incumbent that is below the floor by luck must not excuse a candidate that does not do the work."""
    duel = timing.Duel(None, _measured(9.0), _measured(3.0), ())
    monkeypatch.setattr(timing, "duel", lambda *_, **__: duel)
    kernel = SimpleNamespace(launched=launched, work=lambda _: None)
    workload = SimpleNamespace(kernel=kernel, problem=None, program=lambda _: None)
    desk = SimpleNamespace(clock=SimpleNamespace(monotonic_s=lambda: 0.0))
    made = attempts.Attempts(desk, workload, None, None)
    sound = attempts._Sound(None, CheckReport(()), None)
    monkeypatch.setattr(attempts.Attempts, "_verified", lambda *_: sound)
    monkeypatch.setattr(attempts.Attempts, "_pace", lambda *_: None)
    monkeypatch.setattr(
        attempts.Attempts, "_impossible", lambda _, one, __: Impossible(one.call_ns, 10.0) if one.call_ns < 10 else None
    )
    assert isinstance(made._against(None, None, 9.0).outcome, Impossible) == refused


@pytest.mark.parametrize(("group", "applies"), [((1024,), True), ((64, 32), False)])
def test_a_search_proposes_nothing_that_the_device_cannot_launch(group, applies):
    program = Program("null", "", launches=(Launch("f", (), (4096,), group),))
    workload, desk = SimpleNamespace(program=lambda _: program), SimpleNamespace(device=DEVICE)
    assert attempts.Attempts(desk, workload, None, None).applies(None) is applies
