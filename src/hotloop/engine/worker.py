"""The worker process: compiles and runs candidates, one request at a time; any candidate may kill it.

It receives programs and the names of files with arrays, and makes no decisions. The parent process judges the results from
the files that the worker leaves.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from hotloop import registry
from hotloop.engine import fences, layout, names, renewal, rounds
from hotloop.engine.bench import Bench
from hotloop.engine.stage import Stage
from hotloop.engine.wire import Receiver, told
from hotloop.errors import HotloopError
from hotloop.host.process import die_with_parent, receive, send
from hotloop.model.codec import decode, encode
from hotloop.model.device import Device
from hotloop.model.outcome import Artifact, LaunchFailed
from hotloop.ports import (
    Backend,
    Bound,
    Buffer,
    BuildError,
    LaunchError,
    Pretending,
    RenewRequest,
    Run,
    Separable,
    TimeRequest,
)

Answer = dict[str, Any]
_ASIDE = 10
"""Niceness of processes that compile beside a measurement."""

_SPOILED = (0x7FC3A5A5, 0x7E535353, 0xFE535353, None)
"""Contents of local and private memory before a run, in turn: NaN, large numbers of either sign (as floats and as integers), and what the
run before left with some words changed. They differ from the initial contents of outputs, so that a result made of them is not taken for
one that was never written."""


class Worker:
    """Answers requests; failures of the candidate become values, defects become ``error``."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._wire = Receiver()
        self._stage = Stage(bench.arena)

    def handle(self, message: Mapping[str, Any]) -> Answer:
        """Answer one request; failures of the candidate become values, defects become ``error``."""
        operations: dict[str, Callable[[Mapping[str, Any]], Answer]] = {
            "devices": self._devices,
            "select": self._select,
            "build": self._build,
            "binary": self._binary,
            "ahead": self._ahead,
            "warm": self._warm,
            "execute": self._execute,
            "time": self._time,
            "renew": self._renew,
            "discard": self._discard,
        }
        self._wire.learn(message)
        try:
            return operations[message["op"]](message)
        except (BuildError, LaunchError, MemoryError) as error:
            return {"failure": _failure(error)}
        except HotloopError as error:
            return {"refused": str(error), "exit_code": error.exit_code}
        except Exception as error:  # noqa: BLE001 - the parent turns it into one error message, with --debug the whole text
            return {"error": traceback.format_exc(), "missing": isinstance(error, FileNotFoundError)}

    def _devices(self, message: Mapping[str, Any]) -> Answer:
        made: Backend = registry.load("hotloop.backends", message["language"], "BACKEND")()
        return {"devices": [encode(device) for device in made.devices()]}

    def _select(self, message: Mapping[str, Any]) -> Answer:
        self._bench.device_name = message["device"]
        made: Backend = registry.load("hotloop.backends", message["language"], "BACKEND")()
        device = made.select(self._bench.device_name)
        self._bench.adopt(message["language"], made, device)
        return {"device": encode(device)}

    def _build(self, message: Mapping[str, Any]) -> Answer:
        program = self._wire.program(message["program"])
        return {"artifact": encode(self._bench.build(program), Artifact)}

    def _binary(self, message: Mapping[str, Any]) -> Answer:
        program = self._wire.program(message["program"])
        backend = self._bench.backend(program.language)
        self._bench.build(program)
        name = f"{program.build_key}.binary"
        (self._bench.arena / name).write_bytes(backend.binary(program))
        return {"file": name}

    def _ahead(self, message: Mapping[str, Any]) -> Answer:
        """Build a program and save it so that another worker can load it."""
        program = self._wire.program(message["program"])
        if message.get("pretended"):
            self._pretend(program.language, decode(message["pretended"], Device))
        artifact, backend = self._bench.build(program), self._bench.backend(program.language)
        if isinstance(backend, Separable):
            (self._bench.arena / (message["file"] + names.AHEAD)).write_bytes(backend.export(program))
        return {"artifact": encode(artifact, Artifact)}

    def _warm(self, message: Mapping[str, Any]) -> Answer:
        """Load a language's compiler before somebody needs it; one that compiles for the device it has opens that."""
        self._pretend(message["language"], decode(message["pretended"], Device))
        self._bench.backend(message["language"])
        return {}

    def _pretend(self, language: str, device: Device) -> None:
        """Set a language's backend up to compile for a device without opening the device, once."""
        if self._bench.has(language):
            return
        made: Backend = registry.load("hotloop.backends", language, "BACKEND")()
        if isinstance(made, Pretending):
            from hotloop.compilers import pretended  # imported late, because few workers need it

            pretended.for_device(device.target)
            made.pretend(device)
            self._bench.adopt(language, made, device)

    def _execute(self, message: Mapping[str, Any]) -> Answer:
        """Run programs in sequence, each on freshly loaded arrays, up to the first that fails."""
        programs = [self._wire.program(data) for data in message["programs"]]
        runs: list[Answer] = []
        self._bench.hold(())
        for index, (number, dataset, fence, only) in enumerate(message["runs"]):
            try:
                asked = Run(programs[number], self._wire.dataset(dataset), fence, only)
                with self._stage.within("build", message["build_limit_s"]):
                    bound, buffers = self._bound(asked)
                file, own = layout.RUNS, message.get("landing", "")
                if own and not buffers and self._bench.lands(asked.program, asked.dataset):
                    file = own
                with self._stage.within("execute", message["run_limit_s"]):
                    device_ns = self._run(bound, asked, buffers, index, file)
                runs.append({"device_ns": device_ns, **(self._seen(asked, file) if file == own else {})})
            except (BuildError, LaunchError, MemoryError) as error:
                return {"runs": [*runs, {"failure": _failure(error)}]}
        return {"runs": runs}

    def _seen(self, asked: Run, file: str) -> Answer:
        """Say that results lie in a file of their own, and what some of their words are before anything else runs."""
        seed = secrets.randbits(63)
        return {
            "landed": True,
            "seen": [seed, layout.words(self._bench.landed(asked.program, asked.dataset, file), seed)],
        }

    def _bound(self, asked: Run) -> tuple[Bound, Mapping[str, Buffer]]:
        """Return a program with its arguments set, and the fenced buffers among them, if any."""
        fenced = fences.buffers(self._bench, asked) if asked.fence else {}
        if not fenced:
            return self._bench.bind(asked.program, asked.dataset), {}
        self._bench.build(asked.program)
        return self._bench.backend(asked.program.language).bind(asked.program, fenced), fenced

    def _run(self, bound: Bound, asked: Run, fenced: Mapping[str, Buffer], index: int, file: str) -> float | None:
        if not fenced:
            self._bench.restore(asked.program, asked.dataset)
        if spoil := self._bench.spoil((asked.program,), _SPOILED[index % len(_SPOILED)], whole=False):
            spoil.enqueue()  # what a kernel finds in local and private memory is nobody's zero
            spoil.finish()
        bound.enqueue()
        device_ns = bound.finish()
        if fenced:
            self._bench.keep(asked.program, asked.dataset, fenced, file, behind=index > 0)
        else:
            self._bench.save(asked.program, asked.dataset, file, behind=index > 0)
            self._bench.ran(asked.program, asked.dataset)
        return device_ns

    def _time(self, message: Mapping[str, Any]) -> Answer:
        request = TimeRequest(
            programs=tuple(self._wire.program(data) for data in message["programs"]),
            datasets=self._wire.datasets(message["datasets"]),
            rounds=message["rounds"],
            target_sample_ns=message["target_sample_ns"],
            calls=tuple(message["calls"]),
            warmup_ns=message["warmup_ns"],
            mode=message["mode"],
            metered=message["metered"],
            hopeless=tuple(message.get("hopeless", ())),
            busiest=message.get("busiest", False),
            judged=tuple(message["judged"]),
            suspects=None if message["suspects"] is None else tuple(message["suspects"]),
        )
        return {"timed": told(rounds.run(self._bench, request))}

    def _renew(self, message: Mapping[str, Any]) -> Answer:
        request = RenewRequest(
            program=self._wire.program(message["program"]),
            rival=self._wire.program(message["rival"]),
            datasets=self._wire.datasets(message["datasets"]),
            fresh=tuple(self._wire.dataset(name) for name in message["fresh"]),
            calls=message["calls"],
            known_calls=message["known_calls"],
            judged=tuple(message["judged"]),
            met=message["met"],
            warm=message["warm"],
            spoil=message["spoil"],
        )
        return {"timed": told(renewal.renew(self._bench, request))}

    def _discard(self, message: Mapping[str, Any]) -> Answer:
        self._bench.discard(message["name"])
        return {}


