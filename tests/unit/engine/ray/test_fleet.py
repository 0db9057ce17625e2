"""The engine of a cluster: which devices it uses, what crosses the border, and what becomes of a run when devices die."""

import importlib.util
import json
import threading
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from hotloop.app import userfile
from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.run.optimize import Loop
from hotloop.app.run.plan import Plan
from hotloop.app.session import Options, chosen, open_engine
from hotloop.engine.ray import cluster as clusters
from hotloop.engine.ray import fleet as fleets
from hotloop.engine.ray import here
from hotloop.engine.ray.fleet import Fleet
from hotloop.errors import MachineError, NoDeviceError
from hotloop.host.clock import SystemClock
from hotloop.model.program import Array, Launch, Program
from hotloop.model.record import Record
from hotloop.model.space import Parameter, Space
from hotloop.model.step import Decision
from hotloop.ports import BAND_BYTES, Run, TimeRequest

ROOT = Path(__file__).parents[4]


def _fakes():
    spec = importlib.util.spec_from_file_location("fake_cluster", ROOT / "tests/fakes/cluster.py")
    module = importlib.util.module_from_spec(spec)
    import sys

    sys.modules["fake_cluster"] = module
    spec.loader.exec_module(module)
    return module


fakes = _fakes()


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    """Hosts live in this process here, whose environment they change."""
    monkeypatch.setenv("PYTHONPATH", "")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("SLEEPING_BUSY_S", "0")
    monkeypatch.delenv("HOTLOOP_PARTS", raising=False)


@pytest.fixture
def fleet():
    """What makes a fleet of fake devices; all are closed at the end."""
    made = []

    def make(count, lab=None):
        cluster = fakes.FakeCluster(count, lab or fakes.Lab())
        one = Fleet(cluster, None, lambda engine, name, language: engine.select(name, language))
        made.append((one, cluster))
        one.select("", "null")
        return one, cluster

    yield make
    for one, cluster in made:
        one.close()
        cluster.close()


def program(call_ns=1e6):
    recipe = {"compute": "copy", "call_ns": call_ns}
    return Program("null", json.dumps(recipe), launches=(Launch("copy", (Array("x"), Array("y")), (64,), (16,)),))


def arrays(n=64):
    return {"x": np.arange(n, dtype="f4"), "y": np.zeros(n, "f4")}


def test_devices_of_another_class_are_left_out_and_named(fleet):
    lab = fakes.Lab(drivers={"m1:cpu0": "another driver"})
    made, _ = fleet(3, lab)
    assert made.places == ("m0:cpu0", "m2:cpu0")
    assert made.remarks == ["left out, because their times cannot be compared with the others': m1:cpu0"]


def test_the_class_with_most_devices_is_used(fleet):
    made, _ = fleet(3, fakes.Lab(drivers={"m1:cpu0": "new", "m2:cpu0": "new"}))
    assert made.places == ("m1:cpu0", "m2:cpu0")


def test_a_host_with_another_hotloop_is_not_used(fleet):
    made, _ = fleet(2, fakes.Lab(versions={"m1:cpu0": "0.0.1"}))
    assert made.places == ("m0:cpu0",)


def test_without_any_device_it_says_why():
    cluster = fakes.FakeCluster(1, fakes.Lab(versions={"m0:cpu0": "0.0.1"}))
    with Fleet(cluster, None, chosen) as made, pytest.raises(NoDeviceError, match=r"m0:cpu0: it has hotloop 0\.0\.1"):
        made.select("", "null")


def test_what_a_run_changed_comes_back_and_the_rest_is_known_here(fleet):
    made, _ = fleet(1)
    dataset = made.dataset("case", arrays(), ("y",))
    found = made.execute(program(), dataset)
    assert found.arrays["y"][BAND_BYTES:-BAND_BYTES].view("f4").tolist() == arrays()["x"].tolist()
    assert found.arrays["x"][BAND_BYTES:-BAND_BYTES].view("f4").tolist() == arrays()["x"].tolist()


