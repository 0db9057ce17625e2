"""A compiler in a process of its own: one question, and from the end of the process to an outcome."""

from __future__ import annotations

import re
import socket
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from hotloop.compilers.offer import STAGE
from hotloop.errors import HotloopError, UnsetParameterError, UsageError
from hotloop.host.process import Child, ChildDiedError, ChildSilentError, die_with_parent, receive, send
from hotloop.host.toolchain import Ran
from hotloop.model.outcome import CompileFailed, Crashed, TimedOut

_ABORT = re.compile(
    r"LLVM ERROR:|fatal error: error in backend|frontend command failed|Assertion .* failed|UNREACHABLE"
)
_ERROR = re.compile(
    r"^(?:.*?:(?P<line>\d+):\d+: |.*?\((?P<paren>\d+)\): |.*?, line (?P<ptx>\d+); )?(?:fatal )?error", re.MULTILINE
)
_LOG_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class Told:
    """What a child process answered."""

    answer: Mapping[str, Any]
    said: str
    """The end of what it printed."""
    took_ns: int


def ask(
    module: str, environment: Mapping[str, str], message: Mapping[str, Any], limit_s: float
) -> Told | Crashed | TimedOut:
    """Run a module whose `serve` answers one message.

    Raises:
        HotloopError: what the child says is the user's or the machine's fault.
    """
    child, began_ns = Child(module, environment), time.monotonic_ns()
    try:
        answer = child.ask(message, limit_s)
    except ChildSilentError:
        return TimedOut(STAGE, limit_s)
    except ChildDiedError as death:
        number = -death.returncode if death.returncode is not None and death.returncode < 0 else None
        return Crashed(STAGE, number, abort_message(death.tail))
    finally:
        child.kill()
    took_ns = time.monotonic_ns() - began_ns
    if "refused" in answer:
        raise _KINDS.get(answer["kind"], HotloopError)(answer["refused"])
    return Told(answer, child.tail, took_ns)


def refusal(error: HotloopError) -> dict[str, Any]:
    """Return the answer of a child to a request that the user must change, as `ask` raises it again."""
    kind = UnsetParameterError if isinstance(error, UnsetParameterError) else UsageError
    return {"refused": str(error), "kind": kind.__name__ if error.exit_code == UsageError.exit_code else ""}


_KINDS: Mapping[str, type[HotloopError]] = {kind.__name__: kind for kind in (UsageError, UnsetParameterError)}


def serve(answer: Callable[[Mapping[str, Any]], dict[str, Any]]) -> None:
    """Answer one question of the process that started this one, then wait until it has read what was printed."""
    die_with_parent()
    channel = socket.socket(fileno=int(sys.argv[1]))
    send(channel, answer(receive(channel)))
    channel.recv(1)  # until the parent, having read everything printed so far, closes or kills


def failure(ran: Ran) -> CompileFailed | Crashed:
    """Return what became of a compiler that did not succeed.

    A compiler that ends by a signal, or reports an error of its own back end, has crashed: the source may be right.
    """
    log = (ran.stderr + ran.stdout)[:_LOG_CHARACTERS]
    abort = _ABORT.search(log)
    if ran.signal is not None or abort:
        return Crashed(STAGE, ran.signal or exit_signal(ran.returncode), abort_message(log))
    return CompileFailed(log.strip() or f"the compiler ended with {ran.returncode} and no message", error_line(log))


def abort_message(log: str) -> str:
    r"""Return the line that says why a compiler gave up, or its first one.

    >>> abort_message("note: x\nfatal error: error in backend: Cannot select: intrinsic %llvm.amdgcn.mfma")
    'fatal error: error in backend: Cannot select: intrinsic %llvm.amdgcn.mfma'
    """
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    telling = [line for line in lines if _ABORT.search(line)]
    return (telling or lines or ["no message"])[0][:300]


def error_line(log: str) -> int | None:
    """Return the source line of the first error of clang, nvcc or ptxas.

    >>> error_line("k.hip:3:59: error: needs target feature"), error_line("k.cu(7): error: x"), error_line("error: y")
    (3, 7, None)
    """
    for match in _ERROR.finditer(log):
        number = match["line"] or match["paren"] or match["ptx"]
        if number:
            return int(number)
    return None


def exit_signal(returncode: int) -> int | None:
    """Return the signal that a driver's exit status stands for: it reports its own child's as 128 + number."""
    return returncode - 128 if 128 < returncode < 160 else None
