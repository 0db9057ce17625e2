"""The measured limits of this machine's OpenCL device."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import pytest

from hotloop.app import session
from hotloop.app.desk import Desk
from hotloop.app.run import ceilings
from hotloop.errors import MachineError


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    try:
        with session.desk(session.Options()) as opened:
            yield opened
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime: {reason}")


def test_memory_is_measured_by_a_copy_and_by_a_change_in_place(desk, monkeypatch):
    copied, changed = ceilings._copy_bandwidth(desk, inf), ceilings._update_bandwidth(desk, inf)
    assert copied is not None
    assert copied > 1e8
    assert desk.device.kind == "gpu" or changed > 1e8
    monkeypatch.setattr(ceilings, "_copy_bandwidth", lambda *_: copied)
    for rate in (0.0, 0.5 * copied, 2.0 * copied):
        monkeypatch.setattr(ceilings, "_update_bandwidth", lambda *_, rate=rate: rate)
        assert ceilings.copy_bandwidth(desk) == max(copied, rate)
    monkeypatch.setattr(ceilings, "_copy_bandwidth", lambda *_: None)
    assert ceilings.copy_bandwidth(desk) is None
