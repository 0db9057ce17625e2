import json
import subprocess
import sys
import weakref
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from hotloop.backends.null import DEVICE, Null
from hotloop.engine import bench as benches
from hotloop.engine import layout, rounds
from hotloop.engine.answers import last_words
from hotloop.engine.bench import Bench
from hotloop.engine.wire import Sender, heard
from hotloop.engine.worker import Worker, error_line
from hotloop.model.program import Array, Launch, Program, Scratch
from hotloop.ports import BAND_BYTES, Dataset, LaunchError, Slot, TimeRequest
from hotloop.verify.guards import make_banded, overrun

N = 64
LIMITS = {"build_limit_s": 60.0, "run_limit_s": 60.0}


def program(fault="", call_ns=1e5):
    recipe = {"compute": "copy", "call_ns": call_ns, "fault": fault}
    return Program("null", json.dumps(recipe), launches=(Launch("copy", (Array("x"), Array("y")), (N,)),))


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path, "")


@pytest.fixture
def datasets(tmp_path):
    """Return a function that lays out input sets, each filled with its own number."""

    def make(count):
        made = []
        for index in range(count):
            make_banded(np.full(N, index, np.float32)).tofile(tmp_path / f"set{index}.0.in")
            make_banded(shape=(N,), dtype="float32").tofile(tmp_path / f"set{index}.1.in")
            slots = (
                Slot("x", "float32", (N,), f"set{index}.0.in", output=False, input=True),
                Slot("y", "float32", (N,), f"set{index}.1.in", output=True, input=False),
            )
            made.append(Dataset(f"set{index}", slots))
        return tuple(made)

    return make


def payload(path, program, dataset, name="y"):
    place = layout.results(program, dataset).places[name]
    return np.fromfile(path, np.uint8)[place][BAND_BYTES:-BAND_BYTES].view(np.float32)


def execute(*asked):
    """Return the message that asks for runs of (program, dataset)."""
    sender = Sender()
    programs = [sender.program(program) for program, _ in asked]
    runs = [(number, sender.dataset(dataset), "", "") for number, (_, dataset) in enumerate(asked)]
    return {"op": "execute", "programs": programs, "runs": runs, **LIMITS, **sender.news()}


def timing(request):
    """Return the message that asks for a timing."""
    sender = Sender()
    programs = [sender.program(program) for program in request.programs]
    datasets = sender.datasets(request.datasets)
    names = ("rounds", "target_sample_ns", "calls", "warmup_ns", "mode", "judged", "suspects", "metered")
    plain = {name: getattr(request, name) for name in names}
    return {"op": "time", "programs": programs, "datasets": datasets, **plain, **sender.news()}


def test_a_run_leaves_its_arrays_in_files(bench, datasets, tmp_path):
    (dataset,) = datasets(1)
    answer = Worker(bench).handle(execute((program(), dataset), (program(call_ns=2e5), dataset)))
    assert answer == {"runs": [{"device_ns": 1e5}, {"device_ns": 2e5}]}
    saved = layout.results(program(), dataset)
    whole = np.fromfile(tmp_path / layout.RUNS, np.uint8)
    assert whole.size == 2 * saved.total_bytes
    for number in (0, 1):
        (tmp_path / "one").write_bytes(whole[number * saved.total_bytes :][: saved.total_bytes].tobytes())
        assert np.array_equal(payload(tmp_path / "one", program(), dataset), np.zeros(N))


def test_the_next_request_leaves_nothing_of_the_one_before(bench, datasets, tmp_path):
    worker, (dataset,) = Worker(bench), datasets(1)
    worker.handle(execute((program(), dataset), (program(call_ns=2e5), dataset)))
    worker.handle(execute((program(), dataset)))
    assert (tmp_path / layout.RUNS).stat().st_size == layout.results(program(), dataset).total_bytes


def test_failures_of_the_candidate_are_values(bench, datasets):
    worker, (dataset,) = Worker(bench), datasets(1)
    refused = execute((program(), dataset), (program("refuse"), dataset), (program(), dataset))
    failure = {"failure": {"is": "LaunchFailed", "reason": "out of resources"}}
    assert worker.handle(refused) == {"runs": [{"device_ns": 1e5}, failure]}
    sender = Sender()
    answer = worker.handle({"op": "build", "program": sender.program(program("compile")), **sender.news()})
    assert answer["failure"] == {"is": "CompileFailed", "log": "1:3:5: error: planted compile error", "line": 3}


