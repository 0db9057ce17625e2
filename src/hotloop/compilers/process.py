"""From the end of a compiler's process to an outcome."""

from __future__ import annotations

import re

from hotloop.compilers.offer import STAGE
from hotloop.host.toolchain import Ran
from hotloop.model.outcome import CompileFailed, Crashed

_ABORT = re.compile(
    r"LLVM ERROR:|fatal error: error in backend|frontend command failed|Assertion .* failed|UNREACHABLE"
)
_ERROR = re.compile(
    r"^(?:.*?:(?P<line>\d+):\d+: |.*?\((?P<paren>\d+)\): |.*?, line (?P<ptx>\d+); )?(?:fatal )?error", re.MULTILINE
)
_LOG_CHARACTERS = 20_000


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
