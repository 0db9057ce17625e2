"""What the benchmarks share: command lines, results with their conditions, busy neighbours, comparisons by the product itself."""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import TypeVar

Key = TypeVar("Key")
NEIGHBOUR = """
import random, time
chance = random.Random({seed})
while True:
    until = time.monotonic() + chance.uniform(0.002, 0.2)
    while time.monotonic() < until:
        sum(range(1000))
    time.sleep({idle} * chance.uniform(0.0, 0.4))
"""
LOOP = 100_000
"""Steps of the multiply-add loop that stands for a kernel: milliseconds on the CPUs we know."""


def parser(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser whose help is the script's docstring as it stands."""
    return argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)


def keep(path: Path | None, data: object) -> None:
    """Write results as JSON where a file is asked for."""
    if path:
        path.write_text(json.dumps(data, indent=1) + "\n")


def conditions(**more: object) -> dict[str, object]:
    """Return where and when results were taken, and what else is worth knowing."""
    from hotloop.devices.detect import detect

    return {
        "began": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "processor": detect().name,
        "cores": len(os.sched_getaffinity(0)),
        "load": round(os.getloadavg()[0], 2),
        # without folders outside of this one, which say nothing anywhere else
        "argv": [Path(text).name if text.startswith(("/", "..")) else text for text in sys.argv[1:]],
        **more,
    }


def cpu_s(command: Sequence[str]) -> float:
    """Run a command; return CPU seconds of its process and of that one's children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has run to its end, or was ended."""

    stdout: str
    stderr: str
    code: int
    cpu_s: float
    """Of its process and all that this one waited for."""


def side_by_side(
    commands: Mapping[Key, Sequence[str]], jobs: int, cores: int, limit_s: float
) -> Iterator[tuple[Key, Ended]]:
    """Run commands, `jobs` at a time, each on `cores` processors of its own where there are so many; yield them as they end."""
    free = [*slots(jobs, cores)]
    left, running = [*commands.items()], list[tuple[Key, set[int], _Running]]()
    while left or running:
        while left and free:
            key, command = left.pop(0)
            running.append((key, place := free.pop(), _Running(command, place, limit_s)))
        for entry in [*running]:
            key, place, process = entry
            if (ended := process.ended()) is not None:
                running.remove(entry)
                free.append(place)
                yield key, ended
        time.sleep(0.05)


def slots(jobs: int, cores: int) -> list[set[int]]:
    """Return the processors of each of so many jobs; they share them where there are too few."""
    own = sorted(os.sched_getaffinity(0))
    return [{own[(job * cores + core) % len(own)] for core in range(cores)} for job in range(jobs)]


class _Running:
    """A command on some processors, in a process group of its own, its output in files."""

    def __init__(self, command: Sequence[str], place: set[int], limit_s: float) -> None:
        self._out, self._err = TemporaryFile("w+", encoding="utf-8"), TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - closed when it has ended
        self._process = subprocess.Popen(command, stdout=self._out, stderr=self._err, start_new_session=True)
        with suppress(OSError):  # some systems do not allow it, or it has ended already
            os.sched_setaffinity(self._process.pid, place)
        self._until_s = time.monotonic() + limit_s

    def ended(self) -> Ended | None:
        """Return its answer; None while it runs."""
        late = time.monotonic() > self._until_s
        if late:
            os.killpg(self._process.pid, signal.SIGKILL)
        pid, status, usage = os.wait4(self._process.pid, 0 if late else os.WNOHANG)
        if not pid:
            return None
        self._process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (self._out, self._err):
            file.seek(0)
            texts.append(file.read())
            file.close()
        return Ended(*texts, self._process.returncode, usage.ru_utime + usage.ru_stime)


@contextmanager
def neighbours(count: int, *, idle: bool = True) -> Iterator[None]:
    """Run beside so many busy processes; `idle` ones rest in between, as users do, the others never."""
    codes = [NEIGHBOUR.format(seed=seed, idle=int(idle)) for seed in range(count)]
    running = [subprocess.Popen([sys.executable, "-c", code]) for code in codes]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def looping(device, steps: int = LOOP):
    """Return a loop of multiply-adds as program, by the kernel that measures ceilings, and the family that judges it."""
    from importlib import import_module

    import numpy as np

    from hotloop.app.run import ceilings
    from hotloop.kernels.ceiling import opencl
    from hotloop.model.kernel import Empty, Kernel
    from hotloop.model.language import language
    from hotloop.model.problem import Problem, Work
    from hotloop.model.record import Record

    width = 8 if device.kind == "cpu" else 1
    made = import_module(f"hotloop.kernels.ceiling.{language(device.backend).ceiling}").fma_rate(
        device, "float32", width, steps
    )
    right = np.full(made.items, ceilings.FIXED_POINT * opencl.CHAINS * width)
    kernel = Kernel(
        family="loop",
        problem=Problem("loop", Record(items=made.items)),
        inputs=lambda _problem, _rng: {"out": Empty(right.shape)},
        reference=lambda _problem, _inputs: {"out": right},
        work=lambda _problem: Work(0, 0),
        implementations=(),
    )
    return made.program, kernel


def duels(desk, runs: int, longer: float = 1.0) -> list:
    """Compare the loop with one that takes `longer` times as many steps, `runs` times, as the product compares candidates."""
    from hotloop.app.run import timing
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.stats.paired import PairedTest

    (plain, kernel), (other, _) = looping(desk.device), looping(desk.device, round(longer * LOOP))
    workload = Workload(desk.engine, kernel, kernel.problem, desk.device, desk.seed)
    fought = [timing.duel(desk, workload, plain, other, PairedTest()) for _ in range(runs)]
    return [duel.comparison for duel in fought]
