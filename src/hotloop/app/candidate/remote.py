"""A candidate's kernel file as the judging process sees it: a name, a configuration, and plans that come as data."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from hotloop.app.session import worker_environment
from hotloop.errors import HotloopError, KernelFileError, MachineError, UsageError
from hotloop.host import strays
from hotloop.host.process import Child, ChildDiedError, ChildSilentError
from hotloop.host.standing import Standing, changed, standing
from hotloop.model.codec import decode, encode
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.outcome import NotApplicable
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.space import Config, Space

if TYPE_CHECKING:
    from hotloop.model.device import Device

CHILD = "hotloop.app.candidate.child"
_START_S = 60.0
_SOURCE_BYTES = 16 << 20
"""Longest source of a plan; each case of a check would send and hash it again."""
_PLAN_BYTES = 4 << 20
"""Longest plan beside its source, for the same reason."""
T = TypeVar("T")


@dataclass(slots=True)
class Remote:
    """A candidate in a process of its own."""

    text: str
    """The candidate as the command line names it."""
    family: str
    problem: Problem
    variant: Variant
    """The variant; its plans come from the process until that is closed, and afterwards only those that were already made are available."""
    _child: Child | None = None
    _limit_s: float = 0.0
    _before: Standing | None = None
    """How this process was scheduled before the candidate's started."""

    @property
    def given(self) -> bool:
        """True when it brings inputs of its own, whose names must be the incumbent's: a file, not a source."""
        return self._child is not None

    def inputs(self, problem: Problem) -> tuple[str, ...]:
        """Return the names of its inputs on a problem. Raises UsageError."""
        if self._child is None:
            return ()
        answer = _asked(self._child, self.text, self._limit_s, {"op": "names", "problem": encode(problem)})
        if "inapplicable" in answer:
            raise UsageError(f"{self.text} cannot take the problem {problem.key}: {answer['inapplicable']}.")
        return tuple(map(str, answer["names"]))

    def close(self) -> None:
        """End the process, before anything is timed.

        Raises:
            KernelFileError: it changed how the processes that judge it are scheduled.
        """
        if self._child is not None:
            self._child.kill()
        now = standing() if self._before is not None else None
        if self._before is not None and now is not None and (difference := changed(self._before, now)):
            raise KernelFileError(
                f"the code of {self.text} changed {difference} of the process that judges it; a kernel file only defines."
            )


def outside(text: str) -> bool:
    """Tell whether a candidate is a kernel file, whose code must not run in the judging process."""
    return text.partition("@")[0].partition(":")[0].endswith(".py")


@contextmanager
def opened(text: str, limit_s: float) -> Iterator[Remote]:
    """Give a candidate's file, loaded in a process of its own.

    Raises:
        UsageError: the file cannot be loaded, or asks for the best known variant.
        KernelFileError: its code ended the process, or did not end in time.
    """
    mark = f"candidate-{os.getpid()}-{secrets.token_hex(8)}"  # the group by which processes that it left behind are found and ended
    before = standing()
    child = Child(CHILD, worker_environment() | {strays.MARK: mark})
    try:
        answer = _asked(child, text, limit_s + _START_S, {"op": "load", "spec": _absolute(text), "limit_s": limit_s})
        if answer.get("config") is None:
            raise UsageError(
                f"{text} asks for the best known variant of a file; name its configuration: FILE@NAME=VALUE."
            )
        remote = _remote(child, text, limit_s, answer, before)
        yield remote
        remote.close()  # once more, because processes that it left behind may have waited
    finally:
        child.kill()


def _absolute(text: str) -> str:
    path, rest = text, ""
    for mark in ("@", ":"):
        head, separator, tail = path.partition(mark)
        path, rest = head, f"{separator}{tail}{rest}"
    return f"{Path(path).absolute()}{rest}"


def _remote(child: Child, text: str, limit_s: float, answer: Mapping[str, Any], before: Standing | None) -> Remote:
    try:
        problem, config = decode(answer["problem"], Problem), decode(answer["config"], Config)
        name, language = str(answer["name"]), str(answer["language"])
        family = str(answer["family"])
    except (LookupError, TypeError, ValueError) as error:
        raise KernelFileError(f"the process of {text} answered nonsense: {error}.") from error
    made: dict[tuple[Problem, Config], Program | NotApplicable] = {}

    def plan(asked: Problem, with_config: Config, device: Device) -> Program:
        key = asked, with_config
        if key not in made:
            message = {"op": "plan", "problem": encode(asked), "config": encode(with_config), "device": encode(device)}
            made[key] = _program(text, _asked(child, text, limit_s, message))
        program = made[key]
        if isinstance(program, NotApplicable):
            raise ValueError(program.reason)
        return program

    implementation = Implementation(name, language, Space(()), config, plan)
    return Remote(text, family, problem, Variant(implementation, config), child, limit_s, before)


def _program(text: str, answer: Mapping[str, Any]) -> Program | NotApplicable:
    """Return a plan, or why there is none."""
    if "inapplicable" in answer:
        return NotApplicable(str(answer["inapplicable"]))
    try:
        if len(answer["program"]["source"]) > _SOURCE_BYTES:
            raise KernelFileError(f"{text} plans a source longer than {_SOURCE_BYTES >> 20} MiB; that is no kernel.")
        if len(json.dumps({**answer["program"], "source": ""})) > _PLAN_BYTES:
            raise KernelFileError(f"{text} plans launches of more than {_PLAN_BYTES >> 20} MiB; that is no kernel.")
        return decode(answer["program"], Program)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise KernelFileError(f"the process of {text} answered nonsense: {error}.") from error


def _asked(child: Child, text: str, limit_s: float, message: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        answer = child.ask(message, limit_s)
    except ChildSilentError:
        raise KernelFileError(f"{text} did not answer within {limit_s:g} s; give more time with --limit.") from None
    except (ChildDiedError, OSError, ValueError):
        raise KernelFileError(f"the code of {text} ended its process; a kernel file only defines.") from None
    if "refused" in answer:
        kinds: dict[object, type[HotloopError]] = {2: UsageError, 3: MachineError}
        raise kinds.get(answer.get("exit_code"), KernelFileError)(str(answer["refused"])[:2000])
    return answer
