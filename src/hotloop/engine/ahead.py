"""Compiling ahead: a pool of isolated workers that only compile, for candidates that will be measured soon.

Each has a process and a folder of its own and may be killed by what it compiles, as the measuring worker may. What one of them
built is moved to the measuring worker's folder, which loads it in milliseconds; that a candidate does not compile is known
without troubling the measuring worker at all.
"""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Collection, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.engine import fit, names
from hotloop.engine.answers import last_words, signal_of
from hotloop.engine.due import Due
from hotloop.engine.wire import Sender
from hotloop.host import standing
from hotloop.host.arena import Arena
from hotloop.host.process import Child, ChildDiedError, ChildSilentError, kill_all
from hotloop.model.codec import decode, encode
from hotloop.model.language import language
from hotloop.model.outcome import Artifact, CompileFailed, Crashed, TimedOut

if TYPE_CHECKING:
    from hotloop.engine.answers import Failed
    from hotloop.model.device import Device
    from hotloop.model.program import Program

MOST_WORKERS = 16
_START_S = 60.0
Built = Artifact | CompileFailed | Crashed | TimedOut | None
"""Result of a build; None: nothing is known, and the measuring worker must build the program itself."""


@dataclass(slots=True)
class _Hand:
    """One compiling process with its folder."""

    child: Child
    arena: Arena
    wire: Sender = field(default_factory=Sender)

    def close(self) -> None:
        self.child.kill()
        self.arena.remove()


class Ahead:
    """Compiles programs in the background, several at a time."""

    def __init__(
        self,
        module: str,
        environment: Mapping[str, str],
        device: str,
        folder: Path,
        limit_s: float,
        workers: int,
        pretended: Device | None = None,
    ) -> None:
        """`pretended` is the GPU for which some languages compile without touching it."""
        self._module, self._environment, self._device = module, dict(environment), device
        self._folder, self._limit_s = folder, limit_s
        self._pretended = None if pretended is None else encode(pretended)
        # beside a measurement they leave cores to those that submit to the GPU and judge, which also go first; one that starts late costs seconds
        self._workers = max(1, min(MOST_WORKERS, workers if pretended is None else 7 * workers // 8 - 1))
        self._pool = ThreadPoolExecutor(self._workers, "compile")
        self._own = threading.local()
        self._hands: list[_Hand] = []
        self._asked: dict[str, Future[Built]] = {}
        self._opening: list[Future[None]] = []
        """Starts of processes that use the device: their compilers have none without it."""
        self._beginning = threading.Lock()
        self._closed = False

    def begin(self, program: Program) -> None:
        """Compile a program as soon as a worker is free, once."""
        key = names.build(program)
        with self._beginning:
            if key not in self._asked:
                self._asked[key] = self._pool.submit(self._compile, program)

    def warm(self, name: str) -> None:
        """Start all processes and have them load a language's compiler, which takes seconds: others use that time."""
        warming = [self._pool.submit(self._warmed, name) for _ in range(self._workers)]
        if not language(name).cross_compiled:
            self._opening = warming

    def _warmed(self, name: str) -> None:
        try:
            hand = self._hand()
            hand.child.ask({"op": "warm", "language": name, "pretended": self._pretended}, _START_S)
        except Exception:  # noqa: BLE001 - whoever compiles there meets the same, and knows what to do
            self._lost()

    def result(self, program: Program, limit_s: float | None = None) -> Built:
        """Wait for a program's build and return its result; None where it was never begun. Raises TimeoutError."""
        asked = self._asked.get(names.build(program))
        return None if asked is None else asked.result(limit_s)

    def unfit(self, programs: Collection[Program], device: Device | None, due: Due) -> Failed | None:
        """Return the first failure among programs, or None; what cannot be launched is one. Raises SpentError."""
        if known := fit.impossible(programs, device):
            return known
        with due.waiting():
            built = ((program, self.result(program, due.left_s())) for program in programs)
            return next((failed for program, made in built if (failed := fit.failed(program, made, device))), None)

    def ready(self, program: Program) -> bool:
        """Tell whether nobody has to wait for a program: it is built, or was never begun."""
        asked = self._asked.get(names.build(program))
        return asked is None or asked.done()

    def opened(self) -> None:
        """Wait until no process that was started early is opening the device, which others are about to be timed on."""
        wait(self._opening)

    def settle(self, due: Due) -> None:
        """Wait until nothing compiles: on a processor that is about to be timed. Raises SpentError."""
        with due.waiting():
            if wait(self._asked.values(), due.left_s()).not_done:
                raise TimeoutError

    def close(self) -> None:
        """End all compiling processes."""
        self._closed = True
        kill_all([hand.child for hand in self._hands])
        self._pool.shutdown(wait=True, cancel_futures=True)
        kill_all([hand.child for hand in self._hands])  # one that was begun meanwhile, too
        for hand in self._hands:
            hand.arena.remove()

    def _compile(self, program: Program) -> Built:
        try:
            hand = self._hand()
            hand.wire.begin()
            message: dict[str, object] = {
                "op": "ahead",
                "program": hand.wire.program(program),
                "file": names.build(program),
            }
            if language(program.language).cross_compiled:
                message["pretended"] = self._pretended
            answer = hand.child.ask({**message, **hand.wire.news()}, self._limit_s)
            return self._taken(hand, program, answer)
        except ChildSilentError:
            self._lost()
            return TimedOut("build", self._limit_s)
        except ChildDiedError as death:
            self._lost()
            code = signal_of(death.returncode)
            blamed = code is not None and code != signal.SIGKILL  # which no candidate sends itself
            return Crashed("build", code, last_words(death.tail)) if blamed else None
        except Exception:  # noqa: BLE001 - whatever goes wrong here, the measuring worker builds it and says what is wrong
            self._lost()
            return None

    def _taken(self, hand: _Hand, program: Program, answer: Mapping[str, object]) -> Built:
        """Move what was built to the measuring worker's folder."""
        failure = answer.get("failure")
        if isinstance(failure, dict) and failure.get("is") == "CompileFailed":
            # Without its device a compiler may refuse what it would take with it.
            return None if language(program.language).cross_compiled else decode(failure, CompileFailed)
        if "artifact" not in answer:
            return None
        artifact = decode(answer["artifact"], Artifact)
        made = hand.arena.path / (names.build(program) + names.AHEAD)
        if made.exists():
            kept = made.read_bytes()
            made.unlink()
            (self._folder / (names.build(program) + names.ARTIFACT)).write_text(
                json.dumps(answer["artifact"]), encoding="utf-8"
            )
            half = self._folder / (names.build(program) + ".half")
            half.write_bytes(kept)
            half.rename(self._folder / (names.build(program) + names.AHEAD))
        return artifact

    def _hand(self) -> _Hand:
        """Return this thread's process."""
        hand: _Hand | None = getattr(self._own, "hand", None)
        if hand is None:
            if self._closed:
                raise RuntimeError("closed")
            arena, aside = Arena.create(), self._pretended is not None
            mark = {standing.ASIDE: "1"} if aside else {}
            hand = _Hand(Child(self._module, {**self._environment, **arena.environment(), **mark}), arena)
            self._hands.append(hand)
            self._own.hand = hand
            hand.child.ask({"arena": str(arena.path), "device": self._device, "aside": aside}, _START_S)
        return hand

    def _lost(self) -> None:
        hand: _Hand | None = getattr(self._own, "hand", None)
        self._own.hand = None
        if hand is not None:
            with suppress(ValueError):
                self._hands.remove(hand)
            hand.close()
