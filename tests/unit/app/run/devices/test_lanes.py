"""Who takes which look: each is given to the device with least to do, which compiles it before its turn; who has none relieves others."""

from types import SimpleNamespace

import pytest

from hotloop.app.run.devices.lanes import Crew


class Engine:
    """A device that compiles ahead, and notes what it was asked to."""

    def __init__(self):
        self.begun = []

    def ahead(self, programs):
        self.begun += programs

    def warm(self, language):
        pass


class Attempts:
    """What a crew asks of attempts; looks end when the test lets them."""

    def __init__(self, engine, gates):
        self.desk = SimpleNamespace(
            engine=engine, device=SimpleNamespace(kind="gpu"), journal=SimpleNamespace(recall=lambda key: None)
        )
        self.gates = gates

    def prepare(self, incumbent):
        pass

    def glance_key(self, incumbent, variant):
        return variant.label

    def known(self, incumbent, variant):
        return False

    def programs(self, variant):
        return [variant.label]

    def look(self, incumbent, variant):
        self.gates[variant.label].result(60)
        return variant.label


@pytest.fixture
def crew(monkeypatch):
    from concurrent.futures import Future

    gates = {name: Future() for name in "abcdef"}
    engines = [Engine(), Engine()]
    monkeypatch.setattr("hotloop.app.run.devices.lanes.at", lambda _, engine: Attempts(engine, gates))
    made = Crew(Attempts(engines[0], gates), None, engines)
    yield made, engines, gates
    for gate in gates.values():
        if not gate.done():
            gate.set_result(None)
    made.close()


def variants(names):
    return [SimpleNamespace(label=name, implementation=SimpleNamespace(language="cuda")) for name in names]


def test_devices_compile_what_waits_while_they_measure(crew):
    made, engines, gates = crew
    asked = variants("abcd")
    for variant in asked:
        made.begin(variant)
    assert sorted(engines[0].begun + engines[1].begun) == ["a", "b", "c", "d"]  # no look has ended yet
    for name in "abcd":
        gates[name].set_result(None)
    for variant in asked:
        assert made._looks[0].found.result(60) == variant.label
        made.told()


def test_a_device_with_nothing_to_do_takes_what_waits_elsewhere(crew, monkeypatch):
    monkeypatch.setattr("hotloop.app.run.devices.lanes._PATIENCE_S", 0.05)
    made, _, gates = crew
    for variant in variants("abcdef"):
        made.begin(variant)
    ended = {look.variant.label: look.found for look in made._looks}
    for name in "bcdef":  # "a" does not end, whichever device has it
        gates[name].set_result(None)
    for name in "bcdef":
        assert ended[name].result(30) == name
    assert not ended["a"].done()
