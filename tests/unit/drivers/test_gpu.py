"""The CUDA and HIP backends on fake vendor bindings, which run kernels in host memory on a virtual clock."""

import importlib
import os
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from hotloop.drivers.queue import LEAD_CYCLES
from hotloop.engine import layout, rounds
from hotloop.engine.bench import Bench
from hotloop.engine.local import LocalEngine
from hotloop.errors import NoDeviceError
from hotloop.model.outcome import CompileFailed, Crashed, LaunchFailed
from hotloop.model.program import Array, Input, Launch, Local, Program, Value
from hotloop.ports import BAND_BYTES, BuildError, Dataset, Executed, LaunchError, Slot, Timed, TimeRequest
from hotloop.verify.guards import make_banded, overrun, payload_view

FAKES = Path(__file__).parents[2] / "fakes"
OURS = (
    "hotloop.backends.cuda",
    "hotloop.drivers.cuda",
    "hotloop.drivers.nvrtc",
    "hotloop.backends.hip",
    "hotloop.drivers.hip",
)
SAXPY = """
/*fake saxpy: y[:n] = a * x[:n] + y[:n]*/
/*time saxpy: 3000*/
extern "C" __global__ void saxpy(float a, const float *__restrict__ x, float *y, int n) {}
"""
ARGUMENTS = (Value(2.0, "float32"), Array("x"), Array("y"), Value(100, "int32"))


def _forget():
    """Drop what is built on the vendor's bindings, also where a package keeps it as an attribute."""
    for name in [
        name for name in sys.modules if name in OURS or name.partition(".")[0] in ("cuda", "hip", "virtual_gpu")
    ]:
        del sys.modules[name]
        parent, _, last = name.rpartition(".")
        vars(sys.modules.get(parent, sys)).pop(last, None) if parent else None


@pytest.fixture
def fakes(monkeypatch):
    """Make the fake packages importable, and forget afterwards what was built on them."""
    _forget()
    monkeypatch.syspath_prepend(str(FAKES))
    yield
    _forget()


@pytest.fixture(params=["cuda", "hip"])
def language(request):
    return request.param


@pytest.fixture
def backend(fakes, language):
    made = importlib.import_module(f"hotloop.backends.{language}").BACKEND()
    made.select("")
    return made


@pytest.fixture
def gpu(backend, language):
    """Return the virtual GPU under the backend."""
    name = "cuda.bindings._shared" if language == "cuda" else "hip.hip"
    return sys.modules[name].GPU


@pytest.fixture
def died(monkeypatch):
    """Turn the end of the process into an exception with its last words."""

    class DiedError(BaseException):
        pass

    def die(message):
        raise DiedError(message)

    monkeypatch.setattr("hotloop.drivers.queue.die", die)
    return DiedError


def program(language, source=SAXPY, arguments=ARGUMENTS, items=(256,), group=(128,), options=(), entry="saxpy"):
    return Program(language, source, options, (Launch(entry, arguments, items, group),), source_name="k.cu")


def loaded(backend, **arrays):
    buffers = {name: backend.allocate(array.nbytes + 2 * BAND_BYTES) for name, array in arrays.items()}
    for name, array in arrays.items():
        buffers[name].write(np.pad(array.view(np.uint8), BAND_BYTES))
    return buffers


def payload(buffer, count):
    banded = np.empty(4 * count + 2 * BAND_BYTES, np.uint8)
    buffer.read(banded)
    assert not banded[:BAND_BYTES].any()
    return banded[BAND_BYTES:-BAND_BYTES].view(np.float32)


def test_a_device_is_described_and_chosen_by_any_part_of_its_name(backend, language):
    (device,) = backend.devices()
    assert (device.backend, device.kind, device.compute_units, device.local_mem_dedicated) == (language, "gpu", 4, True)
    assert device.target == {"cuda": "sm_90", "hip": "gfx942"}[language]
    assert device.llc_bytes == 1 << 20
    assert device.group_extents == {"cuda": (1024, 1024, 64), "hip": ()}[language]
    assert device.grid_extents == {"cuda": (2**31 - 1, 65535, 65535), "hip": ()}[language]
    assert backend.select("VIRTUAL") == backend.select("#0") == device
    with pytest.raises(
        NoDeviceError, match=rf"no {language} device matches 'other'; listed devices: {language}:Virtual"
    ):
        backend.select("other")