def test_a_changed_input_is_seen_here(fleet, monkeypatch):
    """The host compares with what came from the run, not with a file that a candidate can write."""

    def mutating(self, run):
        (self.arena / run.dataset.slots[0].file).write_bytes(b"\1" * run.dataset.slots[0].payload_bytes)
        banded = {slot.name: np.zeros(slot.payload_bytes + 2 * BAND_BYTES, np.uint8) for slot in run.dataset.slots}
        return fakes.Executed(banded, 1.0)

    monkeypatch.setattr(fakes.Device, "_executed", mutating)
    made, _ = fleet(1)
    found = made.execute(program(), made.dataset("case", arrays(), ("y",)))
    assert not found.arrays["x"].any()


@pytest.mark.parametrize("apart", [False, True])
def test_datasets_are_sent_once_and_only_to_other_machines(fleet, apart):
    made, cluster = fleet(3, fakes.Lab(apart=apart))
    dataset = made.dataset("case", arrays(), ("y",))
    for _ in range(2):
        for lane in made.lanes():
            found = lane.execute_all((Run(program(), dataset),))[0]
            assert found.arrays["y"][BAND_BYTES:-BAND_BYTES].view("f4").tolist() == arrays()["x"].tolist()
    assert cluster.sent == (2 if apart else 0)  # arrays, whatever the number of hosts
    assert [lane.carried_bytes for lane in made.lanes()] == [2 * 64 * 4] * 3
    assert made.byte_s > 0


def test_a_dataset_that_is_written_anew_is_laid_out_anew(fleet):
    """Hosts of this machine have its files mapped: what they map must stay what it was, and the new content must reach them."""
    made, _ = fleet(1)
    for value in (1.0, 2.0):
        large = {"x": np.full(2**21, value, "f4"), "y": np.zeros(2**21, "f4")}
        found = made.execute(program(), made.dataset("case", large, ("y",)))
        assert set(found.arrays["y"][BAND_BYTES:-BAND_BYTES].view("f4").tolist()) == {value}


def test_a_host_that_dies_is_replaced_on_the_same_device(fleet):
    lab = fakes.Lab()
    deaths = iter([True])
    lab.dies = lambda place, request, one: request == "time" and next(deaths, False)
    made, _ = fleet(1, lab)
    dataset = made.dataset("set0", arrays(), ("y",))
    timed = made.time(TimeRequest(programs=(program(),), datasets=(dataset, dataset), rounds=2))
    assert len(timed.rounds) == 2
    assert (made.restarts, made.places) == (1, ("m0:cpu0",))


# --- whole searches --------------------------------------------------------------------------------------------------


SPACE = Space((Parameter("A", (1, 7)), Parameter("B", (1, 4)), Parameter("C", (1, 4, 10))))


def tuned(made, journal, language="null"):
    """Search a small space to its end on a fleet and return the result."""
    kernel = userfile.find(str(ROOT / "benchmarks/cluster/sleeping.py"), 60)
    kernel = replace(kernel, implementations=(replace(kernel.implementations[0], space=SPACE, language=language),))
    desk = Desk(made, made.devices()[0], journal, SystemClock())
    plan = Plan(budget_s=600.0, techniques=False, peers=False)
    return Loop(desk, kernel, kernel.problem, plan, []).run()


class Limited(MemoryJournal):
    """A journal of a run that is killed after some looks of the search."""

    left = 10**9

    def record(self, key, data, trial=None, *, late=False):
        if len(looks(self)) >= self.left:
            raise KeyboardInterrupt
        super().record(key, data, trial, late=late)


START = {"A": 1, "B": 1, "C": 1}


def meeting(count):
    """Return what waits, in the first look of each device, until so many devices look at the same time."""
    barrier, met = threading.Barrier(count), set()

    def met_all(place, request, one):
        first = request == "time" and json.loads(one.source)["config"] != START and place not in met
        if first:
            met.add(place)
            barrier.wait(120)
        return first

    return met_all


def looks(journal):
    return [key for key in journal.entries if key.startswith("glance")]