def test_what_the_user_or_the_machine_lacks_is_refused_with_an_exit_code(bench):
    answer = Worker(bench).handle({"op": "select", "device": "", "language": "magic"})
    assert answer["exit_code"] == 2
    assert "unknown backend 'magic'" in answer["refused"]


@pytest.mark.parametrize("message", [{"op": "dance"}, {}, {"op": "build", "program": {"source": 3}}])
def test_defects_come_with_their_whole_text(bench, message):
    assert "Traceback" in Worker(bench).handle(message)["error"]


def test_selecting_and_listing(bench):
    worker = Worker(bench)
    assert worker.handle({"op": "select", "device": "", "language": "null"})["device"]["runtime_key"] == "null"
    assert [row["name"] for row in worker.handle({"op": "devices", "language": "null"})["devices"]] == ["Null device"]


def test_results_that_cannot_be_kept_are_the_machines_fault(bench, datasets, tmp_path):
    (dataset,) = datasets(1)
    (tmp_path / layout.RUNS).symlink_to("/dev/full")
    answer = Worker(bench).handle(execute((program(), dataset)))
    assert answer["exit_code"] == 3
    assert "cannot keep results" in answer["refused"]


def test_inputs_rotate_call_by_call(bench, datasets, tmp_path):
    """From anywhere, for nobody shall know where, and a round's two samples from different places."""
    sets = datasets(3)
    request = TimeRequest(programs=(program(),), datasets=sets, rounds=40, calls=(2,), judged=(2, 1))
    answer = Worker(bench).handle(timing(request))
    rounds = heard(answer["timed"]).rounds
    begins = [[sample.dataset for _, sample in one.samples] for one in rounds]
    assert {one[0] for one in begins[:-1]} == {0, 1, 2}
    assert all(one[0] != one[1] for one in begins[:-1])
    kept = {file.name for file in tmp_path.glob("*.t0.out")}
    assert kept == {"set1.t0.out", "set2.t0.out"}
    assert all(sample.device_ns == 2e5 for one in rounds for _, sample in one.samples)


@pytest.mark.parametrize(("sets", "calls", "more"), [(3, 2, 0), (4, 4, 0), (3, 20, 2), (1, 4, 4)])
def test_what_is_judged_was_timed_where_a_sample_has_no_more_calls_than_there_are_sets(
    bench, datasets, sets, calls, more, monkeypatch
):
    """Calls that were made for the judge alone took as long as half a sample of a few calls."""
    ran, real = [], rounds._run
    monkeypatch.setattr(rounds, "_run", lambda sequence: (ran.append(len(sequence)), real(sequence)))
    request = TimeRequest(
        programs=(program(),), datasets=datasets(sets), rounds=60, calls=(calls,), judged=tuple(range(sets)) * 60
    )
    Worker(bench).handle(timing(request))
    assert max(ran) == more


@pytest.mark.parametrize(("call_ns", "rounds_taken"), [(3e5, 1), (1e5, 4)])
def test_a_hopeless_look_ends_after_a_round_and_any_other_is_timed_to_its_end(bench, datasets, call_ns, rounds_taken):
    programs = program(), program(call_ns=call_ns)
    request = TimeRequest(
        programs=programs, datasets=datasets(2), rounds=4, calls=(2, 2), judged=(), hopeless=(1.5, 1.2, 1.1)
    )
    timed = rounds.run(bench, request)
    assert len(timed.rounds) == rounds_taken
    assert len(timed.calls) == len(timed.phases) == 2


@pytest.mark.parametrize(("call_ns", "calls"), [(1e5, 50), (1e7, 1), (1e3, 4096)])
def test_calls_are_batched_until_a_sample_is_long_enough(bench, datasets, call_ns, calls):
    request = TimeRequest(programs=(program(call_ns=call_ns),), datasets=datasets(1), rounds=1)
    answer = Worker(bench).handle(timing(request))
    assert answer["timed"]["calls"] == [calls]


def test_the_last_run_before_the_answer_is_on_poisoned_outputs(bench, datasets, tmp_path):
    silent, sets = program("silent"), datasets(1)
    request = TimeRequest(programs=(silent,), datasets=sets, rounds=1)
    Worker(bench).handle(timing(request))
    assert np.isnan(payload(tmp_path / "set0.t0.out", silent, sets[0])).all()


class Looking(Null):
    """A backend whose calls note whether they find the result that they are about to write."""

    def __init__(self):
        super().__init__()
        self.found = []

    def bind(self, program, buffers):
        bound, found = super().bind(program, buffers), self.found
        enqueue = bound.enqueue

        def looked():
            x, y = (buffers[name].banded[BAND_BYTES:-BAND_BYTES] for name in ("x", "y"))
            found.append(bool(np.array_equal(x, y)))
            enqueue()

        return SimpleNamespace(enqueue=looked, finish=bound.finish, phases=bound.phases)