def test_a_device_that_computes_nonsense_is_not_used(backend, monkeypatch):
    monkeypatch.setattr(sys.modules["virtual_gpu"], "KNOWN", "/*fake probe: y[:n] = 0*/")
    backend._built.clear()
    with pytest.raises(NoDeviceError, match="computes wrong results"):
        backend.select("")


def test_a_kernel_gets_its_arguments_and_only_the_payload(backend, language):
    x, y = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
    buffers = loaded(backend, x=x, y=y)
    bound = backend.bind(program(language), buffers)
    bound.enqueue()
    assert bound.finish() == pytest.approx(3500, rel=0.02)
    assert np.array_equal(payload(buffers["y"], 100), 2 * x + 1)
    assert dict(bound.phases()) == {"main": pytest.approx(3500, rel=0.02)}
    assert bound.finish() == 0.0


def test_phases_of_several_launches_are_told_apart(backend, language):
    source = SAXPY + "/*time clear: 500*/ __global__ void clear(float *y) {}"
    launches = (Launch("clear", (Array("y"),), (1,), (1,), "clear"), *program(language).launches)
    made = Program(language, source, (), launches)
    bound = backend.bind(made, loaded(backend, x=np.ones(100, np.float32), y=np.ones(100, np.float32)))
    bound.enqueue()
    bound.finish()
    assert dict(bound.phases()) == {"clear": pytest.approx(1000, rel=0.02), "main": pytest.approx(3500, rel=0.02)}


def test_a_batch_is_timed_as_a_whole_and_short_launches_come_from_graphs(backend, language, gpu):
    sets = [loaded(backend, x=np.ones(100, np.float32), y=np.ones(100, np.float32)) for _ in range(2)]
    first, second = (backend.bind(program(language), buffers) for buffers in sets)
    before = gpu.launches
    for number in (7, 130):  # the pace is known after the first batch
        for call in range(number):
            (first, second)[call % 2].enqueue()
        spent = [first.finish(), second.finish()]
        assert sum(spent) == pytest.approx(3500 * number, rel=0.02)
    assert gpu.launches == before + 137 + 2  # each batch stands behind a lead
    assert len(first.graphs) == 2  # sixty calls twice, and the rest
    assert not second.graphs
    assert first.phases() == {}
    # y took part in every call: nothing was left out and nothing ran twice
    assert np.array_equal(payload(sets[0]["y"], 100), np.full(100, 1.0 + 2 * (4 + 65), np.float32))


def test_a_batch_is_submitted_while_the_device_still_waits(backend, language, gpu, monkeypatch):
    """Else the host's time for submitting it counts: more for a graph than for launches, and much in a batch of two short calls."""
    driver, order = backend._driver, []
    bound = backend.bind(program(language), loaded(backend, x=np.ones(100, "f4"), y=np.ones(100, "f4")))
    for name in ("record", "launch", "replay"):
        does = getattr(driver, name)
        monkeypatch.setattr(
            driver, name, lambda *given, does=does, name=name, **more: order.append(name) or does(*given, **more)
        )
    for _ in range(2):  # the second one from a graph
        order.clear()
        begin_ns = gpu.now_ns
        bound.enqueue()
        bound.enqueue()
        assert bound.finish() == pytest.approx(2 * 3500, rel=0.02)
        assert gpu.now_ns - begin_ns == pytest.approx(2 * 3500 + 500 + LEAD_CYCLES / 2, rel=0.02)
        assert order[order.index("record") - 1] == "launch"
    assert order[order.index("record") :] == ["record", "replay", "record"]


def test_long_launches_are_submitted_one_by_one(backend, language):
    source = SAXPY.replace("3000", "90000")
    bound = backend.bind(program(language, source), loaded(backend, x=np.ones(100, "f4"), y=np.ones(100, "f4")))
    for _ in range(2):
        for _ in range(70):
            bound.enqueue()
        bound.finish()
    assert not bound.graphs


def test_cold_calls_each_follow_an_eviction_that_leaves_nothing_to_write_back(backend, language, gpu):
    bound = backend.bind(program(language), loaded(backend, x=np.ones(100, np.float32), y=np.ones(100, np.float32)))
    backend.cold = True
    begin_ns = gpu.now_ns
    for _ in range(10):
        bound.enqueue()
    assert bound.finish() == pytest.approx(35_000, rel=0.02)
    assert gpu.now_ns - begin_ns == pytest.approx(10 * (3_500 + 30_000), rel=0.02)
    assert bound.pace_ns == pytest.approx(3_500, rel=0.02)


