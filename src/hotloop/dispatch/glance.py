"""One glance at kernels of whose speed at a shape nobody knows: timed beside PyTorch's function at a first call, in milliseconds.

What dispatch foresees of a shape that was never measured is a guess, and PyTorch's own choices jump from one shape to the next. So the first
call that can be measured is: on the caller's tensors, outside of a captured graph, a few calls of each kernel and of PyTorch's function in
alternating rounds, and from then on the fastest runs. A result that is further from PyTorch's than rounding explains rules its kernel out.
`hotloop.dispatch.warming` asks for more: errors against higher precision, more kernels, a paired verdict that is kept between processes.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, Protocol

from hotloop.dispatch import arguments, pace
from hotloop.dispatch.arguments import torch
from hotloop.dispatch.remembered import Answer
from hotloop.dispatch.select import MARGIN, PEER, instead
from hotloop.host import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from hotloop.dispatch.choice import Choice

_WANTED = settings.GLANCE.get() != "off"
_LEAST_GAIN = 1 + MARGIN
"""How many times a kernel's time PyTorch's must be: what is as fast stays PyTorch's."""
_SHORT_NS, _LEAST_GAIN_SHORT = 15_000.0, 1.04
"""Calls below which starting them is a good part of their time, and the gain that they must show."""
_CLEAR, _LONG_NS = 1.5, 1e6
"""Factor to the fastest behind which no more samples are taken, after one round of calls that take so long, after two of others."""
_ROUNDS, _FEWEST = 5, 2
_ENOUGH_S = 0.03
"""Time of rounds behind which the fewest are enough: they are of calls that take long and vary little."""
_COMPILERS = 4
"""Kernels of a call that are compiled side by side."""
_CLOSE, _LOOKS = 1.1, 8
"""Gain below which a kernel is compared once more with PyTorch's function, and the samples of each: the first look takes the least of few
samples, and long calls of both slow down by unlike shares once the device is hot (of 60 first calls of 100 µs and more two were wrong by 8 and 22 %)."""
_CLOSE_SHORT, _CAPTURES = 1.3, 4
"""The same of short calls, and the graphs of each: in the first look's, of up to 24 calls, gains seemed larger than in graphs of up to 64 (2.5 % in the middle,
up to 30 %), and what a graph shows moved by 4 % (root mean square) from one capture to the next: 49 calls of 3 to 90 µs, 12 graphs of each contender, H200,
before samples waited until they were submitted."""
_FAR = 0.02
"""Share of the largest result that a right one may be away from PyTorch's: both round, to 8 bits and more."""


class Computing(Protocol):
    """What a glance needs of an operator."""

    def peer(self, call: Any) -> Any:  # noqa: ANN401 - a named tuple; a tensor, or several
        """Return the result from PyTorch."""

    def prepare(self, call: Any, answer: Answer) -> None:  # noqa: ANN401
        """Compile an answer's kernel without launching it."""

    def run(self, call: Any, answer: Answer) -> Any:  # noqa: ANN401
        """Return the result of an answer's kernel."""

    def described(self, call: Any, *, gradient: bool) -> Any:  # noqa: ANN401 - hashable
        """Return all that decides what runs."""

    def function(self, described: Any) -> str:  # noqa: ANN401
        """Name PyTorch's own function."""


@dataclass(slots=True)
class Allowance:
    """How much time may go into glances: some at once, then a share of the time that a program runs, so that one whose shapes never repeat loses little."""

    at_once_s: float = 5.0
    share: float = 0.03
    began_s: float | None = None
    spent_s: float = 0.0

    def left(self) -> bool:
        """Tell whether there is time for another glance."""
        now = time.monotonic()
        self.began_s = now if self.began_s is None else self.began_s
        return self.spent_s <= self.at_once_s + self.share * (now - self.began_s)


ALLOWANCE = Allowance()


@dataclass(frozen=True, slots=True)
class Settled:
    """What runs from now on in place of an unsure choice."""

    choice: Choice
    measured: bool = True
    """False where nothing could be timed, so that the choice stands as it was foreseen."""