@pytest.mark.parametrize("updated", [False, True])
def test_no_timed_call_finds_what_an_untimed_one_left(datasets, tmp_path, updated):
    """Verification may run on an input set of the rotation, and the judge calls a kernel that updates arrays once more."""
    sets = datasets(3)
    if updated:
        make_banded(np.zeros(N, np.float32)).tofile(tmp_path / "z.in")
        slot = Slot("z", "float32", (N,), "z.in", output=True, input=True)
        sets = tuple(Dataset(each.name, (*each.slots, slot)) for each in sets)
    for _ in range(8):
        bench, backend = Bench(tmp_path, ""), Looking()
        bench.adopt("null", backend, DEVICE)
        Worker(bench).handle(execute((program(), sets[1])))
        backend.found.clear()
        request = TimeRequest(programs=(program(),) * 2, datasets=sets, rounds=6, calls=(5, 2), judged=(0, 1, 2, 0))
        assert "timed" in Worker(bench).handle(timing(request))
        assert backend.found
        assert not any(backend.found)


def test_discarded_arrays_are_read_anew(bench, datasets, tmp_path):
    worker, (dataset,) = Worker(bench), datasets(1)
    message = execute((program(), dataset))
    worker.handle(message)
    assert worker.handle({"op": "discard", "name": "set0"}) == {}
    (tmp_path / "set0.0.in").unlink()
    assert worker.handle(message)["missing"] is True


@pytest.mark.parametrize(
    ("log", "line"),
    [
        ("1:7:9: error: use of undeclared identifier 'q'", 7),
        ("input.cl:12:3: error: expected ';'", 12),
        ("/tmp/a:b/program.cl:40:1: error: x\n/tmp/a:b/program.cl:50:1: error: y", 40),
        ("1:2:3: warning: unused\n1:9:3: error: bad", 9),
        ("error: the source has no kernel named 'k'", None),
        ("", None),
    ],
)
def test_the_line_of_the_first_error(log, line):
    assert error_line(log) == line


@pytest.mark.parametrize(
    ("tail", "words"),
    [
        ("", ""),
        ("noise\nFatal Python error: Aborted\n\nThread 0x1", "Aborted"),
        ("LLVM ERROR: cannot select\nFatal Python error: Aborted", "LLVM ERROR: cannot select"),
        ("kernel: Assertion `x' failed.", "kernel: Assertion `x' failed."),
        ("just\na line", "a line"),
    ],
)
def testlast_words(tail, words):
    assert last_words(tail) == words


class Evicting(Null):
    """A null backend that can empty caches and remembers when it was told to."""

    def __init__(self):
        super().__init__()
        self._cold, self.told = False, []

    @property
    def cold(self):
        return self._cold

    @cold.setter
    def cold(self, value):
        self._cold = value
        self.told.append(value)


@pytest.mark.parametrize(("mode", "told"), [("rotated", []), ("hot", []), ("cold", [True, False])])
def test_caches_are_emptied_for_cold_requests_only_and_only_while_they_run(bench, datasets, mode, told):
    backend = Evicting()
    bench.adopt("null", backend, DEVICE)
    request = TimeRequest(programs=(program(), program(call_ns=2e5)), datasets=datasets(2), rounds=1, mode=mode)
    assert "timed" in Worker(bench).handle(timing(request))
    assert backend.told == told


def test_a_candidate_that_fails_does_not_leave_the_caches_cold(bench, datasets):
    backend = Evicting()
    bench.adopt("null", backend, DEVICE)
    request = TimeRequest(programs=(program("refuse"),), datasets=datasets(1), rounds=1, mode="cold")
    assert Worker(bench).handle(timing(request))["failure"]["reason"] == "out of resources"
    assert backend.told == [True, False]


@pytest.mark.parametrize(
    ("mode", "why"), [("cold", "the null backend cannot empty"), ("lukewarm", "choose one of rotated, cold, hot")]
)
def test_modes_that_cannot_be_are_one_sentence(bench, datasets, mode, why):
    request = TimeRequest(programs=(program(),), datasets=datasets(1), rounds=1, mode=mode)
    answer = Worker(bench).handle(timing(request))
    assert answer["exit_code"] == 2
    assert why in answer["refused"]


