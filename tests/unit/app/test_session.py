from dataclasses import replace

import pytest

from hotloop.app import session
from hotloop.app.session import Options
from hotloop.backends.null import DEVICE
from hotloop.errors import MachineError, UsageError
from hotloop.model.energy import Objective

CPU = replace(DEVICE, kind="cpu", name="A processor")
ENERGY = Options(objective=Objective.ENERGY)


def test_a_machine_without_a_counter_is_told_before_anything_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("HOTLOOP_POWERCAP", str(tmp_path))
    with pytest.raises(MachineError) as told:
        session.refuse_unmetered(CPU, ENERGY)
    assert str(told.value) == (
        "--objective energy is not possible here: this machine shows no energy counter of its processors: "
        f"{tmp_path} has no RAPL package, as in most virtual machines."
    )
    session.refuse_unmetered(CPU, Options())


def test_what_takes_energy_besides_the_calls_is_refused():
    with pytest.raises(UsageError, match="emptying the caches before each call takes energy, too"):
        session.refuse_unmetered(CPU, replace(ENERGY, mode="cold"))


def test_parts_of_a_processor_share_a_counter(monkeypatch):
    monkeypatch.setenv("HOTLOOP_PARTS", "2")
    with pytest.raises(UsageError, match="leave out HOTLOOP_PARTS, or --objective energy"):
        session.refuse_unmetered(CPU, replace(ENERGY, engine="ray"))