def test_all_devices_search_and_the_winner_is_confirmed_on_a_second_one(fleet):
    together = meeting(4)
    lab = fakes.Lab(dies=lambda *asked: together(*asked) and False)
    made, _ = fleet(4, lab)
    journal = MemoryJournal()
    result = tuned(made, journal)
    assert {place for place, request, _ in lab.asked if request == "time"} == {f"m{i}:cpu0" for i in range(4)}
    assert result.overall is not None
    assert result.winner.index > 0
    confirmed = [key for key in journal.entries if key.startswith("second device")]
    assert len(confirmed) == 1
    trial = next(t for t in journal.trials if t.purpose == "second device")
    assert trial.outcome.conditions.place == "m1:cpu0"


def test_each_device_compiles_ahead_what_it_looks_at_and_is_warmed_before(fleet):
    """All programs of a look begin to compile on the machine that will run them, before the first of them runs."""
    together = meeting(2)
    lab = fakes.Lab(dies=lambda *asked: together(*asked) and False)
    made, _ = fleet(2, lab)
    tuned(made, MemoryJournal(), "opencl")  # whose builds can be made ahead
    places = {"m0:cpu0", "m1:cpu0"}
    assert {(place, program) for place, what, program in lab.asked if what == "warm"} == {(p, "opencl") for p in places}
    assert {place for place, what, _ in lab.asked if what == "ahead"} == places
    assert [what for place, what, _ in lab.asked if place == "m1:cpu0"][:2] == ["warm", "ahead"]
    for place in places:
        own = [(what, program) for where, what, program in lab.asked if where == place]
        begun = [program for what, program in own if what == "ahead"]
        assert all(own.index(("ahead", one)) < own.index(("execute", one)) for one in begun if ("execute", one) in own)
    winner = [program for place, what, program in lab.asked if (place, what) == ("m1:cpu0", "time")][-1]
    assert {p for p, what, program in lab.asked if (what, program) == ("ahead", winner)} == places, "both compare it"


def test_a_host_says_what_still_compiles(fleet):
    lab = fakes.Lab(compiling={program(2e6).fingerprint})
    made, _ = fleet(2, lab)
    made.ahead((program(1e6), program(2e6)))
    assert made.ready((program(1e6),))
    assert not made.ready((program(1e6), program(2e6)))
    assert made.lanes()[1].ready((program(2e6),))  # where nobody began it, nobody waits for it


def test_more_is_out_where_programs_compile_ahead(fleet):
    made, _ = fleet(2)
    journal = MemoryJournal()
    tuned(made, journal, "opencl")
    assert json.loads(journal.entries["configurations out at a time"])["data"] == 16


class Witness:
    """What would compute references on a GPU of this machine."""

    made = ()

    def __init__(self, environment, device, *, gpu, cores):
        self.environment, self.device, self.closed = environment, device, False
        Witness.made += (self,)

    def close(self):
        self.closed = True


def test_references_are_computed_beside_the_first_host_of_this_machine(monkeypatch):
    """It sees the GPU that Ray gave that host, and candidates' hosts start none of their own."""
    monkeypatch.setattr("hotloop.engine.witness.link.Witness", Witness)
    monkeypatch.setenv("HOTLOOP_REFERENCES", "cpu")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3")
    monkeypatch.setattr(Witness, "made", ())
    cluster = fakes.FakeCluster(2, fakes.Lab())

    def begin(environment):
        return Fleet(cluster, None, lambda engine, name, language: engine.select(name, language), environment)

    with begin({"A": "1", "CUDA_VISIBLE_DEVICES": "3,4"}) as made:
        made.select("", "null")
        made.select("", "null")
        assert [one.environment for one in Witness.made] == [{"A": "1", "CUDA_VISIBLE_DEVICES": "3"}]
        assert made.witness is Witness.made[0]
    assert Witness.made[0].closed
    with begin(None) as outside:  # joined from another machine
        outside.select("", "null")
        assert outside.witness is None
    cluster.close()


def test_hosts_of_a_run_have_no_witness_of_their_own(monkeypatch):
    began = []
    monkeypatch.setattr("hotloop.engine.ray.cluster.join", lambda engine: fakes.FakeCluster(1, fakes.Lab()))
    monkeypatch.setattr("hotloop.engine.ray.fleet.Fleet", lambda *given: began.append(given))
    open_engine(Options(engine="ray"))
    open_engine(Options(engine="ray://elsewhere"))
    assert [given[1].args[0].witness for given in began] == [False, False]
    assert [given[3] is None for given in began] == [False, True]


