"""Triton and Gluon programs on a real GPU: results, times, resources, faults that kill the worker and not the run."""

from __future__ import annotations

import numpy as np
import pytest

from hotloop.app import userfile
from hotloop.app.session import worker_environment
from hotloop.engine.local import LocalEngine
from hotloop.model.jit import Meta
from hotloop.model.kernel import Empty, Variant
from hotloop.model.outcome import Artifact, CompileFailed, Crashed, TimedOut
from hotloop.model.program import Array, Launch, Program, Value
from hotloop.ports import BAND_BYTES, Executed, Timed, TimeRequest

pytestmark = pytest.mark.device
N = 1 << 22
SOURCE = """
import triton
import triton.language as tl


@triton.jit
def scale(y, x, n, BLOCK: tl.constexpr, MODE: tl.constexpr):
    where = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + where, mask=where < n) * 2.0
    if MODE == "wild":
        where = where.to(tl.int64) + (1 << 45)
    elif MODE == "spin":
        while tl.load(x, volatile=True) != 12345.0:
            values += 1.0
    elif MODE == "bad":
        values = values + tl.arange(0, 2 * BLOCK)
    tl.store(y + where, values, mask=tl.program_id(0) * BLOCK + tl.arange(0, BLOCK) < n)
"""


@pytest.fixture(scope="module")
def engine():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    with LocalEngine(worker_environment(), build_limit_s=30, run_limit_s=8) as made:
        yield made


@pytest.fixture(scope="module")
def device(engine):
    return engine.select("", "triton")


@pytest.fixture(scope="module")
def datasets(engine, device):
    return tuple(
        engine.dataset(f"d{i}", {"x": np.random.default_rng(i).random(N, "f4"), "y": Empty((N,))}, ("y",))
        for i in range(3)
    )


def program(mode="fine", block=1024):
    meta = Meta(values={"BLOCK": block, "MODE": mode, "num_warps": 4}, dtypes=dict(x="float32", y="float32"))
    launch = Launch("scale", (Array("y"), Array("x"), Value(N, "int64")), (N // block * 128,), (128,))
    return Program("triton", SOURCE, meta.options, (launch,), source_name="scale.py")


def test_the_device_says_what_it_is(device):
    assert (device.kind, device.runtime_key) == ("gpu", "cuda")
    assert device.target.startswith("sm_")
    assert device.compute_units > 10
    assert device.llc_bytes > 1 << 20
    assert device.local_mem_bytes >= 48 * 1024


def test_a_kernel_computes_and_tells_registers(engine, datasets):
    built = engine.build(program())
    assert isinstance(built, Artifact)
    assert "registers" in built.log
    (entry, resources), *_ = built.resources
    assert (entry, resources.private_bytes) == ("scale", 0)
    assert engine.binary(program()).startswith(b"\x7fELF")
    ran = engine.execute(program(), datasets[0])
    assert isinstance(ran, Executed)
    assert np.array_equal(
        ran.arrays["y"][BAND_BYTES:-BAND_BYTES].view("f4"), 2 * np.random.default_rng(0).random(N, "f4")
    )
    assert 5e3 < ran.device_ns < 1e6


def test_times_of_short_kernels_are_those_of_the_device(engine, datasets):
    """Two halves of the blocks in a row take as long as events around many say, and wall time adds little."""
    timed = engine.time(TimeRequest(programs=(program(), program()), datasets=datasets, rounds=6))
    assert isinstance(timed, Timed)
    samples = [sample for one in timed.rounds[1:] for _, sample in one.samples]
    device_ns = np.array([sample.device_ns / sample.calls for sample in samples])
    wall_ns = np.array([sample.call_ns for sample in samples])
    # of the middle half of the samples: single ones are disturbed where other processes use the device
    assert np.subtract(*np.percentile(device_ns, (75, 25))) < 0.05 * np.median(device_ns)
    assert 1.0 < np.median(wall_ns) / np.median(device_ns) < 1.25  # the host decides: 1.12 was seen
    floor_ns = 8 * N / 5e12 * 1e9
    assert floor_ns < np.median(device_ns) < 10 * floor_ns


def test_an_illegal_access_is_an_outcome_and_the_engine_goes_on(engine, datasets):
    before = engine.restarts
    ran = engine.execute(program("wild"), datasets[0])
    assert isinstance(ran, Crashed)
    assert "illegal memory access" in ran.message
    assert isinstance(engine.execute(program(), datasets[0]), Executed)
    assert engine.restarts == before + 1


def test_a_hang_is_ended(engine, datasets):
    assert isinstance(engine.execute(program("spin"), datasets[0]), TimedOut)
    assert isinstance(engine.execute(program(), datasets[0]), Executed)


def test_a_compile_error_names_the_line_of_the_file(engine, device):
    built = engine.build(program("bad"))
    assert isinstance(built, CompileFailed)
    assert built.line == SOURCE.splitlines().index("        values = values + tl.arange(0, 2 * BLOCK)") + 1


@pytest.mark.parametrize(
    ("example", "output"),
    [("examples/softmax_triton.py", "y"), ("examples/transpose_gluon.py", "y"), ("examples/matmul_triton.py", "c")],
)
def test_examples_run(engine, device, example, output):
    kernel = userfile.find(example)
    implementation = kernel.implementations[0]
    problem = next(iter(kernel.awkward(kernel.problem)))
    inputs = kernel.inputs(problem, np.random.default_rng(0))
    made = engine.dataset(f"e{kernel.family}", inputs, (output,))
    asked = Variant(implementation, implementation.start).program(problem, device)
    numbers = {name: value for name, value in inputs.items() if isinstance(value, int)}
    assert isinstance(engine.execute(asked.resolved(numbers), made), Executed)