def _unmeasured(choice: Choice) -> Settled:
    return Settled(replace(choice, unsure=()), measured=False)


def settled(operator: Computing, call: Any, choice: Choice) -> Settled | None:  # noqa: ANN401
    """Return what runs from now on in place of an unsure choice; None where the call cannot be measured, but a later one may be.

    Where nothing may be measured at all, the choice stands as it is.
    """
    like = call[0]
    if not _WANTED or not like.is_cuda or torch.are_deterministic_algorithms_enabled() or not ALLOWANCE.left():
        return _unmeasured(choice)
    if torch.cuda.is_current_stream_capturing():
        return None
    with torch.cuda.device(like.device):
        return fastest(operator, call, choice, pace.of(like, brief=True))


def fastest(operator: Computing, call: Any, choice: Choice, clock: pace.Pace) -> Settled:  # noqa: ANN401
    """Return the fastest of PyTorch's function and of the kernels of which a choice is unsure, by a few samples of each.

    Args:
        operator: of the call.
        call: the operator's named tuple.
        choice: what would run by what is foreseen.
        clock: how calls are timed.
    """
    try:
        wanted = operator.peer(call)
    except RuntimeError:  # PyTorch cannot compute it, or has no room: who runs says so, if it cannot either
        return _unmeasured(choice)
    try:
        runs, kernels = _right(operator, call, choice, wanted)
        del wanted
        began = time.monotonic()
        contenders: dict[str, Callable[[], Any]] = {PEER: partial(operator.peer, call), **runs}
        samples = {name: clock.timed(run) for name, run in contenders.items()}
        best_ns = _compared_again(contenders, clock, samples, _timed(samples))
    except torch.OutOfMemoryError:  # there is room for one of them, perhaps
        return _unmeasured(choice)
    ALLOWANCE.spent_s += time.monotonic() - began
    return Settled(_verdict(operator, call, choice, kernels, best_ns))


def _right(
    operator: Computing,
    call: Any,  # noqa: ANN401
    choice: Choice,
    wanted: Any,  # noqa: ANN401
) -> tuple[dict[str, Callable[[], Any]], dict[str, Choice]]:
    """Return what computes the call by each kernel that can and is right, and the kernels, both by name."""
    runs: dict[str, Callable[[], Any]] = {}
    kernels: dict[str, Choice] = {}
    for answer in _compiled(operator, call, choice.unsure):
        kernel = answer.choice
        name, run = f"{kernel.implementation} {kernel.config}".strip(), partial(operator.run, call, answer)
        try:
            close = all(_near(*pair) for pair in zip(tensors(run()), tensors(wanted), strict=True))
        except Exception as error:
            if isinstance(error, torch.OutOfMemoryError) or not arguments.compile_trouble(error):
                raise
            continue
        if close:
            runs[name], kernels[name] = run, kernel
    return runs, kernels


def _compiled(operator: Computing, call: Any, kernels: tuple[Choice, ...]) -> list[Answer]:  # noqa: ANN401
    """Return an answer for each kernel, compiled side by side: a first forward of a model waits for compilers above all.

    Compilers work outside of Python's lock for most of their time. What cannot be compiled says so when it is run.
    """
    answers = [Answer(kernel) for kernel in kernels]
    if len(answers) > 1:
        with ThreadPoolExecutor(min(len(answers), _COMPILERS), thread_name_prefix="hotloop-compile") as pool:
            stream = torch.cuda.current_stream() if call[0].is_cuda else None
            list(pool.map(partial(_prepared, operator, call, stream), answers))
    return answers


def _prepared(operator: Computing, call: Any, stream: torch.cuda.Stream | None, answer: Answer) -> None:  # noqa: ANN401
    with (
        torch.no_grad(),
        torch.cuda.stream(stream),
        suppress(Exception),
    ):  # the calling thread's contexts do not reach this one
        operator.prepare(call, answer)


