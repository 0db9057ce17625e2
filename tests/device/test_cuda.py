"""The CUDA backend on a real GPU; needs NVIDIA's driver, cuda.bindings and NVRTC."""

from __future__ import annotations

import os
from collections.abc import Iterator

import numpy as np
import pytest

from hotloop.engine.local import LocalEngine
from hotloop.errors import HotloopError
from hotloop.model.outcome import Artifact, CompileFailed, Crashed, LaunchFailed
from hotloop.model.program import Array, Launch, Local, Program, Value
from hotloop.ports import BAND_BYTES, Executed, Timed, TimeRequest

pytestmark = pytest.mark.device
COPY = """
template <typename V> __global__ void copy(const V *x, V *y, long long n) {
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}
"""
SPIN = """
__global__ void spin(float *y, long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {}
    if (threadIdx.x == 0) y[blockIdx.x] = 1;
}
"""


@pytest.fixture(scope="module")
def backend():
    try:
        from hotloop.backends.cuda import BACKEND

        made = BACKEND()
        made.select("")
    except (ImportError, HotloopError) as error:
        pytest.skip(f"no CUDA device: {error}")
    return made


@pytest.fixture
def engine(backend) -> Iterator[LocalEngine]:
    with LocalEngine(dict(os.environ), run_limit_s=20) as made:
        made.select("", "cuda")
        yield made


def bound(backend, source, arguments, items, group, arrays, **options):
    """Return a bound program and its buffers."""
    entry = options.pop("entry")
    program = Program("cuda", source, options.pop("options", ()), (Launch(entry, arguments, items, group),))
    buffers = {name: backend.allocate(array.nbytes + 2 * BAND_BYTES) for name, array in arrays.items()}
    for name, array in arrays.items():
        buffers[name].write(np.pad(np.ascontiguousarray(array).view(np.uint8).ravel(), BAND_BYTES))
    return backend.bind(program, buffers), buffers


def read(buffer, like):
    banded = np.empty(like.nbytes + 2 * BAND_BYTES, np.uint8)
    buffer.read(banded)
    assert not banded[:BAND_BYTES].any()
    assert not banded[-BAND_BYTES:].any()
    return banded[BAND_BYTES:-BAND_BYTES].view(like.dtype)


def test_device_facts(backend):
    device = backend.device
    assert device.target.startswith("sm_")
    assert device.compute_units > 1
    assert device.llc_bytes
    assert device.local_mem_bytes >= 48 * 1024


def test_instances_of_templates_and_64_bit_numbers(backend):
    x = np.random.default_rng(1).standard_normal(4096).astype(np.float32)
    arguments = (Array("x"), Array("y"), Value(1024, "int64"))
    run, buffers = bound(backend, COPY, arguments, (1024,), (256,), {"x": x, "y": 0 * x}, entry="copy<float4>")
    run.enqueue()
    assert run.finish() > 0
    assert np.array_equal(read(buffers["y"], x), x)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint16", "int32", "int64"])
def test_every_number_arrives_as_its_type(backend, dtype):
    kind = {"float16": "__half", "float32": "float", "float64": "double", "int8": "char", "uint16": "unsigned short"}
    c = kind.get(dtype, {"int32": "int", "int64": "long long"}.get(dtype))
    source = f"#include <cuda_fp16.h>\n__global__ void put({c} a, {c} *y, {c} b) {{ y[0] = a; y[1] = b; }}"
    y = np.zeros(2, dtype)
    arguments = (Value(3, dtype), Array("y"), Value(-2 if dtype[0] != "u" else 7, dtype))
    run, buffers = bound(backend, source, arguments, (1,), (1,), {"y": y}, entry="put")
    run.enqueue()
    run.finish()
    assert read(buffers["y"], y).tolist() == [3, 7 if dtype[0] == "u" else -2]


def test_dynamic_shared_memory_beyond_what_is_granted_by_itself(backend):
    source = """__global__ void turn(float *y) {
        extern __shared__ float kept[];
        kept[24575 - threadIdx.x] = threadIdx.x;
        __syncthreads();
        y[threadIdx.x] = kept[24575 - threadIdx.x];
    }"""
    y = np.zeros(256, np.float32)
    run, buffers = bound(backend, source, (Array("y"), Local(98304)), (256,), (256,), {"y": y}, entry="turn")
    run.enqueue()
    run.finish()
    assert np.array_equal(read(buffers["y"], y), np.arange(256, dtype=np.float32))


