"""The engine against candidates that misbehave: on the fake device, and on a real OpenCL runtime where there is one."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pytest

from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.run import checking, timing
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.session import worker_environment
from hotloop.backends.null import DEVICE
from hotloop.engine.local import LocalEngine
from hotloop.errors import MachineError, NoDeviceError, UsageError
from hotloop.host import arena as arenas
from hotloop.host.clock import SystemClock
from hotloop.model.check import CheckReport
from hotloop.model.codec import encode
from hotloop.model.kernel import Empty, Implementation, Kernel, Variant
from hotloop.model.outcome import Artifact, CompileFailed, Crashed, LaunchFailed, TimedOut, WrongResult
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Array, Launch, Local, Program, Scratch, Value
from hotloop.model.record import Record
from hotloop.model.space import Config, Space
from hotloop.ports import BAND_BYTES, Executed, Run, Timed, TimeRequest
from hotloop.verify.guards import overrun

N = 1000
LIMIT_S, OPENCL_LIMIT_S = 2.0, 5.0
"""What hangs is waited for so long; on a busy machine a healthy candidate stands still for tenths of a second too."""


def null_program(fault="", call_ns=1e6, compute="copy", scratch=()):
    recipe = {"compute": compute, "call_ns": call_ns, "noise": 0.001, "fault": fault}
    arguments = (Array("x"), Array("y")) if compute == "copy" else (Value(2.0, "float32"), Array("x"), Array("y"))
    return Program("null", json.dumps(recipe), launches=(Launch(compute, arguments, (N,)),), scratch=scratch)


X_AND_Y = (Array("x"), Array("y"))


def opencl_program(body, arguments=X_AND_Y, local_size=None, options=(), size=1024):
    head = (
        f"__kernel void k(__global float *x, __global float *y{', __local float *t' if len(arguments) > 2 else ''}) {{"
    )
    source = f"{head}\n    const int i = get_global_id(0);\n    {body}\n}}"
    return Program("opencl", source, options, (Launch("k", arguments, (size,), local_size),))


def copy_kernel(program):
    """Return a kernel `y = x` of one variant, whose program is given."""
    implementation = Implementation("planted", program.language, Space(()), Config(), lambda p, c, d: program)
    problem = Problem("copy", Record(n=N))
    return Kernel(
        family="copy",
        problem=problem,
        inputs=lambda p, rng: {"x": rng.standard_normal(N, "f4"), "y": Empty((N,))},
        reference=lambda p, i: {"y": i["x"].astype("f8")},
        work=lambda p: Work(0, 8 * N),
        implementations=(implementation,),
    )


class Bench:
    """An engine with what the tests ask of it."""

    def __init__(self, language, limit_s=LIMIT_S, environment=None):
        environment = environment or worker_environment()
        self.engine = LocalEngine(environment, build_limit_s=limit_s, run_limit_s=limit_s)
        self.device = self.engine.select("", language)
        self._dataset = None

    @property
    def dataset(self):
        if self._dataset is None:
            x = np.arange(N, dtype=np.float32)
            self._dataset = self.engine.dataset("set", {"x": x, "y": Empty((N,))}, ("y",))
        return self._dataset

    def execute(self, program):
        return self.engine.execute(program, self.dataset)

    def verify(self, program):
        """Return what the whole verification says about a program that should copy x to y."""
        kernel = copy_kernel(program)
        desk = Desk(self.engine, self.device, MemoryJournal(), SystemClock())
        workload = Workload(self.engine, kernel, kernel.problem, self.device)
        variant = Variant(kernel.implementations[0], Config())
        return checking.check(desk, workload, workload.subject(variant)).answer

    def healthy(self, program):
        """Tell whether the next candidate after a failure is served as if nothing had happened."""
        answer = self.execute(program)
        assert isinstance(answer, Executed), answer
        y = answer.arrays["y"][BAND_BYTES:-BAND_BYTES].view(np.float32)
        return bool(np.array_equal(y, np.arange(N, dtype=np.float32)))


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def arenas_left(root):
    return [path for path in Path(root).iterdir() if path.name.startswith("hotloop-")]


@pytest.fixture(scope="module")
def null():
    bench = Bench("null")
    with contextlib.closing(bench.engine):
        yield bench


@pytest.fixture(scope="module")
def opencl():
    try:
        bench = Bench("opencl", limit_s=OPENCL_LIMIT_S)
    except (NoDeviceError, MachineError) as reason:
        pytest.skip(f"no OpenCL device works here: {reason}")
    with contextlib.closing(bench.engine):
        yield bench


HEALTHY = null_program()


# --- the fake device -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("crash", Crashed("execute", signal.SIGSEGV, "Segmentation fault")),
        ("abort", Crashed("execute", signal.SIGABRT, "Aborted")),
        ("hang", TimedOut("execute", 2 * LIMIT_S)),
        ("refuse", LaunchFailed("out of resources")),
        ("compile", CompileFailed("1:3:5: error: planted compile error", 3)),
    ],
)
def test_failures_of_a_run_are_typed_outcomes_and_the_next_candidate_runs(null, fault, expected):
    assert null.execute(null_program(fault)) == expected
    assert null.healthy(HEALTHY)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("compile", CompileFailed("1:3:5: error: planted compile error", 3)),
        ("compile-hang", TimedOut("build", LIMIT_S)),
    ],
)
def test_failures_of_a_build_are_typed_outcomes(null, fault, expected):
    assert null.engine.build(null_program(fault)) == expected
    assert isinstance(null.engine.build(HEALTHY), Artifact)


@pytest.mark.parametrize("fault", ["crash", "hang"])
def test_failures_while_timing_name_that_stage(null, fault):
    bad = null_program(fault)
    request = TimeRequest(programs=(HEALTHY, bad), datasets=(null.dataset,), rounds=1, target_sample_ns=1e6)
    answer = null.engine.time(request)
    assert isinstance(answer, Crashed if fault == "crash" else TimedOut)
    assert answer.stage == "time"
    assert isinstance(null.engine.outputs(HEALTHY, null.dataset), LaunchFailed)
    assert null.healthy(HEALTHY)


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("wrong", r"y\[\d+\]: got .* expected"),
        ("silent", "y.*never written|poison|NaN"),
        ("overrun", r"canary after y overwritten at \+64 B"),
        ("mutate", r"input x changed at \[0\]"),
    ],
)
def test_wrong_results_are_found_by_the_check(null, fault, reason):
    answer = null.verify(null_program(fault))
    assert isinstance(answer, WrongResult)
    assert re.search(reason, answer.check.summary), answer.check.summary
    assert isinstance(null.verify(HEALTHY), CheckReport)


def test_a_flood_of_output_neither_blocks_nor_fills_memory(null):
    assert null.healthy(null_program("flood"))
    assert len(null.engine._child.tail) <= 64 * 1024


def test_a_worker_that_died_idle_is_not_blamed_on_the_next_candidate(null):
    restarts = null.engine.restarts
    os.kill(null.engine.worker_pid, signal.SIGKILL)
    os.waitid(os.P_PID, null.engine.worker_pid, os.WEXITED | os.WNOWAIT)
    assert null.healthy(HEALTHY)
    assert null.engine.restarts == restarts + 1


def test_timing_gives_every_contender_twice_a_round_in_turns(null):
    slow = null_program(call_ns=2e6)
    request = TimeRequest(programs=(HEALTHY, slow), datasets=(null.dataset,), rounds=2, target_sample_ns=4e6)
    timed = null.engine.time(request)
    assert isinstance(timed, Timed)
    assert [[index for index, _ in one.samples] for one in timed.rounds] == [[0, 1, 1, 0], [1, 0, 0, 1]]
    assert timed.calls == (4, 2)
    times = {i: [s.call_ns for r in timed.rounds for j, s in r.samples if j == i] for i in (0, 1)}
    assert np.allclose(times[0], 1e6, rtol=0.02)
    assert np.allclose(times[1], 2e6, rtol=0.02)
    left = null.engine.outputs(slow, null.dataset)
    assert isinstance(left, Executed)
    assert set(left.arrays) == {"x", "y"}


def test_read_and_written_arrays_start_every_sample_afresh(null):
    x = np.ones(N, np.float32)
    dataset = null.engine.dataset("inout", {"x": x, "y": np.zeros(N, np.float32)}, ("y",))
    program = null_program(compute="axpy")
    request = TimeRequest(programs=(program,), datasets=(dataset,), rounds=3, target_sample_ns=5e6)
    assert isinstance(null.engine.time(request), Timed)
    left = null.engine.outputs(program, dataset)
    null.engine.discard(dataset)
    assert np.array_equal(left.arrays["y"][BAND_BYTES:-BAND_BYTES].view(np.float32), 2 * x)


def test_scratch_areas_come_back_as_their_bands(null):
    answer = null.execute(null_program(scratch=(Scratch("t", 256),)))
    assert answer.arrays["scratch:t"].size == 2 * BAND_BYTES
    assert overrun(answer.arrays["scratch:t"]) is None


def test_requests_that_cannot_be_met_are_errors_not_outcomes(null):
    with pytest.raises(UsageError, match="unknown backend 'magic'"):
        null.engine.select("", "magic")
    assert null.healthy(HEALTHY)


def test_closing_leaves_no_process_and_no_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    bench = Bench("null")
    bench.execute(null_program("hang"))
    bench.execute(HEALTHY)
    pid = bench.engine.worker_pid
    assert arenas_left(tmp_path)
    bench.engine.close()
    bench.engine.close()
    assert not alive(pid)
    assert not arenas_left(tmp_path)


def test_ctrl_c_while_waiting_kills_the_worker_so_that_no_old_answer_is_taken_for_a_new_one(null):
    pid = null.engine.worker_pid or (null.healthy(HEALTHY) and null.engine.worker_pid)
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            null.execute(null_program("hang"))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert not alive(pid)
    assert null.healthy(HEALTHY)


PARENT = """
import sys, json
sys.path.insert(0, {here!r})
import test_engine as t
bench = t.Bench("null", limit_s=30.0)
print(bench.engine.worker_pid, flush=True)
bench.execute(t.null_program({fault!r}))
sys.stdin.read()
"""


@pytest.mark.parametrize("fault", ["", "hang"])
def test_a_killed_parent_takes_its_worker_along_and_the_next_start_sweeps_its_arena(tmp_path, monkeypatch, fault):
    code = PARENT.format(here=str(Path(__file__).parent), fault=fault)
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
    ) as parent:
        worker = int(parent.stdout.readline())
        time.sleep(0.2)
        parent.kill()
        parent.wait()
        killed_s = time.monotonic()
        while alive(worker) and time.monotonic() - killed_s < 60:
            time.sleep(0.02)
    assert not alive(worker)
    assert len(arenas_left(tmp_path)) == 1
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    arena = arenas.Arena.create()
    try:
        assert arenas_left(tmp_path) == [arena.path]
    finally:
        arena.remove()


def test_arrays_that_do_not_fit_are_refused_before_they_are_written(null):
    with pytest.raises(UsageError, match="free; choose a smaller shape"):
        null.engine.dataset("huge", {"y": Empty((1 << 50,))}, ("y",))


# --- a worker that is not honest ------------------------------------------------------------------------------------

LIAR = """
import json, os, signal, socket, struct, sys, time
from hotloop.host.process import receive, send
signal.signal(signal.SIGTERM, signal.SIG_IGN)
channel = socket.socket(fileno=int(sys.argv[1]))
receive(channel)
send(channel, {"pid_alive_s": 1.0})
while True:
    message = receive(channel)
    if message["op"] == "select":
        send(channel, {"device": json.loads(os.environ["DEVICE"])})
        continue
    lie = os.environ["LIE"]
    if lie == "raw":
        channel.sendall(bytes.fromhex(os.environ["RAW"]))
    elif lie == "stall":
        channel.sendall(struct.pack("!I", 1000) + b"{")
    elif lie == "close":
        channel.close()
    else:
        send(channel, json.loads(lie))
    time.sleep(60)
