"""The engine on this machine when several threads ask it."""

import threading
import time
from types import SimpleNamespace

import pytest

from hotloop.engine import local
from hotloop.errors import MachineError
from hotloop.model.codec import encode
from hotloop.model.outcome import Artifact
from hotloop.model.program import Program


@pytest.fixture
def asked(monkeypatch):
    """Return how many requests each of a fake worker's requests met under way, itself included."""
    met, under_way = [], []

    def ask(_self, message, _limit_s):
        if "op" not in message:
            return {}
        under_way.append(message)
        time.sleep(0.005)
        met.append(len(under_way))
        under_way.remove(message)
        return {"artifact": encode(Artifact("key", 1.0, "", ()), Artifact)}

    child = type("Child", (), {"__init__": lambda *_: None, "ask": ask, "alive": True, "kill": lambda _: None})
    monkeypatch.setattr(local, "Child", child)
    return met


def test_one_request_at_a_time_is_with_the_worker_whoever_asks(asked):
    with local.LocalEngine({}, witness=False) as engine:
        threads = [
            threading.Thread(target=engine.build, args=(Program("null", str(number), launches=()),))
            for number in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert asked == [1] * 4


def test_a_timing_waits_for_whoever_is_with_the_worker_and_nobody_comes_between(asked):
    """A thread that holds a turn is alone with worker and device until its results are copied."""
    with local.LocalEngine({}, witness=False) as engine:
        order = []

        def build():
            order.append("asked")
            engine.build(Program("null", "", launches=()))
            order.append("built")

        with engine._turn(alone=True):
            other = threading.Thread(target=build)
            other.start()
            while not order:
                time.sleep(0.001)
            time.sleep(0.02)
            order.append("timed")
        other.join()
    assert order == ["asked", "timed", "built"]


def test_who_waited_for_an_answer_starts_no_worker_for_a_closed_engine(asked):
    engine = local.LocalEngine({}, witness=False)
    engine.close()
    with pytest.raises(MachineError, match="closed"):
        engine.build(Program("null", "", launches=()))
    assert not asked


@pytest.mark.parametrize(("kind", "looks"), [("gpu", local.LOOKS), ("cpu", 1), ("null", 1)])
def test_only_a_gpu_has_several_looks_at_once(monkeypatch, kind, looks):
    with local.LocalEngine({}, witness=False) as engine:
        monkeypatch.setattr(engine, "_ask", lambda *_: SimpleNamespace(kind=kind, name="any"))
        monkeypatch.setattr(local, "Device", SimpleNamespace)
        engine.select("", "null")
        assert engine.looks == looks