def test_a_launch_takes_the_same_time_alone_in_a_batch_and_in_a_graph(backend):
    y = np.zeros(8, np.float32)
    run, _ = bound(backend, SPIN, (Array("y"), Value(9000, "int64")), (32,), (32,), {"y": y}, entry="spin")
    alone = []
    for _ in range(9):
        run.enqueue()
        alone.append(run.finish())
    times = {}
    for name, pace in (("direct", None), ("graph", 5000.0)):
        measured = []
        for _ in range(9):
            run.pace_ns = pace
            for _ in range(130):
                run.enqueue()
            measured.append(run.finish() / 130)
        times[name] = float(np.median(measured))
    print("alone", np.median(alone), times)
    assert run.graphs
    assert times["graph"] == pytest.approx(float(np.median(alone)), rel=0.5)
    assert times["graph"] <= 1.05 * times["direct"]


def test_cold_calls_find_no_cached_data(backend):
    x = np.zeros(1 << 22, np.float32)
    arguments = (Array("x"), Array("y"), Value(1 << 20, "int64"))
    run, _ = bound(backend, COPY, arguments, (1 << 20,), (256,), {"x": x, "y": x}, entry="copy<float4>")

    def median():
        taken = []
        for _ in range(9):
            for _ in range(20):
                run.enqueue()
            taken.append(run.finish() / 20)
        return float(np.median(taken))

    hot = median()
    backend.cold = True
    try:
        cold = median()
    finally:
        backend.cold = False
    print("hot", hot, "cold", cold)
    assert cold > 1.1 * hot


# --- through the engine: faults ------------------------------------------------------------------------------------------


def program(source, entry, *arguments, items=(32,), group=(32,)):
    return Program("cuda", source, (), (Launch(entry, arguments, items, group),), source_name="k.cu")


GOOD = program("__global__ void good(float *y) { y[threadIdx.x] = threadIdx.x; }", "good", Array("y"))
WILD = program("__global__ void wild(float *y) { y[threadIdx.x + (1ll << 40)] = 1; }", "wild", Array("y"))
TRAP = program("__global__ void trap(float *y) { __trap(); }", "trap", Array("y"))


def dataset(engine):
    return engine.dataset("d", {"y": np.full(32, np.nan, np.float32)}, ("y",))


@pytest.mark.parametrize(("bad", "words"), [(WILD, "illegal"), (TRAP, "unspecified launch failure")])
def test_a_device_fault_is_one_outcome_and_the_run_goes_on(engine, bad, words):
    arrays = dataset(engine)
    crashed = engine.execute(bad, arrays)
    assert isinstance(crashed, Crashed)
    print(crashed)
    assert words in crashed.message or "CUDA_ERROR" in crashed.message
    ran = engine.execute(GOOD, arrays)
    assert isinstance(ran, Executed)
    got = ran.arrays["y"][BAND_BYTES:-BAND_BYTES].view(np.float32)
    assert np.array_equal(got, np.arange(32, dtype=np.float32))
    assert engine.restarts == 1


def test_a_refused_launch_leaves_the_worker_alive(engine):
    arrays = dataset(engine)
    large = program("__global__ void good(float *y) {}", "good", Array("y"), items=(4096,), group=(2048,))
    short = program("__global__ void good(float *y, int n) {}", "good", Array("y"))
    assert isinstance(engine.execute(large, arrays), LaunchFailed)
    failed = engine.execute(short, arrays)
    assert isinstance(failed, LaunchFailed)
    assert "takes 2 arguments" in failed.reason
    assert isinstance(engine.execute(GOOD, arrays), Executed)
    assert engine.restarts == 0


def test_what_does_not_compile_says_where(engine):
    failed = engine.build(program("__global__ void good(float *y) {\n  oops;\n}", "good", Array("y")))
    assert isinstance(failed, CompileFailed)
    assert "k.cu(2)" in failed.log
    built = engine.build(GOOD)
    assert isinstance(built, Artifact)
    assert engine.binary(GOOD)[:4] == b"\x7fELF"


def test_the_same_kernel_against_itself_shows_no_difference(engine):
    x = np.random.default_rng(2).standard_normal(1 << 22).astype(np.float32)
    sets = tuple(engine.dataset(f"s{i}", {"x": x, "y": np.zeros_like(x)}, ("y",)) for i in range(4))
    copy = program(
        COPY, "copy<float4>", Array("x"), Array("y"), Value(1 << 20, "int64"), items=(1 << 20,), group=(256,)
    )
    timed = engine.time(TimeRequest(programs=(copy, copy), datasets=sets, rounds=20))
    assert isinstance(timed, Timed)
    per_call = [[s.device_ns / s.calls for one in timed.rounds[2:] for i, s in one.samples if i == c] for c in (0, 1)]
    medians = [float(np.median(times)) for times in per_call]
    print("A/A ns", medians, timed.calls)
    assert medians[0] == pytest.approx(medians[1], rel=0.02)