def _near(made: torch.Tensor, wanted: torch.Tensor) -> bool:
    """Tell whether a result is no further from PyTorch's than both may round; of results that are not finite nothing is asked."""
    most = float(wanted.abs().max()) if wanted.numel() else 0.0
    return not 0.0 < most < float("inf") or float((made - wanted).abs().max()) <= _FAR * most


def tensors(made: Any) -> tuple[torch.Tensor, ...]:  # noqa: ANN401
    """Return an operator's result, or results."""
    return made if isinstance(made, tuple) else (made,)


def _timed(samples: dict[str, Callable[[], float]]) -> dict[str, float]:
    """Return the least ns of each, in alternating rounds; what is far behind at once is not timed again."""
    began = time.monotonic()
    best = {name: sample() for name, sample in samples.items()}
    for number in range(1, _ROUNDS):
        slow = [
            name
            for name in samples
            if best[name] > _CLEAR * min(best.values()) and (number > 1 or best[name] > _LONG_NS)
        ]
        close = [name for name in samples if name not in slow]
        if len(close) == 1 or (number >= _FEWEST and time.monotonic() - began > _ENOUGH_S):
            break
        for name in close if number % 2 else reversed(close):
            best[name] = min(best[name], samples[name]())
    return best


def _compared_again(
    contenders: dict[str, Callable[[], Any]],
    clock: pace.Pace,
    samples: dict[str, Callable[[], float]],
    best_ns: dict[str, float],
) -> dict[str, float]:
    """Return the same with medians of more samples for PyTorch's function and the fastest, where the two are close; of short calls for all close kernels."""
    first = min(best_ns, key=lambda name: best_ns[name])
    short = best_ns[PEER] < _SHORT_NS
    if first == PEER or not _least_gain(best_ns) < best_ns[PEER] / best_ns[first] < (_CLOSE_SHORT if short else _CLOSE):
        return best_ns
    if short:
        names = [name for name in contenders if name == PEER or best_ns[name] < _CLOSE * best_ns[first]]
        looks = {name: [clock.timed(contenders[name], long=True) for _ in range(_CAPTURES)] for name in names}
    else:
        looks = {name: [samples[name]] for name in (PEER, first)}
    times = _alternated(looks)
    first = min(times, key=lambda name: times[name])
    behind = times[first] * (1 + MARGIN)  # the others' least is not to win over a median
    return {name: times.get(name, max(ns, behind)) for name, ns in best_ns.items()}


def _alternated(looks: dict[str, list[Callable[[], float]]]) -> dict[str, float]:
    """Return the medians of samples that are taken in turn, by each name's graphs one after the other."""
    times: dict[str, list[float]] = {name: [] for name in looks}
    for number in range(_LOOKS):
        for name in looks if number % 2 else reversed(looks):
            times[name].append(looks[name][number % len(looks[name])]())
    return {name: median(taken) for name, taken in times.items()}


def _least_gain(best_ns: dict[str, float]) -> float:
    return _LEAST_GAIN_SHORT if best_ns[PEER] < _SHORT_NS else _LEAST_GAIN


def _verdict(
    operator: Computing,
    call: Any,  # noqa: ANN401
    choice: Choice,
    kernels: dict[str, Choice],
    best_ns: dict[str, float],
) -> Choice:
    """Return what is fastest, with what was seen."""
    first = min(best_ns, key=lambda name: best_ns[name])
    gain = best_ns[PEER] / best_ns[first]
    if first != PEER and gain > _least_gain(best_ns):
        return replace(
            kernels[first], unsure=(), source=f"{kernels[first].source}; at a first call {gain:.2f} of PyTorch's speed"
        )
    least = min((ns for name, ns in best_ns.items() if name != PEER), default=0.0)
    seen = f"the fastest of {len(best_ns) - 1} kernels took {least / best_ns[PEER]:.2f} times as long"
    why = f"at a first call {seen}" if least else "no kernel that might be faster is right here"
    return instead(choice, operator.function(operator.described(call, gradient=False)), why, choice.notes)
