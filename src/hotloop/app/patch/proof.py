"""Whether a patched kernel does what the original does: both executed on the CPU, under an adversary, on every launch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.app.patch.trial import Trial
from hotloop.emulate.launch import Execution, run
from hotloop.emulate.machine import Options, Order
from hotloop.emulate.program import Program, load
from hotloop.model.proof import Compared, Proof

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.generic]

ADVERSARY = (
    Options(late=True, order=Order.TOGETHER),
    Options(late=False, order=Order.TOGETHER),
    Options(late=True, order=Order.ASCENDING),
    Options(late=True, order=Order.DESCENDING),
)
"""Memory as late and as early as waits allow, waves together and one after the other from both ends."""


def prove(
    before: str,
    after: str,
    kernel: str,
    target: str,
    trials: Sequence[Trial],
    tell: Callable[[str], None] = lambda _: None,
) -> Proof:
    """Execute both listings on every launch and compare; `tell` hears of each launch before it is executed.

    Raises:
        EmulateError: one of them cannot be executed; the message has the line.
    """
    programs = load(before, kernel, target), load(after, kernel, target)
    rows = []
    for number, trial in enumerate(trials, 1):
        tell(f"executing inputs {number} of {len(trials)} ({trial.name}), {len(ADVERSARY) + 1} times")
        rows.append(_compared(programs, trial))
    return Proof(tuple(rows), len(rows) * (len(ADVERSARY) + 1))


def _compared(programs: tuple[Program, Program], trial: Trial) -> Compared:
    import numpy as np

    original = run(programs[0], trial.launch, ADVERSARY[0], groups=trial.groups)
    runs = [run(programs[1], trial.launch, options, groups=trial.groups) for options in ADVERSARY]
    already = {(f.trouble, f.instruction) for f in original.findings}
    new = tuple(
        dict.fromkeys(
            f"{f.trouble}: {f.text} (line {f.line}: {f.instruction})"
            for done in runs
            for f in done.findings
            if (f.trouble, f.instruction) not in already
        )
    )
    outputs = [_output(trial, original, done, output) for done in runs for output in trial.outputs]
    return Compared(
        trial=trial.name,
        groups=len(trial.groups) if trial.groups is not None else int(np.prod(trial.launch.grid)),
        written=outputs[0].written,
        differ=max(compared.differ for compared in outputs),
        largest=max(compared.largest for compared in outputs),
        beyond=None if trial.wanted is None else max(compared.beyond for compared in outputs),
        lost=max(compared.lost for compared in outputs),
        findings=new,
        executed=(original.executed, runs[0].executed),
    )


@dataclass(frozen=True, slots=True)
class _Output:
    written: int
    differ: int
    largest: float
    beyond: int
    lost: int


def _output(trial: Trial, original: Execution, done: Execution, output: int) -> _Output:
    import numpy as np

    poison = np.ascontiguousarray(trial.launch.arguments[output])
    old, new = (np.ascontiguousarray(run.arrays[output]) for run in (original, done))
    start, was, now = (_bits(array) for array in (poison, old, new))
    written = (was != start) | (now != start)
    differ = (was != now) & written
    wide = [array.reshape(-1).astype(np.float64) for array in (old, new)]
    with np.errstate(all="ignore"):
        finite = np.isfinite(wide[0]) & np.isfinite(wide[1])
        gap = np.where(differ & finite, np.abs(wide[0] - wide[1]), 0.0)
        lost = differ & ~finite & ~(np.isnan(wide[0]) & np.isnan(wide[1]))
    beyond = np.zeros(0, bool)
    if trial.wanted is not None and trial.bound is not None and output == trial.outputs[0]:
        error = np.abs(wide[1] - trial.wanted.reshape(-1).astype(np.float64))
        beyond = ~(error <= trial.bound.reshape(-1).astype(np.float64)) & written
    return _Output(
        int(written.sum()), int(differ.sum()), float(gap.max(initial=0.0)), int(beyond.sum()), int(lost.sum())
    )


def _bits(array: Array) -> Array:
    """Return the elements of an array as integers, flat."""
    import numpy as np

    words: Array = array.reshape(-1).view(np.dtype(f"u{array.dtype.itemsize}"))
    return words