def test_a_winner_that_the_second_device_does_not_confirm_is_dropped_with_the_reason(fleet):
    def slower(place, recipe, rounds):
        """Everything but the start throttles the second device, in what takes longer than a quick look."""
        return 40.0 if place == "m1:cpu0" and rounds > 4 and recipe["config"] != START else 1.0

    made, _ = fleet(2, fakes.Lab(slower=slower))
    result = tuned(made, MemoryJournal())
    dropped = [step.reason for step in result.steps if step.decision is Decision.REVERT]
    assert any("a second device, m1:cpu0, does not confirm it: SLOWER" in reason for reason in dropped)
    assert result.winner.index == 0


def test_a_killed_run_walks_the_same_path_and_repeats_nothing(fleet):
    """Whatever the devices' order was: each look is in the journal once, and what was there before the kill stays as it was."""
    lab = fakes.Lab()
    made, _ = fleet(3, lab)
    journal = Limited()
    journal.left = 4
    with pytest.raises(KeyboardInterrupt):
        tuned(made, journal)
    before, asked = dict(journal.entries), len(lab.asked)
    known = {key.split()[-1] for key in looks(journal)}
    journal.left = 10**9
    again, _ = fleet(2, lab)  # one device fewer
    tuned(again, journal)
    assert {key: journal.entries[key] for key in before} == before
    assert len(looks(journal)) > len(known)
    assert json.loads(journal.entries["configurations out at a time"])["data"] == 4
    trials = [(t.purpose, Record(t.config), t.fingerprint) for t in journal.trials if t.purpose == "search"]
    assert len(trials) == len(looks(journal))
    assert asked < len(lab.asked)


def test_a_gpu_with_two_looks_runs_each_before_it_times_it_and_is_resumed_on_the_same_path(fleet, monkeypatch):
    monkeypatch.setattr(fakes, "DEVICE", replace(fakes.DEVICE, kind="gpu"))
    monkeypatch.setenv("HOTLOOP_REFERENCES", "host")
    lab = fakes.Lab()
    made, _ = fleet(1, lab)
    journal = Limited()
    journal.left = 4
    with pytest.raises(KeyboardInterrupt):
        tuned(made, journal)
    before = dict(journal.entries)
    assert json.loads(before["configurations out at a time"])["data"] == 3
    journal.left = 10**9
    again, _ = fleet(1, lab)
    result = tuned(again, journal)
    assert {key: journal.entries[key] for key in before} == before
    assert len(looks(journal)) == 11  # each configuration but the start, once
    assert result.winner.index > 0
    asked = [(what, program) for _, what, program in lab.asked]
    timed = {program for what, program in asked if what == "time"}
    assert all(asked.index(("execute", one)) < asked.index(("time", one)) for one in timed)


def test_a_lost_device_leaves_its_look_to_another_one(fleet):
    lab = fakes.Lab()
    made, cluster = fleet(3, lab)
    together = meeting(3)

    def dies(place, request, one):
        if together(place, request, one) and place == "m2:cpu0":
            cluster.gone.add(place)
            return True
        return False

    lab.dies = dies
    journal = MemoryJournal()
    result = tuned(made, journal)
    assert made.places == ("m0:cpu0", "m1:cpu0")
    assert result.winner.index > 0


def test_a_duel_whose_device_is_lost_is_fought_anew_on_one_other_device(fleet):
    lab = fakes.Lab()
    made, cluster = fleet(2, lab)
    duels = []

    def dies(place, request, one):
        if request == "outputs" and not duels:
            duels.append(place)
            cluster.gone.add(place)
            return True
        return False

    lab.dies = dies
    result = tuned(made, MemoryJournal())
    assert duels == ["m0:cpu0"]
    assert made.places == ("m1:cpu0",)
    assert result.steps[0].outcome.conditions.place == "m1:cpu0"