def test_graphs_and_memory_are_freed(backend, language, gpu):
    held = len(gpu.held)
    bound = backend.bind(program(language), loaded(backend, x=np.ones(100, np.float32), y=np.ones(100, np.float32)))
    assert len(gpu.held) == held + 2
    del bound
    assert len(gpu.held) == held


def test_a_kernel_that_is_bound_to_many_sets_is_asked_for_once(backend, language, monkeypatch):
    asked, driver = [], backend._driver
    ask = driver.function
    monkeypatch.setattr(driver, "function", lambda *given: asked.append(given) or ask(*given))
    x, y = np.arange(100, dtype=np.float32), np.ones(100, np.float32)
    made = [loaded(backend, x=x + number, y=y) for number in range(3)]
    bound = [backend.bind(program(language), buffers) for buffers in made]
    asked_before = len(asked)
    for one in bound:
        one.enqueue()
        one.finish()
    for number, buffers in enumerate(made):
        np.testing.assert_array_equal(payload(buffers["y"], 100), 2 * (x + number) + 1)
    backend.bind(program(language), made[0])
    assert len(asked) == asked_before <= 2  # when it is loaded, and when it is bound


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int16", "uint32", "int64"])
def test_numbers_are_passed_as_their_type(backend, language, dtype):
    c = {
        "float16": "half",
        "float32": "float",
        "float64": "double",
        "int16": "short",
        "uint32": "unsigned",
        "int64": "long long",
    }
    source = f"/*fake put: y[0] = v*/ __global__ void put({c[dtype]} v, {c[dtype]} *y) {{}}"
    buffers = loaded(backend, y=np.zeros(8, dtype))
    bound = backend.bind(program(language, source, (Value(5, dtype), Array("y")), (1,), (1,), entry="put"), buffers)
    bound.enqueue()
    bound.finish()
    banded = np.empty(8 * np.dtype(dtype).itemsize + 2 * BAND_BYTES, np.uint8)
    buffers["y"].read(banded)
    assert banded[BAND_BYTES:-BAND_BYTES].view(dtype)[0] == 5


def test_macros_reach_the_text_and_other_options_the_compiler(backend, language):
    source = "/*fake put: y[:] = WIDTH*/ __global__ void put(float *y) {}"
    buffers = loaded(backend, y=np.zeros(4, np.float32))
    bound = backend.bind(program(language, source, (Array("y"),), (1,), (1,), ("-DWIDTH=7", "-O3"), "put"), buffers)
    bound.enqueue()
    bound.finish()
    assert payload(buffers["y"], 4).tolist() == [7, 7, 7, 7]


def test_what_cannot_be_built_or_launched(backend, language):
    with pytest.raises(BuildError, match=r"k\(\d+\): error"):
        backend.build(program(language, SAXPY + "undeclared"))
    with pytest.raises(BuildError, match="missing"):
        backend.build(program(language, entry="missing"))
    buffers = loaded(backend, x=np.ones(100, np.float32), y=np.ones(100, np.float32))
    for bad, words in (
        (program(language, group=(2048,), items=(2048,)), "2048 threads, the device takes 1024"),
        (program(language, arguments=(*ARGUMENTS[:3], Input("n", "int32"))), "n has no value"),
        (program(language, arguments=(Value(1e400, "int32"), *ARGUMENTS[1:])), "cannot be passed as int32"),
        (program(language, items=(1, 1, 1, 1), group=(1, 1, 1, 1)), "at most 3 dimensions"),
        (program(language, arguments=(*ARGUMENTS, Local(1 << 20))), "INVALID_VALUE|InvalidValue"),
    ):
        with pytest.raises(LaunchError, match=words):
            launch(backend, bad, buffers)
    with pytest.raises(LaunchError, match="cannot allocate"):
        backend.allocate(1 << 40)


def launch(backend, made, buffers):
    bound = backend.bind(made, buffers)
    bound.enqueue()
    bound.finish()


def test_arguments_that_the_kernel_does_not_have(fakes):
    cuda = importlib.import_module("hotloop.backends.cuda").BACKEND()
    buffers = loaded(cuda, x=np.ones(100, np.float32), y=np.ones(100, np.float32))
    with pytest.raises(LaunchError, match="saxpy takes 4 arguments, the kernel's inputs give 3"):
        cuda.bind(program("cuda", arguments=ARGUMENTS[:3]), buffers)
    wide = (Value(2.0, "float64"), *ARGUMENTS[1:])
    with pytest.raises(LaunchError, match="argument 1 of saxpy has 4 B in the kernel, 8 B in its inputs"):
        cuda.bind(program("cuda", arguments=wide), buffers)