def test_hot_calls_meet_the_same_inputs_every_time(bench, datasets):
    request = TimeRequest(programs=(program(),), datasets=datasets(3), rounds=4, calls=(2,), mode="hot")
    rounds = heard(Worker(bench).handle(timing(request))["timed"]).rounds
    assert {sample.dataset for one in rounds for _, sample in one.samples} == {0}


class Counting(Null):
    """A null device with so much memory, which knows how much of it is taken."""

    def __init__(self, size_bytes=2**60):
        super().__init__()
        self.size_bytes, self.live = size_bytes, weakref.WeakSet()

    @property
    def used_bytes(self):
        return sum(buffer.banded.size for buffer in self.live)

    def allocate(self, banded_bytes):
        if self.used_bytes + banded_bytes > self.size_bytes:
            raise LaunchError("out of device memory")
        made = Held(banded_bytes)
        self.live.add(made)
        return made


class Held(type(Null().allocate(1))):
    """A buffer that can be referred to weakly and compared by identity."""

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    def __init__(self, banded_bytes):
        super().__init__(np.zeros(banded_bytes, np.uint8))


AREA_BYTES = 1 << 16
ARRAYS_BYTES = 2 * (4 * N + 2 * BAND_BYTES)


def splitting(number, area_bytes=AREA_BYTES):
    """Return one of many programs with a scratch area of its own."""
    made = program(call_ns=1e5 + number)
    return Program("null", made.source, launches=made.launches, scratch=(Scratch("work", area_bytes),))


@pytest.fixture
def device(bench):
    backend = Counting()
    bench.adopt("null", backend, DEVICE)
    return backend


def test_scratch_memory_of_a_long_search_stays_bounded(bench, device, datasets, monkeypatch):
    monkeypatch.setattr(bench, "_scratch_limit_bytes", 10 * AREA_BYTES)
    worker, sets = Worker(bench), datasets(2)
    for number in range(20):
        request = TimeRequest(programs=(splitting(0), splitting(number + 1)), datasets=sets, rounds=1, calls=(1, 1))
        assert "timed" in worker.handle(timing(request))
        assert device.used_bytes <= 10 * AREA_BYTES + 2 * ARRAYS_BYTES
    assert device.used_bytes > 4 * AREA_BYTES


def test_programs_of_one_request_stay_together_whatever_they_take(bench, device, datasets, monkeypatch):
    monkeypatch.setattr(bench, "_scratch_limit_bytes", AREA_BYTES)
    sets = datasets(2)
    request = TimeRequest(programs=(splitting(0), splitting(1)), datasets=sets, rounds=2)
    assert "timed" in Worker(bench).handle(timing(request))
    assert device.used_bytes > 4 * AREA_BYTES


def test_what_was_used_longest_ago_goes_first(bench, device, datasets, monkeypatch):
    monkeypatch.setattr(benches, "MOST_PROGRAMS", 3)
    (dataset,) = datasets(1)
    bound = [bench.bind(splitting(number), dataset) for number in range(3)]
    assert bench.bind(splitting(0), dataset) is bound[0]
    bench.bind(splitting(3), dataset)
    assert bench.bind(splitting(0), dataset) is bound[0]
    assert bench.bind(splitting(2), dataset) is bound[2]
    assert bench.bind(splitting(1), dataset) is not bound[1]


def test_programs_without_scratch_are_kept_where_only_memory_is_short(bench, device, datasets, monkeypatch):
    monkeypatch.setattr(bench, "_scratch_limit_bytes", AREA_BYTES)
    (dataset,) = datasets(1)
    plain = bench.bind(program(), dataset)
    bench.bind(splitting(0), dataset)
    bench.bind(splitting(1), dataset)
    assert bench.bind(program(), dataset) is plain


def test_memory_of_programs_not_needed_is_given_to_who_needs_it(bench, datasets):
    device = Counting(size_bytes=3 * AREA_BYTES + ARRAYS_BYTES)
    bench.adopt("null", device, DEVICE)
    worker, (dataset,) = Worker(bench), datasets(1)
    for number in range(6):
        assert worker.handle(execute((splitting(number), dataset)))["runs"] == [
            {"device_ns": pytest.approx(1e5, rel=1e-3)}
        ]
    answer = worker.handle(execute((splitting(9, 4 * AREA_BYTES), dataset)))
    assert answer["runs"] == [{"failure": {"is": "LaunchFailed", "reason": "out of device memory"}}]


