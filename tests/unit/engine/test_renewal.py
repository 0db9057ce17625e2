"""Timing on new content: what runs when on a GPU, with a fake one that notes every call."""

import json
from dataclasses import replace

import numpy as np
import pytest

from hotloop.backends.null import DEVICE, Null
from hotloop.engine import laying
from hotloop.engine.bench import Bench
from hotloop.engine.renewal import renew
from hotloop.host.arena import Arena
from hotloop.model.kernel import Empty
from hotloop.model.program import Array, Launch, Program
from hotloop.ports import BAND_BYTES, RenewRequest

N = 16


class Noted(Null):
    """A fake GPU that notes which program met which content."""

    def __init__(self):
        super().__init__()
        self.calls = []

    def bind(self, program, buffers):
        return Call(super().bind(program, buffers), program.source_name, buffers["x"], self.calls)


class Call:
    def __init__(self, bound, name, content, calls):
        self._bound, self._name, self._content, self._calls = bound, name, content, calls
        self.phases = bound.phases

    def enqueue(self):
        self._calls.append((self._name, float(self._content.banded[BAND_BYTES:-BAND_BYTES].view("f4")[0])))
        self._bound.enqueue()

    def finish(self):
        self._calls.append((self._name, None))
        return self._bound.finish()


def program(name, call_ns):
    recipe = {"compute": "copy", "call_ns": call_ns}
    return Program("null", json.dumps(recipe), (), (Launch("copy", (Array("x"), Array("y")), (N,)),), source_name=name)


@pytest.fixture
def arena():
    made = Arena.create()
    yield made
    made.remove()


@pytest.mark.parametrize("kind", ["gpu", "cpu"])
def test_new_content_is_met_in_the_timed_call_only(arena, kind):
    def dataset(name, value):
        return laying.write(arena, name, {"x": np.full(N, value, "f4"), "y": Empty((N,), "float32")}, ("y",))

    backend = Noted()
    bench = Bench(arena.path, "")
    bench.adopt("null", backend, replace(DEVICE, kind=kind))
    request = RenewRequest(
        program=program("candidate", 100.0),
        rival=program("rival", 200.0),
        datasets=tuple(dataset(f"set{index}", 1.0 + index) for index in range(2)),
        fresh=tuple(dataset(f"fresh{index}", 101.0 + index) for index in range(3)),
        calls=1,
        known_calls=1,
        judged=(2,),
        met=0,
        warm=1,
        spoil=False,
    )
    timed = renew(bench, request)
    assert [[(which, sample.device_ns) for which, sample in one.samples] for one in timed.rounds] == [
        [(0, 200.0), (1, 100.0)],
        [(1, 100.0), (0, 200.0)],
        [(0, 200.0), (1, 100.0)],
    ]
    met = [(name, content) for name, content in backend.calls if content is not None]
    for content in (101.0, 102.0, 103.0):
        first = met.index(("candidate", content))
        assert not any(name == "rival" for name, other in met[:first] if other == content)
    awake = len(met) > 3 * 2 * 4  # a fake call takes microseconds
    assert awake == (kind == "gpu")
    timed = [met.index(("candidate", content)) for content in (101.0, 102.0, 103.0)]
    before = [met[index - 1][0] for index in timed]
    assert not awake or before == ["rival", "candidate", "rival"]


class Spoiling(Noted):
    """A fake CPU on which memory that outlives a call can be overwritten; it notes what outputs hold when a call begins."""

    def __init__(self):
        super().__init__()
        self.held = []

    def fence(self, _banded_bytes, *, place):
        del place

    def spoil(self, _pattern, *, needed_bytes, whole):
        del needed_bytes, whole
        return Nothing()

    def bind(self, program, buffers):
        return Call(super().bind(program, buffers), program.source_name, buffers["y"], self.held)


class Nothing:
    def enqueue(self):
        pass

    def finish(self):
        return 0.0


def test_outputs_hold_no_results_where_nothing_may_outlive_a_call(arena):
    def dataset(name, value):
        return laying.write(arena, name, {"x": np.full(N, value, "f4"), "y": Empty((N,), "float32")}, ("y",))

    def held(*, spoil):
        backend, bench = Spoiling(), Bench(arena.path, "")
        bench.adopt("null", backend, replace(DEVICE, kind="cpu"))
        made = f"{spoil}"
        request = RenewRequest(
            program=program("candidate", 100.0), rival=program("rival", 200.0), calls=1, known_calls=1, judged=(2,), met=0, warm=1, spoil=spoil,
            datasets=tuple(dataset(f"set{made}{index}", 1.0 + index) for index in range(2)),
            fresh=tuple(dataset(f"fresh{made}{index}", 101.0 + index) for index in range(3)),
        )  # fmt: skip
        renew(bench, request)
        return [one for name, one in backend.held if name == "candidate" and one is not None]

    results = {1.0, 2.0, 101.0, 102.0, 103.0}
    assert set(held(spoil=False)[1:]) <= results
    timed = [one for one in held(spoil=True) if one not in results]
    assert len(timed) >= 3
