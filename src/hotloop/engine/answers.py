"""Checks of a worker's answers before they are used, because a candidate may have overwritten the worker's memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from math import inf
from typing import TYPE_CHECKING, Any

from hotloop.engine import layout
from hotloop.engine.wire import heard
from hotloop.errors import HotloopError, MachineError, NoDeviceError, UsageError
from hotloop.host import memory
from hotloop.model.codec import decode
from hotloop.model.device import Device
from hotloop.model.outcome import CompileFailed, Crashed, LaunchFailed, TimedOut
from hotloop.ports import Executed
from hotloop.stats.rounds import outrun

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.ports import RenewRequest, Run, Timed, TimeRequest

    Read = Callable[[str, Sequence[layout.Results]], Sequence[Mapping[str, NDArray[np.uint8]]]]

Failed = CompileFailed | LaunchFailed | Crashed | TimedOut
Answer = Mapping[str, Any]
NONSENSE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, OSError)
"""Exceptions that reading an answer raises where it makes no sense."""


def landed(runs: Sequence[Run], answer: Answer) -> bool:
    """Tell whether the result of a single run lies in the file that was its own."""
    return len(runs) == 1 and all(row.get("landed") is True for row in answer["runs"][:1])


def executed(
    runs: Sequence[Run], read: Read, file: str, answer: Answer
) -> tuple[Executed | CompileFailed | LaunchFailed, ...]:
    """Return what runs left, as `read` copies it from a file, up to the first that failed. Raises ValueError when some are missing."""
    rows = answer["runs"][: len(runs)]
    failed = tuple(failure(row["failure"]) for row in rows if "failure" in row)[:1]
    rows = [*takewhile(lambda row: "failure" not in row, rows)]
    if not failed and len(rows) < len(runs):
        raise ValueError("runs are missing")
    saved = [layout.results(run.program, run.dataset) for run in runs[: len(rows)]]
    left = read(file, saved) if saved else ()
    return (*(Executed(arrays, row["device_ns"]) for arrays, row in zip(left, rows, strict=True)), *failed)


def timed(request: TimeRequest, answer: Answer) -> Timed:
    """Return the samples of a request. Raises ValueError when they cannot be its answer."""
    decoded = heard(answer["timed"])
    contenders = sorted(2 * list(range(len(request.programs))))
    enough = len(decoded.rounds) == request.rounds or outrun(decoded.rounds, request.hopeless)
    complete = enough and len(decoded.calls) == len(request.programs)
    if not complete or any(
        sorted(index for index, _ in timed_round.samples) != contenders for timed_round in decoded.rounds
    ):
        raise ValueError("samples are missing")
    if not all(0 < s.call_ns < inf for timed_round in decoded.rounds for _, s in timed_round.samples):
        raise ValueError("times that cannot be")
    energies = [s.energy_j for timed_round in decoded.rounds for _, s in timed_round.samples]
    if request.metered and not all(joules is not None and 0 < joules < inf for joules in energies):
        raise ValueError("energies that cannot be")
    return decoded


def renewed(answer: Mapping[str, Any], request: RenewRequest) -> Timed:
    """Return the samples of a renewal. Raises ValueError when they cannot be its answer."""
    decoded = heard(answer["timed"])
    if len(decoded.rounds) != request.rounds or any(
        sorted(i for i, _ in timed_round.samples) != [0, 1] for timed_round in decoded.rounds
    ):
        raise ValueError("samples are missing")
    if not all(0 < s.call_ns < inf for timed_round in decoded.rounds for _, s in timed_round.samples):
        raise ValueError("times that cannot be")
    return decoded


def raise_for(op: str, answer: Answer) -> None:
    """Raise the exception of an answer that is no outcome of a candidate: a request that cannot be met, or a defect of hotloop."""
    if "refused" in answer:
        machine = NoDeviceError if op in ("devices", "select") else MachineError
        raise (UsageError if answer.get("exit_code") == UsageError.exit_code else machine)(str(answer["refused"]))
    if "error" in answer:
        raise HotloopError(defect(op, answer)) from RuntimeError(str(answer["error"]))


def defect(op: str, answer: Answer) -> str:
    r"""Return one sentence from a traceback: the first line after its last indented line.

    >>> defect("build", {"error": "Traceback:\n  File ...\nValueError: first\nsecond"})
    'defect in the worker, please report it: ValueError: first'
    """
    rows = str(answer["error"]).strip().splitlines()
    after = max((index + 1 for index, row in enumerate(rows) if row.startswith(" ")), default=0)
    return f"defect in the worker, please report it: {next(iter(rows[after:]), op)}"


def failure(data: Any) -> CompileFailed | LaunchFailed:  # noqa: ANN401 - JSON is dynamically typed
    """Return the outcome of a failed candidate."""
    kinds = {"CompileFailed": CompileFailed, "LaunchFailed": LaunchFailed}
    return decode(data, kinds[data["is"]])


def devices(answer: Answer) -> list[Device]:
    """Return the devices that a worker lists."""
    return [decode(row, Device) for row in answer["devices"]]


def signal_of(returncode: int | None) -> int | None:
    """Return the signal that ended a process; None where it ended otherwise."""
    return -returncode if returncode is not None and returncode < 0 else None


def died(answer: Failed) -> str:
    """Return how a worker ended, with the limit on its memory that may be why."""
    return ("did not answer" if isinstance(answer, TimedOut) else "crashed") + memory.narrow()


def last_words(tail: str) -> str:
    r"""Return the most telling line of what a dead worker printed.

    >>> last_words("noise\nFatal Python error: Segmentation fault\n\nCurrent thread ...")
    'Segmentation fault'
    """
    lines = [line.strip() for line in tail.splitlines() if line.strip()]
    for line in lines:
        if "Assertion" in line or "LLVM ERROR" in line:
            return line[:200]
    fatal = next((line for line in lines if line.startswith("Fatal Python error: ")), "")
    return fatal.removeprefix("Fatal Python error: ") or (lines[-1][:200] if lines else "")