def test_scratch_left_by_a_program_survives_a_request_that_only_loads_arrays(bench, device, datasets, monkeypatch):
    """Whether a kernel keeps results there is found out by running it again on other inputs."""
    monkeypatch.setattr(bench, "_scratch_limit_bytes", AREA_BYTES)
    (dataset,) = datasets(1)
    bound = bench.bind(splitting(0), dataset)
    bench.hold(())
    bench.bind(Program("null", program().source), dataset)
    assert bench.bind(splitting(0), dataset) is bound


def test_discarding_a_dataset_frees_its_scratch(bench, device, datasets):
    sets = datasets(2)
    for dataset in sets:
        bench.bind(splitting(0), dataset)
    before = device.used_bytes
    bench.discard("set0")
    assert before - device.used_bytes == ARRAYS_BYTES + AREA_BYTES + 2 * BAND_BYTES


def test_a_large_device_may_hold_more(bench, device):
    bench.adopt("null", device, replace(DEVICE, global_mem_bytes=2**37))
    assert bench._scratch_limit_bytes == 2**34


class Setting(Null):
    """A null backend whose programs write into their scratch area, as kernels with counters do."""

    def bind(self, program, buffers):
        made = super().bind(program, buffers)
        area, enqueue = buffers["work"], made.enqueue

        def counted():
            inside = area.banded[BAND_BYTES:-BAND_BYTES]
            seen.append(inside.copy())
            inside += 1
            enqueue()

        seen = self.seen = getattr(self, "seen", [])
        return SimpleNamespace(enqueue=counted, finish=made.finish, phases=made.phases)


@pytest.mark.parametrize("zeroed", [True, False])
def test_counters_are_zero_before_the_first_call_and_left_alone_then(bench, datasets, zeroed):
    backend = Setting()
    bench.adopt("null", backend, DEVICE)
    made, (dataset,) = replace(program(), scratch=(Scratch("work", 8, zeroed),)), datasets(1)
    Worker(bench).handle(execute((made, dataset), (made, dataset)))
    first, second = backend.seen
    assert np.array_equal(second, first + zeroed)
    assert not first.any() if zeroed else first.all()
    request = TimeRequest(programs=(made,), datasets=(dataset,), rounds=1, calls=(1,), warmup_ns=0.0)
    assert "timed" in Worker(bench).handle(timing(request))
    assert np.array_equal(backend.seen[-1], first + len(backend.seen) - 1) or not zeroed
    assert overrun(bench._areas(made, dataset)["work"].banded) is None


class Shared(Null):
    """A null backend in another language whose arrays are also those of others."""

    memory = "host"

    def __init__(self):
        super().__init__()
        self.allocated = 0

    def allocate(self, banded_bytes):
        self.allocated += 1
        return super().allocate(banded_bytes)


def test_backends_with_one_memory_load_a_dataset_once(bench, datasets):
    backends, (dataset,) = [Shared(), Shared(), Counting()], datasets(1)
    for language, backend in zip(("triton", "torch", "null"), backends, strict=True):
        bench.adopt(language, backend, DEVICE)
        bench.bind(replace(program(), language=language), dataset)
    assert [backend.allocated for backend in backends[:2]] == [2, 0]
    assert backends[2].used_bytes == ARRAYS_BYTES


@pytest.mark.parametrize(("languages", "mixed"), [(("triton", "cuda"), False), (("triton", "null"), True)])
def test_only_contenders_with_threads_of_their_own_run_ahead_of_samples(bench, datasets, languages, mixed):
    for language in languages:
        bench.adopt(language, Null(), DEVICE)
    request = TimeRequest(
        programs=tuple(replace(program(), language=language) for language in languages), datasets=datasets(1), rounds=1
    )
    made = [rounds.contender_of(bench, index, request, mixed=rounds.mixed(request.programs)) for index in (0, 1)]
    assert [contender.lead_ns > 0 for contender in made] == [mixed, mixed]


def test_binding_a_rotation_seldom_asks_for_a_programs_identity(bench, datasets, monkeypatch):
    """A request binds dozens of datasets to each program, and the identity is a digest of all of its launches."""
    asked, own = [], Program.fingerprint.fget
    monkeypatch.setattr(Program, "fingerprint", property(lambda self: asked.append(1) or own(self)))
    one, sets = program(), datasets(4)
    for dataset in sets:
        bench.bind(one, dataset)
    assert len(asked) <= 2 * len(sets)  # to find what is bound, and for its build


def test_a_worker_starts_without_what_only_its_parent_needs():
    names = ["hotloop.model.kernel", "hotloop.targets", "hotloop.engine.ahead", "hotloop.engine.laying"]
    asked = f"import sys, hotloop.engine.worker; print([name for name in {names!r} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout == "[]\n"
