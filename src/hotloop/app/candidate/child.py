"""The process in which a candidate's kernel file is run: it answers what its plans are, as data, and can change nothing else.

It is confined before the file is loaded (`hotloop.host.confine`), cannot name any other process, and is killed before anything
is timed, together with all that it started.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Mapping
from typing import Any

from hotloop.host.confine import confine, without_others
from hotloop.host.process import die_with_parent, receive, send

Answer = dict[str, Any]


def main() -> None:
    """Load the file that the first message names, then answer until the parent closes the socket."""
    die_with_parent()
    channel = socket.socket(fileno=int(sys.argv[1]))
    channel.set_inheritable(False)
    sys.dont_write_bytecode = True
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    confine(())
    without_others()
    die_with_parent()
    hello = receive(channel)
    answer = _Candidate(hello).answer
    while True:
        send(channel, answer(hello))
        try:
            hello = receive(channel)
        except EOFError:
            return


class _Candidate:
    """A file's kernel, asked by messages; what it raises becomes a sentence."""

    def __init__(self, hello: Mapping[str, Any]) -> None:
        self._hello = hello
        self._spec: Any = None

    def answer(self, message: Mapping[str, Any]) -> Answer:
        from hotloop.errors import HotloopError

        asked: dict[str, Callable[[Mapping[str, Any]], Answer]] = {
            "load": self._load, "plan": self._plan, "names": self._names,
        }  # fmt: skip
        try:
            return asked[message["op"]](message)
        except HotloopError as error:
            return {"refused": str(error), "exit_code": error.exit_code}
        except ValueError as error:
            return {"inapplicable": str(error)}
        except Exception as error:  # noqa: BLE001 - the file is its user's code and may raise anything
            return {"refused": f"{self._hello['spec']} raises {type(error).__name__}: {error}.", "exit_code": 2}

    def _load(self, message: Mapping[str, Any]) -> Answer:
        from hotloop.app import spec as specs
        from hotloop.app import userfile
        from hotloop.model.codec import encode

        self._spec = specs.parse(message["spec"], message["limit_s"])
        kernel, chosen = self._spec.kernel, self._spec.chosen
        config = (
            None if self._spec.best else userfile.starting(kernel, self._spec.implementation, dict(self._spec.changes))
        )
        return {
            "family": kernel.family,
            "problem": encode(kernel.problem),
            "name": chosen.name,
            "language": chosen.language,
            "config": encode(config.config) if config else None,
        }

    def _problem(self, message: Mapping[str, Any]) -> Any:  # noqa: ANN401 - of this process
        from hotloop.model.codec import decode
        from hotloop.model.problem import Problem

        return decode(message["problem"], Problem)

    def _plan(self, message: Mapping[str, Any]) -> Answer:
        from hotloop.model.codec import decode, encode
        from hotloop.model.device import Device
        from hotloop.model.space import Config

        device, config = decode(message["device"], Device), decode(message["config"], Config)
        made = self._spec.chosen.plan(self._problem(message), config, device)
        return {"program": encode(made)}

    def _names(self, message: Mapping[str, Any]) -> Answer:
        import numpy as np

        problem = self._problem(message)
        try:
            return {"names": list(self._spec.kernel.inputs(problem, np.random.default_rng(0)))}
        except Exception as error:  # noqa: BLE001 - the file's function may raise anything on a foreign problem
            return {"inapplicable": f"it has no size {error}" if isinstance(error, KeyError) else str(error)}


if __name__ == "__main__":
    main()
