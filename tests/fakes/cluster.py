"""A cluster without Ray: hosts live in threads of this process, devices answer by a formula and may die, and take real time if asked."""

from __future__ import annotations

import atexit
import json
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from hotloop.backends.null import DEVICE
from hotloop.engine import layout
from hotloop.engine.ray.host import Host
from hotloop.engine.ray.seat import Node, Refusal, Seat
from hotloop.errors import LostError
from hotloop.model.outcome import Artifact, LaunchFailed, Resources, Sample
from hotloop.ports import BAND_BYTES, Executed, Round, Timed


def _folder() -> Path:
    """Return a folder that is gone when the process ends: a host may begin in its thread after its cluster was closed."""
    folder = Path(tempfile.mkdtemp(prefix="fake-device-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


class Device:
    """An engine like the one beside a real device: computes ``copy``, times by the recipe, sleeps as long as it says."""

    def __init__(self, place: str, lab: Lab, arena: Path | None = None) -> None:
        self._place, self._lab = place, lab
        self.arena = arena or _folder()
        lab.folders.append(self.arena)
        self.worker_pid = None

    def select(self, device_name: str = "", language: str = "null"):
        return replace(DEVICE, driver=self._lab.drivers.get(self._place, ""))

    def hurry(self, limit_s):
        pass

    def build(self, program):
        return Artifact(program.build_key, 1e6, "", (("copy", Resources()),))

    def binary(self, program):
        return b""

    def ahead(self, programs):
        self._lab.asked += [(self._place, "ahead", program.fingerprint) for program in programs]

    def ready(self, programs):
        return not self._lab.compiling & {program.fingerprint for program in programs}

    def warm(self, language):
        self._lab.asked.append((self._place, "warm", language))

    def discard(self, dataset):
        for slot in dataset.slots:
            (self.arena / slot.file).unlink(missing_ok=True)

    def _copied(self, program, dataset):
        banded = {slot.name: np.fromfile(self.arena / slot.file, np.uint8) for slot in dataset.slots}
        banded["y"][BAND_BYTES:-BAND_BYTES] = banded["x"][BAND_BYTES:-BAND_BYTES]
        assert set(layout.results(program, dataset).places) == set(banded)
        return banded

    def execute_all(self, runs):
        self._lab.happens(self._place, "execute", runs[0].program)
        return tuple(self._executed(run) for run in runs)

    def _executed(self, run):
        recipe = json.loads(run.program.source)
        time.sleep(recipe.get("busy_s", 0.0))
        return Executed(self._copied(run.program, run.dataset), recipe["call_ns"])

    def time(self, request):
        self._lab.happens(self._place, "time", request.programs[-1])
        recipes = [json.loads(program.source) for program in request.programs]
        factors = [self._lab.slower(self._place, recipe, request.rounds) for recipe in recipes]
        time.sleep(sum(recipe.get("busy_s", 0.0) for recipe in recipes) * 2 * request.rounds)
        chance = np.random.default_rng(1)
        order = [*range(len(recipes)), *reversed(range(len(recipes)))]

        def sample(index):
            call_ns = recipes[index]["call_ns"] * factors[index] * float(np.exp(0.002 * chance.standard_normal()))
            return index, Sample(wall_ns=call_ns, calls=1, device_ns=call_ns)

        rounds = tuple(Round(tuple(sample(index) for index in order)) for _ in range(request.rounds))
        self._judged = request.datasets
        return Timed(rounds, (1,) * len(recipes), ({},) * len(recipes))

    def renew(self, request):
        recipes = [json.loads(one.source) for one in (request.rival, request.program)]
        times_ns = [one["call_ns"] * self._lab.slower(self._place, one, request.rounds) for one in recipes]
        one = Round(tuple((index, Sample(wall_ns=call_ns, calls=1)) for index, call_ns in enumerate(times_ns)))
        return Timed((one,) * request.rounds, (1, 1), ({}, {}))

    def outputs(self, program, dataset):
        self._lab.happens(self._place, "outputs", program)
        return Executed(self._copied(program, dataset)) if dataset else LaunchFailed("nothing was timed")

    def close(self):
        shutil.rmtree(self.arena, ignore_errors=True)


@dataclass
class Lab:
    """What happens to the devices of a cluster."""

    drivers: dict[str, str] = field(default_factory=dict)
    """Of devices by their places: what differs is of another class."""
    slower: Callable[[str, dict, int], float] = lambda _place, _recipe, _rounds: 1.0
    """By how much a program takes longer at a place than its recipe says, in a request of so many rounds."""
    dies: Callable[[str, str, object], bool] = lambda _place, _request, _program: False
    """Whether a host dies when it is asked."""
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    """Place, request, and fingerprint of the program, in order."""
    versions: dict[str, str] = field(default_factory=dict)
    compiling: set[str] = field(default_factory=set)
    """Fingerprints of programs that are still being compiled ahead."""
    apart: bool = False
    """Whether hosts are on other machines than the run, whose files they do not see."""
    folders: list[Path] = field(default_factory=list)

    def happens(self, place, request, program):
        self.asked.append((place, request, program.fingerprint))
        if self.dies(place, request, program):
            raise _DeathError


class _DeathError(BaseException):
    pass


class _Actor:
    """A host that answers in a thread of its own, as an actor of Ray's does."""

    def __init__(self, seat: Seat, lab: Lab) -> None:
        self.place, self.lab, self.dead = seat.place, lab, threading.Event()
        self._host = Host(0, 1)
        self._pool = ThreadPoolExecutor(1)

    def __getattr__(self, name):
        return _Method(self, name)

    def ask(self, name, args) -> Future:
        return self._pool.submit(self._answer, name, args)

    def _answer(self, name, args):
        if self.dead.is_set():
            raise _DeathError
        if name == "begin":
            args = (lambda *_: Device(self.place, self.lab), args[1])
        if name == "beside" and self.lab.apart:
            return False
        try:
            return getattr(self._host, name)(*[a.result() if isinstance(a, Future) else a for a in args])
        except _DeathError:
            self.dead.set()
            raise


class _Method:
    def __init__(self, actor, name):
        self._actor, self._name = actor, name

    def remote(self, *args):
        return self._actor.ask(self._name, args)


class FakeCluster:
    """Implements `hotloop.engine.ray.cluster.Joined`."""

    looks, asking_s = 2, 0.05

    def __init__(self, count: int, lab: Lab) -> None:
        self.lab = lab
        self.alive = [Node(f"id{index}", f"m{index}", 1.0, 0) for index in range(count)]
        self.gone: set[str] = set()
        """Places whose hosts cannot be started again."""
        self.sent = 0

    def nodes(self):
        return tuple(node for node in self.alive if f"{node.name}:cpu0" not in self.gone)

    def seat(self, seats):
        found = {}
        for seat in seats:
            if seat.place not in self.gone:
                actor = _Actor(seat, self.lab)
                facts = actor.facts.remote().result()
                found[seat] = actor, replace(facts, version=self.lab.versions.get(seat.place, facts.version))
        return found

    def release(self, seat, actor):
        actor.end.remote()

    def kill(self, actor):
        actor.dead.set()

    def put(self, array):
        self.sent += 1
        done: Future = Future()
        array.flags.writeable = False
        done.set_result(array)
        return done

    def answer(self, ref, place):
        try:
            found = ref.result(timeout=60)
        except _DeathError as death:
            raise LostError(f"{place} was lost.") from death
        if isinstance(found, Refusal):
            raise found.error()
        return found

    def there(self):
        pass

    def close(self):
        """Remove what devices that died left."""
        for folder in self.lab.folders:
            shutil.rmtree(folder, ignore_errors=True)