def test_an_empty_problem_launches_nothing(backend, language, gpu):
    bound = backend.bind(program(language, items=(0,)), loaded(backend, x=np.ones(1, "f4"), y=np.ones(1, "f4")))
    before = gpu.launches
    bound.enqueue()
    assert bound.finish() == 0.0
    assert gpu.launches == before


def test_a_fault_ends_the_process_with_the_drivers_words(backend, language, died):
    source = SAXPY.replace("y[:n] = a * x[:n] + y[:n]", "fault()")
    bound = backend.bind(program(language, source), loaded(backend, x=np.ones(100, "f4"), y=np.ones(100, "f4")))
    bound.enqueue()
    with pytest.raises(died, match="ILLEGAL_ADDRESS|IllegalAddress"):
        bound.finish()


# --- through the engine ----------------------------------------------------------------------------------------------


@pytest.fixture
def engine(language):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(FAKES), *sys.path])}
    with LocalEngine(environment, run_limit_s=20) as made:
        made.select("", language)
        yield made


def test_a_fault_is_one_outcome_and_the_run_goes_on(engine, language):
    arrays = {"x": np.ones(100, np.float32), "y": np.ones(100, np.float32)}
    dataset = engine.dataset("d", arrays, ("y",))
    bad = program(language, SAXPY.replace("y[:n] = a * x[:n] + y[:n]", "fault()"))
    crashed = engine.execute(bad, dataset)
    assert isinstance(crashed, Crashed)
    assert crashed.signal is None
    assert "saxpy" in crashed.message
    ran = engine.execute(program(language), dataset)
    assert isinstance(ran, Executed)
    assert engine.restarts == 1
    assert isinstance(engine.build(program(language, SAXPY + "undeclared")), CompileFailed)
    assert isinstance(engine.execute(program(language, group=(2048,), items=(2048,)), dataset), LaunchFailed)
    assert engine.restarts == 1


LARGE = 1 << 20
"""Elements of arrays whose files stay mapped and pinned."""


def test_large_arrays_come_and_go_through_pinned_files(engine, language):
    arguments = (*ARGUMENTS[:3], Value(LARGE, "int32"))
    for count, name in ((LARGE, "d"), (LARGE, "e"), (LARGE + 512, "f"), (LARGE, "g")):
        x, y = np.full(count, len(name), np.float32), np.arange(count, dtype=np.float32)
        dataset = engine.dataset(name, {"x": x, "y": y}, ("y",))
        for _ in range(2):  # the second run finds what the first one wrote restored
            ran = engine.execute(program(language, arguments=arguments), dataset)
            assert isinstance(ran, Executed)
            after = payload_view(ran.arrays["y"], "float32", (count,))
            assert np.array_equal(after[:LARGE], 2 * x[:LARGE] + y[:LARGE])
            assert np.array_equal(after[LARGE:], y[LARGE:])
            assert overrun(ran.arrays["y"]) is None
        engine.discard(dataset)
    assert engine.restarts == 0


def test_the_next_candidate_runs_while_large_results_are_copied_and_spoils_none(engine, language, monkeypatch):
    read, copying, ran_next = layout.read, threading.Event(), threading.Event()
    in_time, found = [], []

    def slow(arena, file, *given):
        if threading.current_thread() is first:
            copying.set()
            in_time.append(ran_next.wait(20))
        return read(arena, file, *given)

    def run(factor):
        arguments = (Value(factor, "float32"), *ARGUMENTS[1:3], Value(LARGE, "int32"))
        ran = engine.execute(program(language, arguments=arguments), dataset)
        assert isinstance(ran, Executed)
        found.append((factor, float(payload_view(ran.arrays["y"], "float32", (LARGE,))[-1])))

    dataset = engine.dataset("d", {"x": np.ones(LARGE, np.float32), "y": np.zeros(LARGE, np.float32)}, ("y",))
    monkeypatch.setattr(layout, "read", slow)
    first = threading.Thread(target=run, args=(3.0,))
    first.start()
    assert copying.wait(20)
    run(5.0)
    ran_next.set()
    first.join()
    assert (in_time, found) == ([True], [(5.0, 5.0), (3.0, 3.0)])


