"""A process that predicts programs for one card: it compiles them, executes a few work-groups, and answers with what the model says.

A compiler that aborts, code that takes too long to execute or too much memory ends this process and none of the others.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hotloop.host.process import die_with_parent, receive, send

if TYPE_CHECKING:
    from hotloop.app.emulate.compiled import Code
    from hotloop.model.kernel import Inputs

_ASIDE = 5
"""Niceness: predictions leave the cores to whoever works at the machine, and to what else the run does."""
_CODES = 8
"""How many compiled programs are kept for other launches of them."""


def main() -> None:
    """Predict until the parent closes the socket; the first message says for which card and with which inputs."""
    die_with_parent()
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, _ASIDE)
    helper = _Helper(receive(channel))
    send(channel, {})
    while True:
        try:
            message = receive(channel)
        except EOFError:
            return
        send(channel, helper.answer(message))


class _OverError(BaseException):
    """The processor time of a prediction is spent; no handler of errors on the way may take it for one of theirs."""


@contextmanager
def _limited(limit_s: float) -> Iterator[None]:
    """Let a block take so much of this process's processor time, which a busy machine does not shorten. Raises _OverError."""

    def over(*_: object) -> None:
        raise _OverError

    signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


class _Helper:
    def __init__(self, hello: Mapping[str, Any]) -> None:
        from hotloop.predict.card import card
        from hotloop.targets.target import Target

        self._target, self._card = Target.parse(hello["target"]), card(hello["card"])
        self._label = str(hello["label"])
        self._inputs = loaded(Path(hello["inputs"]))
        self._codes = OrderedDict[str, "Code"]()

    def answer(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return the prediction of a program, or why there is none and whether that would be so again."""
        from hotloop.app.emulate import compiled
        from hotloop.app.predict.answer import of_task
        from hotloop.emulate.errors import EmulateError
        from hotloop.errors import HotloopError, MissingExtraError, UsageError
        from hotloop.model.codec import decode, encode
        from hotloop.model.program import Program

        limit_s = float(message["limit_s"])
        try:
            with _limited(limit_s):
                program = decode(message["program"], Program)
                task = compiled.task(self._label, program, self._code(program), self._inputs)
                return {"sequel": encode(of_task(task, self._card))}
        except _OverError:
            return {"refused": f"it takes more than {limit_s:.3g} s of processor time to predict", "lasting": False}
        except MemoryError:
            return {"refused": "there is not enough memory here to execute it", "lasting": False}
        except MissingExtraError as reason:
            return {"needs": reason.needs}
        except HotloopError as reason:
            return {
                "refused": str(reason),
                "lasting": isinstance(reason, UsageError | EmulateError)
                and not isinstance(reason, compiled.UnbuiltError),
            }

    def _code(self, program: Any) -> Code:  # noqa: ANN401 - a Program, imported late
        from hotloop.app.emulate import compiled

        key = program.build_key
        if key not in self._codes:
            self._codes[key] = compiled.compiled(program, self._target)
            while len(self._codes) > _CODES:
                self._codes.popitem(last=False)
        self._codes.move_to_end(key)
        return self._codes[key]


def loaded(folder: Path) -> Inputs:
    """Return the inputs that `crew.written` left in a folder; arrays are read from the file when they are used."""
    import json

    import numpy as np

    from hotloop.model.codec import decode
    from hotloop.model.dtype import dtype_of
    from hotloop.model.kernel import Empty

    made: dict[str, Any] = {}
    for name, item in json.loads((folder / "inputs.json").read_text(encoding="utf-8")).items():
        if "file" in item:
            dtype, shape = dtype_of(item["dtype"]), tuple(item["shape"])
            empty = 0 in shape
            made[name] = np.empty(shape, dtype) if empty else np.memmap(folder / item["file"], dtype, "r", shape=shape)
        else:
            made[name] = decode(item["empty"], Empty) if "empty" in item else item["number"]
    return made


if __name__ == "__main__":
    main()
