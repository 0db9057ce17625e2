"""The engine on this machine when several threads ask it."""

import os
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from hotloop.backends.null import DEVICE
from hotloop.engine import local
from hotloop.engine.landing import Landed
from hotloop.errors import MachineError, NoDeviceError
from hotloop.model.codec import encode
from hotloop.model.outcome import Artifact, Crashed, LaunchFailed
from hotloop.model.program import Array, Launch, Program
from hotloop.ports import Dataset, Executed


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


def test_what_no_device_could_launch_never_reaches_a_compiler_or_the_worker(monkeypatch):
    asked, large = [], Program("null", "", launches=(Launch("f", (), (4096,), (4096,)),))
    with local.LocalEngine({}, witness=False) as engine:
        engine._device = DEVICE
        monkeypatch.setattr(engine, "_ask", lambda *_: asked.append("worker"))
        monkeypatch.setattr(engine, "_compilers", lambda: asked.append("compiler"))
        engine.ahead((large,))
        answer = engine.execute(large, Dataset("any", ()))
    assert isinstance(answer, LaunchFailed)
    assert not asked


@pytest.mark.parametrize(("kind", "looks"), [("gpu", local.LOOKS), ("cpu", 1), ("null", 1)])
def test_only_a_gpu_has_several_looks_at_once(monkeypatch, kind, looks):
    with local.LocalEngine({}, witness=False) as engine:
        monkeypatch.setattr(engine, "_ask", lambda *_: SimpleNamespace(kind=kind, name="any"))
        monkeypatch.setattr(local, "Device", SimpleNamespace)
        engine.select("", "null")
        assert engine.looks == looks


FAKES = Path(__file__).parents[2] / "fakes"
JUNK = "/*fake put: y.fill(7)*/ __global__ void put(float *y) {}"
LATER = """/*fake put: [np.memmap(f, np.uint8, "r+").__setitem__(slice(PLACE), 1)
    for f in __import__("pathlib").Path("FOLDER").glob("landed0*") if PLACE]; y.fill(7)*/ __global__ void put(float *y) {}"""


def put(source):
    return Program("cuda", source, (), (Launch("put", (Array("y"),), (1,), (1,)),))


@pytest.mark.parametrize("changed_bytes", [0, 2**21], ids=["honest", "changed"])
def test_results_that_a_later_kernel_changes_before_they_are_copied_count_for_nothing(monkeypatch, changed_bytes):
    """The pages of a results file are the device's to write: the next candidate could make an earlier one's results right."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(FAKES / "cuda"), str(FAKES), *filter(None, sys.path)]),
    }
    copied, others = Landed.copied, []
    with local.LocalEngine(environment, witness=False) as engine:
        engine.select("", "cuda")
        own = engine.dataset("own", {"y": np.zeros(2**19, np.float32)}, ["y"])
        later = put(LATER.replace("FOLDER", str(engine.arena)).replace("PLACE", str(changed_bytes)))

        def after_the_next(landed):
            if not others:
                others.append(landed)
                assert isinstance(engine.execute(later, own), Executed)
            return copied(landed)

        monkeypatch.setattr(Landed, "copied", after_the_next)
        outcome = engine.execute(put(JUNK), own)
    assert others
    if changed_bytes:
        assert isinstance(outcome, Crashed)
        assert "changed after its run had ended" in outcome.message
    else:
        assert isinstance(outcome, Executed)


def test_a_runtime_that_has_too_little_address_space_is_told_so(monkeypatch):
    monkeypatch.setattr(local.LocalEngine, "_ask", lambda *_given, **_named: Crashed("select", None))
    monkeypatch.setattr("hotloop.host.memory.narrow", lambda: " (the address space is limited)")
    with (
        local.LocalEngine({}) as engine,
        pytest.raises(NoDeviceError, match=r"crashed \(the address space is limited\); see"),
    ):
        engine.select()
