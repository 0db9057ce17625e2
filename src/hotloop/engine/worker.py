"""The worker process: compiles and runs candidates, one request at a time, and may die at any of them.

It receives programs and the names of files that hold arrays, nothing else; it decides nothing. Whoever started it
judges from the files that it leaves behind.
"""

from __future__ import annotations

import socket
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hotloop import registry
from hotloop.engine import rounds
from hotloop.engine.bench import Bench
from hotloop.errors import HotloopError
from hotloop.host.process import die_with_parent, receive, send
from hotloop.model.codec import decode, encode
from hotloop.model.outcome import Artifact, LaunchFailed
from hotloop.model.program import Program
from hotloop.ports import Backend, BuildError, Dataset, LaunchError, TimeRequest

Answer = dict[str, Any]


class Worker:
    """Answers requests; failures of the candidate become values, defects become ``error``."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def handle(self, message: Mapping[str, Any]) -> Answer:
        """Answer one request; failures of the candidate become values, defects become ``error``."""
        operations: dict[str, Callable[[Mapping[str, Any]], Answer]] = {
            "devices": self._devices,
            "select": self._select,
            "build": self._build,
            "binary": self._binary,
            "execute": self._execute,
            "time": self._time,
            "discard": self._discard,
        }
        try:
            return operations[message["op"]](message)
        except BuildError as error:
            log = str(error)
            return {"failure": {"is": "CompileFailed", "log": log, "line": error_line(log)}}
        except (LaunchError, MemoryError) as error:
            return {
                "failure": encode(LaunchFailed(str(error) or "out of memory"), LaunchFailed) | {"is": "LaunchFailed"}
            }
        except HotloopError as error:
            return {"refused": str(error), "exit_code": error.exit_code}
        except Exception:  # noqa: BLE001 - the parent turns it into one error message, with --debug the whole text
            return {"error": traceback.format_exc()}

    def _devices(self, message: Mapping[str, Any]) -> Answer:
        made: Backend = registry.load("hotloop.backends", message["language"], "BACKEND")()
        return {"devices": [encode(device) for device in made.devices()]}

    def _select(self, message: Mapping[str, Any]) -> Answer:
        self._bench.device_name = message["device"]
        made: Backend = registry.load("hotloop.backends", message["language"], "BACKEND")()
        device = made.select(self._bench.device_name)
        self._bench.adopt(message["language"], made)
        return {"device": encode(device)}

    def _build(self, message: Mapping[str, Any]) -> Answer:
        program = decode(message["program"], Program)
        return {"artifact": encode(self._bench.backend(program.language).build(program), Artifact)}

    def _binary(self, message: Mapping[str, Any]) -> Answer:
        program = decode(message["program"], Program)
        backend = self._bench.backend(program.language)
        backend.build(program)
        name = f"{program.build_key}.binary"
        (self._bench.arena / name).write_bytes(backend.binary(program))
        return {"file": name}

    def _execute(self, message: Mapping[str, Any]) -> Answer:
        program, dataset = decode(message["program"], Program), decode(message["dataset"], Dataset)
        bound = self._bench.bind(program, dataset)
        device_ns = None
        for _ in range(message["repeat"]):
            self._bench.restore(program, dataset)
            bound.enqueue()
            device_ns = bound.finish()
        self._bench.save(program, dataset)
        return {"device_ns": device_ns}

    def _time(self, message: Mapping[str, Any]) -> Answer:
        return {"timed": encode(rounds.run(self._bench, decode(message["request"], TimeRequest)))}

    def _discard(self, message: Mapping[str, Any]) -> Answer:
        self._bench.discard(message["name"])
        return {}


def error_line(log: str) -> int | None:
    """Return the source line of the first error in a compiler's log.

    >>> error_line("1:7:9: error: use of undeclared identifier")
    7
    >>> error_line("warning: all is well") is None
    True
    """
    for row in log.splitlines():
        head, found, _ = row.partition(": error")
        numbers = [part for part in head.split(":") if part.isdigit()]
        if found and len(numbers) >= 2:
            return int(numbers[-2])
    return None


def main() -> None:
    """Serve requests until the parent closes the socket."""
    die_with_parent()
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)  # a compiler that outlives this process must not keep the parent waiting
    hello = receive(channel)
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
