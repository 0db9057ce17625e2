"""A lead is not given up for one disturbed call on new content where there is time for more."""

from math import log
from types import SimpleNamespace

import pytest

from hotloop.app.run import honest


@pytest.mark.parametrize(("later", "owes"), [(1.0, False), (6.0, True)])
def test_one_round_that_was_disturbed_is_looked_at_again(monkeypatch, later, owes):
    taken = []

    def renewed(_desk, _workload, _program, _stand, effort, seen):
        for _ in range(effort.rounds):
            taken.append(6.0 if not taken else later)
            seen.known.append(1.0)
            seen.new.append(taken[-1])
        return honest.Renewed(seen=seen)

    monkeypatch.setattr(honest, "_renewed", renewed)
    desk, workload = SimpleNamespace(device=SimpleNamespace(kind="cpu")), SimpleNamespace(set_bytes=80 << 20)
    stand = honest._Stand(object(), 1, 1)
    found = honest._looked(desk, workload, object(), stand, 1e7, log(12.0), 2.5e8)
    assert found.owes is owes
    assert len(taken) == 3