def test_a_bench_pins_large_files_and_lets_them_go(backend, language, gpu, tmp_path):
    bench = Bench(tmp_path, "")
    bench.adopt(language, backend, backend.device)
    make_banded(np.ones(LARGE, np.float32)).tofile(tmp_path / "s.0.in")
    make_banded(np.ones(9, np.float32)).tofile(tmp_path / "s.1.in")
    slots = (
        Slot("x", "float32", (LARGE,), "s.0.in", output=False, input=True),
        Slot("y", "float32", (9,), "s.1.in", output=True, input=True),
    )
    dataset, run = Dataset("s", slots), program(language, arguments=(*ARGUMENTS[:3], Value(9, "int32")))
    bench.bind(run, dataset)
    assert list(gpu.pinned.values()) == [4 * LARGE + 2 * BAND_BYTES]
    assert bench.lands(run, dataset)
    bench.save(run, dataset, layout.LANDED[0])
    assert len(gpu.pinned) == 2
    assert (tmp_path / layout.LANDED[0]).stat().st_size == layout.results(run, dataset).total_bytes
    bench.discard("s")
    assert len(gpu.pinned) == 1


def test_a_bench_refuses_what_cannot_be_launched_before_it_loads_arrays(backend, language, tmp_path):
    bench = Bench(tmp_path, "")
    bench.adopt(language, backend, backend.device)
    slots = (Slot("x", "float32", (9,), "no such file", output=False, input=True),)
    with pytest.raises(LaunchError, match="of local memory for each group"):
        bench.bind(program(language, arguments=(*ARGUMENTS, Local(1 << 30))), Dataset("s", slots))


def test_interleaved_rounds_on_the_devices_own_clock(engine, language):
    sets = tuple(
        engine.dataset(f"s{i}", {"x": np.ones(100, np.float32), "y": np.ones(100, np.float32)}, ("y",))
        for i in range(3)
    )
    slow = program(language, SAXPY.replace("3000", "8000"))
    timed = engine.time(TimeRequest(programs=(program(language), slow), datasets=sets, rounds=4, calls=(20, 20)))
    assert isinstance(timed, Timed)
    times = {0: [], 1: []}
    for one in timed.rounds:
        for index, sample in one.samples:
            times[index].append(sample.device_ns / sample.calls)
    assert np.median(times[0]) == pytest.approx(3500, rel=0.02)
    assert np.median(times[1]) == pytest.approx(8500, rel=0.02)


def test_cold_requests_time_each_call_behind_an_eviction_and_leave_nothing_behind(backend, language, gpu, tmp_path):
    bench = Bench(tmp_path, "")
    bench.adopt(language, backend, backend.device)
    make_banded(np.ones(100, np.float32)).tofile(tmp_path / "in")
    slots = tuple(Slot(n, "float32", (100,), "in", output=n == "y", input=True) for n in "xy")
    spent_ns, own_ns = [], []
    for mode in ("rotated", "cold", "rotated"):
        request = TimeRequest(
            programs=(program(language),), datasets=(Dataset("s", slots),), rounds=3, calls=(20,), mode=mode
        )
        begin_ns = gpu.now_ns
        timed = rounds.run(bench, request)
        spent_ns.append(gpu.now_ns - begin_ns)
        own_ns += [sample.device_ns / 20 for one in timed.rounds for _, sample in one.samples]
    # The host's own time is in these sums, too, and on a busy machine it is a part of an eviction.
    evictions_ns = 6 * 20 * 30_000
    assert 0.85 * evictions_ns < spent_ns[1] - spent_ns[0] < 1.5 * evictions_ns
    assert abs(spent_ns[2] - spent_ns[0]) < 0.5 * evictions_ns
    assert own_ns == pytest.approx([3500] * 18, rel=0.03)
    assert not backend.cold


def test_what_another_process_compiled_is_loaded_and_not_compiled_again(backend, language):
    program = Program(language, SAXPY, (), (Launch("saxpy", ARGUMENTS, (128,), (64,)),))
    artifact, exported = backend.build(program), backend.export(program)
    other = importlib.import_module(f"hotloop.backends.{language}").BACKEND()
    other.select("")
    other.adopt(program, exported, artifact)
    assert other.build(program) is artifact
    assert other.binary(program) == backend.binary(program)
    buffers = {name: other.allocate(400 + 2 * BAND_BYTES) for name in "xy"}
    for name, value in (("x", 3.0), ("y", 1.0)):
        buffers[name].write(np.pad(np.full(100, value, np.float32).view(np.uint8), BAND_BYTES))
    bound = other.bind(program, buffers)
    bound.enqueue()
    bound.finish()
    banded = np.empty(400 + 2 * BAND_BYTES, np.uint8)
    buffers["y"].read(banded)
    assert (banded[BAND_BYTES:-BAND_BYTES].view(np.float32) == 7.0).all()
