import json

import numpy as np
import pytest

from hotloop.backends.null import COMPUTE, FAULTS, Null
from hotloop.model.program import Array, Launch, Program, Value
from hotloop.ports import BAND_BYTES, BuildError, LaunchError
from hotloop.verify.guards import make_banded, overrun

N = 16


def program(compute="axpy", **recipe):
    arguments = (Value(3.0, "float32"), Array("x"), Array("y")) if compute == "axpy" else (Array("x"), Array("y"))
    source = json.dumps({"compute": compute, "call_ns": 1000.0, **recipe})
    return Program("null", source, launches=(Launch("k", arguments, (N,)),))


@pytest.fixture
def arrays():
    backend = Null()
    made = {}
    for name, value in {"x": np.arange(N, dtype=np.float32), "y": np.ones(N, np.float32)}.items():
        banded = make_banded(value)
        made[name] = backend.allocate(banded.size)
        made[name].write(banded)
    return backend, made


def run(arrays, program):
    backend, buffers = arrays
    bound = backend.bind(program, buffers)
    bound.enqueue()
    device_ns = bound.finish()
    banded = {name: np.empty_like(buffer.banded) for name, buffer in buffers.items()}
    for name, buffer in buffers.items():
        buffer.read(banded[name])
    return banded, device_ns


def payload(banded):
    return banded[BAND_BYTES:-BAND_BYTES].view(np.float32)


def test_it_computes_and_spends_only_virtual_time(arrays):
    backend, _ = arrays
    before = backend.now_ns()
    banded, device_ns = run(arrays, program())
    assert np.array_equal(payload(banded["y"]), 3 * np.arange(N) + 1)
    assert device_ns == 1000.0
    assert backend.now_ns() - before == 1000


def test_noise_is_reproducible_and_as_wide_as_asked():
    times = []
    for _ in range(2):
        backend = Null()
        bound = backend.bind(
            Program("null", json.dumps({"compute": "copy", "call_ns": 1e6, "noise": 0.1}), launches=()), {}
        )
        times.append([backend._clock.spend(1e6, 0.1) for _ in range(500)])
        assert bound.finish() == 0.0
    assert times[0] == times[1]
    assert np.std(np.log(times[0])) == pytest.approx(0.1, rel=0.2)


def test_a_wrong_kernel_is_off_by_a_percent_and_a_silent_one_writes_nothing(arrays):
    banded, _ = run(arrays, program("copy", fault="wrong"))
    assert np.allclose(payload(banded["y"]), 1.01 * np.arange(N))
    banded, _ = run(arrays, program("copy", fault="silent"))
    assert np.allclose(payload(banded["y"]), 1.01 * np.arange(N))


def test_an_overrun_hits_the_band_and_a_mutation_the_input(arrays):
    banded, _ = run(arrays, program("copy", fault="overrun"))
    assert overrun(banded["y"]) == "canary after {} overwritten at +64 B"
    banded, _ = run(arrays, program("copy", fault="mutate"))
    assert payload(banded["x"])[0] == 1


def test_refusals_are_the_ports_errors(arrays):
    with pytest.raises(LaunchError, match="out of resources"):
        run(arrays, program(fault="refuse"))
    with pytest.raises(BuildError, match="1:3:5: error"):
        Null().build(program(fault="compile"))


def test_every_fault_has_a_name_of_its_own():
    assert set(FAULTS) == {"crash", "abort", "hang", "refuse", "overrun", "mutate", "flood"}
    assert set(COMPUTE) == {"axpy", "copy"}