"""
SAMPLE = {"wall_ns": 1, "calls": 1}
HUGE = (2**32 - 1).to_bytes(4, "big")


def framed(body):
    return (len(body).to_bytes(4, "big") + body).hex()


@pytest.fixture
def liar(tmp_path, monkeypatch):
    """Return an engine whose worker is a script that lies."""
    (tmp_path / "lying_worker.py").write_text(LIAR)
    monkeypatch.setattr("hotloop.engine.local.WORKER", "lying_worker")
    made = []

    def start(**environment):
        device = json.dumps(encode(DEVICE))
        path = os.pathsep.join([str(tmp_path), *sys.path])
        made.append(Bench("null", environment={**os.environ, "PYTHONPATH": path, "DEVICE": device, **environment}))
        return made[-1]

    yield start
    for bench in made:
        bench.engine.close()


@pytest.mark.parametrize(
    "raw",
    [
        framed(b"\xff\xfe not text"),
        framed(b"{broken"),
        framed(b"[1, 2]"),
        framed(b"[" * 30_000),
        HUGE.hex(),
        framed(b'{"files": {}, "device_ns": 1' + b"0" * 5000 + b"}"),
    ],
    ids=["bytes", "json", "list", "deep", "too-long", "endless-number"],
)
def test_garbled_answers_are_crashes_of_the_candidate(liar, raw):
    bench = liar(LIE="raw", RAW=raw)
    pid = bench.engine.worker_pid
    answer = bench.execute(HEALTHY)
    assert isinstance(answer, Crashed)
    assert answer.stage == "execute"
    assert not alive(pid)


@pytest.mark.parametrize(
    ("op", "answer"),
    [
        ("build", {}),
        ("build", {"artifact": {"build_key": 3}}),
        ("build", {"failure": 7}),
        ("execute", {"device_ns": 1.0}),
        ("execute", {"failure": {"is": "Imaginary"}}),
        ("execute", {"failure": {"is": "LaunchFailed"}}),
        ("time", {"timed": {"rounds": [], "calls": []}}),
        ("time", {"timed": {"rounds": [{"samples": [[5, SAMPLE], [5, SAMPLE]]}], "calls": [1]}}),
        ("time", {"timed": {"rounds": [{"samples": [[0, SAMPLE]]}], "calls": [1]}}),
        ("time", {"timed": {"rounds": [{"samples": [[0, SAMPLE], [0, {"wall_ns": 0, "calls": 0}]]}], "calls": [1]}}),
        (
            "time",
            {"timed": {"rounds": [{"samples": [[0, SAMPLE], [0, {"wall_ns": "nan", "calls": 1}]]}], "calls": [1]}},
        ),
    ],
)
def test_answers_that_make_no_sense_are_crashes_of_the_candidate(liar, op, answer):
    bench = liar(LIE=json.dumps(answer))
    request = TimeRequest(programs=(HEALTHY,), datasets=(bench.dataset,), rounds=1)
    asks = {"build": bench.engine.build, "execute": bench.execute, "time": lambda _: bench.engine.time(request)}
    found = asks[op](HEALTHY)
    assert isinstance(found, Crashed)
    assert found.stage == op


def test_half_an_answer_is_a_timeout_and_ignoring_sigterm_saves_nobody(liar):
    bench = liar(LIE="stall")
    pid = bench.engine.worker_pid
    assert bench.execute(HEALTHY) == TimedOut("execute", 2 * LIMIT_S)
    assert not alive(pid)


def test_a_worker_that_hangs_up_is_a_crash(liar):
    bench = liar(LIE="close")
    pid = bench.engine.worker_pid
    assert bench.execute(HEALTHY) == Crashed("execute", None, "")
    assert not alive(pid)


def test_each_run_of_a_request_has_its_own_limit(null):
    hangs = null_program("hang")
    answers = null.engine.execute_all([Run(program, null.dataset) for program in (HEALTHY, hangs, HEALTHY)])
    assert answers == (TimedOut("execute", 2 * LIMIT_S),)
    assert null.healthy(HEALTHY)


def test_a_run_that_is_not_built_yet_has_the_limit_of_a_build(null):
    assert null.execute(null_program("compile-hang")) == TimedOut("build", LIMIT_S)
    assert null.healthy(HEALTHY)


def test_runs_end_with_the_first_that_fails(null):
    refused = null_program("refuse")
    answers = null.engine.execute_all([Run(program, null.dataset) for program in (HEALTHY, refused, HEALTHY)])
    assert [type(answer).__name__ for answer in answers] == ["Executed", "LaunchFailed"]


# --- a real OpenCL runtime -------------------------------------------------------------------------------------------

COPY = opencl_program(f"if (i < {N}) y[i] = x[i];")
SPIN = "for (volatile int n = 0; n < 10; n = 0) ;"


def test_opencl_copies(opencl):
    assert isinstance(opencl.verify(COPY), CheckReport)


def test_opencl_syntax_error_comes_with_the_line_and_the_compilers_words(opencl):
    answer = opencl.execute(opencl_program("y[i] = undeclared;"))
    assert isinstance(answer, CompileFailed)
    assert answer.line == 3
    assert "undeclared" in answer.log


@pytest.mark.parametrize(("source", "others"), [("__kernel void other() {}", "other"), ("\n", "none at all")])
def test_opencl_missing_entry_is_a_compile_failure(opencl, source, others):
    program = Program("opencl", source, (), (Launch("k", (), (1,)),))
    answer = opencl.engine.build(program)
    assert isinstance(answer, CompileFailed)
    assert f"no kernel named 'k', but {others}" in answer.log


def test_opencl_endless_loop_times_out(opencl, monkeypatch):
    spin = opencl_program(SPIN)
    assert isinstance(opencl.engine.build(spin), Artifact)
    with monkeypatch.context() as short:  # it keeps all cores busy for as long as it may
        short.setattr(opencl.engine, "_build_limit_s", 0.5)
        short.setattr(opencl.engine, "_run_limit_s", 0.5)
        assert opencl.execute(spin) == TimedOut("execute", 1.0)
    assert opencl.healthy(COPY)


@pytest.mark.parametrize(
    "body",
    ["y[i + (1 << 28)] = x[i];", "*(__global float *)(ulong)(i >> 20) = x[i];"],
    ids=["far out of bounds", "null pointer"],
)
def test_opencl_wild_stores_crash_only_the_worker(opencl, body):
    answer = opencl.execute(opencl_program(body))
    assert isinstance(answer, Crashed)
    assert answer.stage == "execute"
    assert answer.signal == signal.SIGSEGV
    assert opencl.healthy(COPY)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (f"if (i < {N}) y[i] = x[i]; if (i == 0) y[{N} + 3] = 1;", r"canary after y overwritten at \+12 B"),
        (f"if (i < {N}) y[i] = x[i]; if (i == 0) y[-1] = 1;", "canary before y overwritten at −"),
        (f"if (i < {N}) y[i] = x[i] * 1.0001f;", r"y\[\d+\]: got"),
        (f"if (i < {N}) y[i] = y[i] * 0 + x[i];", r"y\["),
        (f"if (i < {N} - 1) y[i] = x[i];", rf"y\[{N - 1}\]"),
        (f"if (i < {N}) {{ y[i] = x[i]; x[i] = 0; }}", r"input x changed at \[0\]"),
    ],
    ids=["after", "before", "inaccurate", "reads poison", "forgets one", "changes input"],
)
def test_opencl_wrong_results_say_what_is_wrong(opencl, body, reason):
    answer = opencl.verify(opencl_program(body))
    assert isinstance(answer, WrongResult)
    assert re.search(reason, answer.check.summary), answer.check.summary


def test_opencl_too_much_local_memory_is_refused(opencl):
    arguments = (Array("x"), Array("y"), Local(1 << 30))
    answer = opencl.execute(opencl_program("t[0] = x[i]; y[i] = t[0];", arguments, local_size=(1,)))
    assert isinstance(answer, LaunchFailed), answer


def test_opencl_work_groups_that_are_too_large_are_refused(opencl):
    answer = opencl.execute(opencl_program("if (i == 0) y[0] = x[0];", local_size=(1 << 20,), size=1 << 20))
    assert isinstance(answer, LaunchFailed)
    assert opencl.healthy(COPY)


def test_opencl_arguments_that_do_not_fit_are_refused(opencl):
    program = opencl_program("y[i] = x[i];", arguments=(Array("x"),))
    assert isinstance(opencl.execute(program), LaunchFailed)
    too_large = Program("opencl", "__kernel void k(int n) {}", (), (Launch("k", (Value(2**40, "int32"),), (1,)),))
    assert isinstance(opencl.execute(too_large), LaunchFailed)


def test_opencl_nothing_to_launch_leaves_everything_as_it_was(opencl):
    answer = opencl.execute(opencl_program("y[i] = x[i];", size=0))
    assert isinstance(answer, Executed)
    assert np.isnan(answer.arrays["y"][BAND_BYTES:-BAND_BYTES].view(np.float32)).all()


def test_opencl_no_matching_device_names_those_that_exist(opencl):
    with LocalEngine(worker_environment()) as engine, pytest.raises(NoDeviceError, match="listed devices"):
        engine.select("no such device")


def test_opencl_without_any_runtime_says_what_hides_them(opencl, tmp_path):
    environment = {**worker_environment(), "OCL_ICD_VENDORS": str(tmp_path)}
    with (
        LocalEngine(environment) as engine,
        pytest.raises(NoDeviceError, match=r"OCL_ICD_VENDORS=.* unset OCL_ICD_VENDORS"),
    ):
        engine.select()


def timed_in(null, mode):
    """Measure a healthy copy at a desk of some mode."""
    kernel = copy_kernel(HEALTHY)
    desk = Desk(null.engine, null.device, MemoryJournal(), SystemClock(), mode=mode)
    workload = Workload(null.engine, kernel, kernel.problem, null.device)
    program = workload.program(Variant(kernel.implementations[0], Config()))
    found = timing.measure(desk, workload, program, 2)
    workload.discard()
    return found


@pytest.mark.parametrize("mode", ["rotated", "hot"])
def test_how_warm_the_caches_were_is_recorded_with_the_samples(null, mode):
    found = timed_in(null, mode)
    assert isinstance(found, timing.Alone), found
    measured = found.measured
    assert measured.conditions.mode == mode
    assert ({sample.dataset for sample in measured.samples} == {0}) == (mode == "hot")


def test_a_backend_that_cannot_empty_caches_says_so_in_one_sentence(null):
    with pytest.raises(UsageError, match=r"the null backend cannot empty the device's caches .* use --mode rotated"):
        timed_in(null, "cold")
    assert null.healthy(HEALTHY)