def _failure(error: BuildError | LaunchError | MemoryError) -> Answer:
    log = str(error)
    if isinstance(error, BuildError):
        return {"is": "CompileFailed", "log": log, "line": error_line(log)}
    return encode(LaunchFailed(log or "out of memory"), LaunchFailed) | {"is": "LaunchFailed"}  # type: ignore[no-any-return]


def error_line(log: str) -> int | None:
    """Return the source line of the first error in a compiler's log.

    >>> error_line("1:7:9: error: use of undeclared identifier")
    7
    >>> error_line('tile.cu(12): error: identifier "x" is undefined')
    12
    >>> error_line("warning: all is well") is None
    True
    """
    for row in log.splitlines():
        head, separator, _ = row.partition(": error")
        numbers = [part for part in head.split(":") if part.isdigit()]
        if separator and len(numbers) >= 2:
            return int(numbers[-2])
        nvrtc = re.search(r"\((\d+)\)$", head)
        if separator and nvrtc:
            return int(nvrtc[1])
    return None


def main() -> None:
    """Serve requests until the parent closes the socket."""
    die_with_parent()
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)  # a compiler process that outlives the worker must not keep the parent waiting
    hello = receive(channel)
    if hello.get("aside"):  # a process that only compiles leaves the cores to the one that measures
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, 0, _ASIDE)
    worker = Worker(Bench(Path(hello["arena"]), hello["device"]))
    send(channel, {"pid_alive_s": time.monotonic()})
    while True:
        try:
            message = receive(channel)
        except EOFError:
            return
        send(channel, worker.handle(message))


if __name__ == "__main__":
    main()