def test_without_any_device_left_the_run_ends_with_a_sentence(fleet):
    lab = fakes.Lab()
    made, cluster = fleet(2, lab)

    def dies(place, request, one):
        cluster.gone.add(place)
        return request == "time"

    lab.dies = dies
    with pytest.raises(MachineError, match="all devices of the cluster are gone"):
        tuned(made, MemoryJournal())


@pytest.mark.parametrize(
    ("free_bytes", "store_bytes"), [(3 * 2**30, 3 * 2**29), (2**20, clusters._LEAST_BYTES), (None, 6 * 2**30)]
)
def test_a_cluster_started_here_leaves_half_of_the_free_memory(monkeypatch, free_bytes, store_bytes):
    """Ray ends where nothing is left for its workers, as on a machine whose memory others use."""
    monkeypatch.setattr(clusters.memory, "available_bytes", lambda: free_bytes)
    monkeypatch.setattr(clusters.os, "statvfs", lambda _: SimpleNamespace(f_bavail=24 * 2**20, f_frsize=2**10))
    assert clusters._store_bytes() == store_bytes


def test_nobody_waits_for_long_for_a_machine_that_joins(fleet, monkeypatch):
    """A machine that died is there for Ray until minutes later; what it is asked meanwhile has no answer."""
    monkeypatch.setattr(fleets, "JOIN_S", 0.05)
    made, cluster = fleet(1)
    started, seat = threading.Event(), cluster.seat
    monkeypatch.setattr(cluster, "seat", lambda seats: started.wait(30) and seat(seats))
    cluster.alive.append(replace(cluster.alive[0], id="late", name="late"))
    assert [lane.place for lane in made.lanes()] == ["m0:cpu0"]
    assert [lane.place for lane in made.lanes()] == ["m0:cpu0"]
    started.set()
    monkeypatch.setattr(fleets, "JOIN_S", 30)
    made._coming.result(30)
    assert [lane.place for lane in made.lanes()] == ["m0:cpu0", "late:cpu0"]


def test_a_machine_that_could_not_join_is_asked_again(fleet, monkeypatch):
    monkeypatch.setattr(fleets, "JOIN_S", 30)
    made, cluster = fleet(1)
    seat, answers = cluster.seat, [MachineError("the cluster is gone for a moment")]
    monkeypatch.setattr(cluster, "seat", lambda seats: _raised(answers.pop()) if answers else seat(seats))
    cluster.alive.append(replace(cluster.alive[0], id="late", name="late"))
    with pytest.raises(MachineError):
        made.lanes()
    assert [lane.place for lane in made.lanes()] == ["m0:cpu0", "late:cpu0"]


def _raised(error):
    raise error


@pytest.fixture
def two_gpus(monkeypatch):
    """A fleet over two GPUs of this machine, without Ray, and what its engines were begun with."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3,1")
    begun, lab = [], fakes.Lab()

    def begin(variables, share):
        begun.append((dict(variables), share))
        return fakes.Device(f"gpu{len(begun)}", lab)

    def choose(engine, name, language):
        return replace(engine.select(name, language), kind="gpu")

    with Fleet(here.Here(), begin, choose) as made:
        made.select("", "null")
        yield made, begun, lab
    for folder in lab.folders:
        assert not folder.exists()


def test_each_gpu_of_this_machine_has_an_engine_without_ray(two_gpus):
    made, begun, lab = two_gpus
    assert sorted(begun, key=str) == [({"CUDA_VISIBLE_DEVICES": one}, 2) for one in ("1", "3")]
    assert [place.rpartition(":")[2] for place in made.places] == ["gpu0", "gpu1"]
    assert [dict(lane.facts.visible)["CUDA_VISIBLE_DEVICES"] for lane in made.lanes()] == ["3", "1"]
    dataset = made.dataset("case", arrays(), ("y",))
    for lane in made.lanes():
        found = lane.execute(program(), dataset)
        assert found.arrays["y"][BAND_BYTES:-BAND_BYTES].view("f4").tolist() == arrays()["x"].tolist()
        assert lane.looks == 3
    assert {place for place, what, _ in lab.asked if what == "execute"} == {"gpu1", "gpu2"}


def test_a_machine_without_gpus_says_so(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with pytest.raises(MachineError, match="shows no GPU"):
        open_engine(Options(engine="gpus"))
