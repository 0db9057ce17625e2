"""Measuring a call once: hotloop's kernels and PyTorch's function on the caller's tensors, verified, beside each other.

Every rival's result is compared with one in higher precision and may be no further from it than PyTorch's own. What is right is
timed in alternating rounds, on a GPU by replays of a graph, so that what the host does counts for nobody. A kernel runs from then
on only if the paired comparison says FASTER than PyTorch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from math import log
from statistics import median
from typing import TYPE_CHECKING, Any, Protocol

from hotloop.dispatch import arguments, measured, remembered
from hotloop.dispatch.arguments import torch
from hotloop.dispatch.glance import tensors
from hotloop.dispatch.measured import Measured
from hotloop.dispatch.pace import Pace
from hotloop.dispatch.remembered import Answer
from hotloop.dispatch.select import PEER, instead
from hotloop.model.verdict import Verdict
from hotloop.stats.paired import PairedTest
from hotloop.units import duration

if TYPE_CHECKING:
    from hotloop.dispatch.choice import Choice
    from hotloop.dispatch.operator import Operator

_SCREENED = 3
"""Rounds after which a rival that is far behind is left out."""
_BEHIND = 1.15
"""How many times as long as the fastest such a rival takes."""
_WORST, _TYPICAL = 2.0, 1.1
"""Largest and mean square error of a kernel that is accepted, in PyTorch's; both round once, in other orders."""
_SLACK = 1e-6
"""Share of the largest result that an error may be even where PyTorch is exact by chance."""


@dataclass(slots=True)
class Warmed:
    """What became of one call."""

    name: str
    problem: str
    runs: str = PEER
    """Implementation that runs from now on."""
    source: str = ""
    """Why, one line."""
    refused: dict[str, str] = field(default_factory=dict)
    """Rivals that were not timed: implementation and configuration, and why."""
    times_ns: dict[str, list[float]] = field(default_factory=dict)
    """Samples of each rival, by round."""

    def __str__(self) -> str:
        return "\n".join(
            [
                f"{self.name} {self.problem}: {self.source}",
                *(f"  not {kernel}: {why}" for kernel, why in self.refused.items()),
            ]
        )


Rivals = dict[str, tuple["Choice", Callable[[], Any]]]


class Apart(Protocol):
    """Something that launches kernels where a fault harms nobody."""

    def troubles(self, operator: Operator[Any, Any, Any], call: Any, choices: Sequence[Choice]) -> list[str]:  # noqa: ANN401
        """Return what is wrong with each choice's launch for a call; empty where it ended well."""


def warm(operator: Operator[Any, Any, Any], call: Any, pace: Pace, apart: Apart | None = None) -> Warmed:  # noqa: ANN401
    """Measure what could compute a call, once, and remember what is fastest; a call that was measured is not measured again.

    Args:
        operator: of the call.
        call: the operator's named tuple.
        pace: how calls are timed.
        apart: where kernels are launched first; None: only here.

    Raises:
        UsageError: the call is wrong.
        StoreError: the answer cannot be kept for other processes; this one remembers it.
    """
    operator.check(call)
    described = operator.described(call, gradient=False)
    usual = operator.choose(described, call[0])
    made = Warmed(operator.name, str(usual.shape))
    key = measured.key(operator.name, described, usual.device)
    if kept := measured.find(key):
        made.runs, made.source = kept.implementation, f"{kept.implementation} runs: {kept.source}"
        return made
    rivals = _rivals(operator, call, described, usual)
    if len(rivals) == 1:
        made.source = f"nothing to compare: {usual.source}"
        return made
    rivals = _safe(operator, call, rivals, made, apart) if apart is not None else rivals
    right = _verified(operator, call, rivals, made)
    winner, why = _fastest(right, pace, made)
    choice = right[winner][0]
    made.runs, made.source = choice.implementation, f"{winner} runs: {why}"
    measured.keep(key, Measured(choice.implementation, choice.config, f"{why}, {datetime.now(UTC):%Y-%m-%d}"))
    remembered.forget()
    return made


def _rivals(operator: Operator[Any, Any, Any], call: Any, described: Any, usual: Choice) -> Rivals:  # noqa: ANN401
    """Return PyTorch's function first, then what runs now, then what nobody has measured."""
    peer = instead(usual, operator.function(described), "it was measured to be as fast as any kernel")
    rivals: Rivals = {PEER: (peer, lambda: operator.peer(call))}
    for choice in (usual, *operator.alternatives(described, call[0])):
        if choice.implementation != PEER:
            run = partial(operator.run, call, Answer(choice))
            rivals[f"{choice.implementation} {choice.config}"] = choice, run
    return rivals


def _safe(operator: Operator[Any, Any, Any], call: Any, rivals: Rivals, made: Warmed, apart: Apart) -> Rivals:  # noqa: ANN401
    """Return the rivals that end well elsewhere, and PyTorch's function."""
    names = [name for name in rivals if name != PEER]
    troubles = apart.troubles(operator, call, [rivals[name][0] for name in names])
    made.refused |= {name: trouble for name, trouble in zip(names, troubles, strict=True) if trouble}
    return {name: rival for name, rival in rivals.items() if name not in made.refused}


def _verified(operator: Operator[Any, Any, Any], call: Any, rivals: Rivals, made: Warmed) -> Rivals:  # noqa: ANN401
    """Return the rivals whose results are right."""
    with _in_full():
        exact = tensors(operator.own(_widened(call)))
    bounds = [_errors(actual, two) for actual, two in zip(tensors(rivals[PEER][1]()), exact, strict=True)]
    right = {PEER: rivals[PEER]}
    for name, (choice, run) in rivals.items():
        if name == PEER:
            continue
        try:
            results = tensors(run())
        except Exception as error:
            trouble = arguments.compile_trouble(error)
            if not trouble:
                raise
            made.refused[name] = trouble
            continue
        wrong = [
            why
            for actual, two, bound in zip(results, exact, bounds, strict=True)
            if (why := _wrong(actual, two, bound))
        ]
        if wrong:
            made.refused[name] = wrong[0]
        else:
            right[name] = choice, run
    return right


@contextmanager
def _in_full() -> Iterator[None]:
    """Let float32 be multiplied as float32, whatever PyTorch's flags for TF32 say."""
    matmul, cudnn = torch.backends.cuda.matmul, torch.backends.cudnn
    flags: list[tuple[Any, str, object]] = [(matmul, "allow_tf32", False), (cudnn, "allow_tf32", False)]
    if hasattr(matmul, "fp32_precision"):  # reading the older names fails where a program set the newer ones
        flags = [(matmul, "fp32_precision", "ieee"), (cudnn.conv, "fp32_precision", "ieee")]
    before = [getattr(holder, name) for holder, name, _ in flags]
    for holder, name, value in flags:
        setattr(holder, name, value)
    try:
        yield
    finally:
        for (holder, name, _), value in zip(flags, before, strict=True):
            setattr(holder, name, value)


def _widened(call: Any) -> Any:  # noqa: ANN401
    """Return a call in higher precision: float32 for 16 bits, which rounds 2000 times finer, else float64."""
    return call._make(_wider(x) if isinstance(x, torch.Tensor) and x.is_floating_point() else x for x in call)


def _wider(x: torch.Tensor) -> torch.Tensor:
    return x.to(torch.float32 if x.element_size() == 2 else torch.float64)


def _errors(actual: torch.Tensor, exact: torch.Tensor) -> tuple[float, float]:
    """Return the largest error and the root of the mean square, where both are finite."""
    gap = (actual.to(exact.dtype) - exact).nan_to_num(0.0, 0.0, 0.0)
    return float(gap.abs().max()) if gap.numel() else 0.0, float(gap.square().mean().sqrt()) if gap.numel() else 0.0


def _wrong(actual: torch.Tensor, exact: torch.Tensor, bound: tuple[float, float]) -> str:
    """Return what is wrong with a result, or an empty text."""
    if not torch.equal(actual.isfinite(), exact.to(actual.dtype).isfinite()):
        return "its results are not finite in other places than they should be"
    slack = _SLACK * float(exact.nan_to_num(0.0, 0.0, 0.0).abs().max()) if exact.numel() else 0.0
    worst, typical = _errors(actual, exact)
    if worst > _WORST * bound[0] + slack or typical > _TYPICAL * bound[1] + slack:
        return f"its largest error is {worst:.3g} and typically {typical:.3g}; PyTorch's are {bound[0]:.3g} and {bound[1]:.3g}"
    return ""


def _fastest(rivals: Rivals, pace: Pace, made: Warmed) -> tuple[str, str]:
    """Return which rival shall run, and why."""
    if len(rivals) == 1:
        return PEER, f"none of {len(made.refused)} kernels is right here"
    timed = {name: pace.timed(run) for name, (_, run) in rivals.items()}
    _rounds(timed, made, _SCREENED)
    best = min(timed, key=lambda name: median(made.times_ns[name]))
    if best == PEER:
        return PEER, f"the fastest of {len(rivals) - 1} kernels takes {_least(made):.2f} times as long"
    close = {
        name: times
        for name, times in timed.items()
        if name == PEER or _median(made, name) < _BEHIND * _median(made, best)
    }
    for name in close:
        made.times_ns[name] = []
    test, comparison = PairedTest(), None
    for look in test.looks:
        _rounds(close, made, look - len(made.times_ns[PEER]))
        best = min((name for name in close if name != PEER), key=lambda name: _median(made, name))
        ratios = [log(peer / mine) for peer, mine in zip(made.times_ns[PEER], made.times_ns[best], strict=True)]
        comparison = test.decide(ratios)
        if comparison is not None:
            break
    if comparison is not None and comparison.verdict is Verdict.FASTER:
        spent = f"{duration(_median(made, best))} against {duration(_median(made, PEER))}"
        return best, f"{comparison.speedup:.2f} times PyTorch's speed ({spent}, {comparison.rounds} rounds)"
    verdict = comparison.verdict if comparison is not None else Verdict.UNCLEAR
    return PEER, f"against it the fastest kernel, {best}, is {verdict}"


def _rounds(timed: dict[str, Callable[[], float]], made: Warmed, count: int) -> None:
    """Time all rivals `count` times, in one order and then in the other."""
    for number in range(count):
        names = list(timed)
        for name in names if number % 2 == 0 else reversed(names):
            made.times_ns.setdefault(name, []).append(timed[name]())


def _median(made: Warmed, name: str) -> float:
    return median(made.times_ns[name])


def _least(made: Warmed) -> float:
    return min(_median(made, name) for name in made.times_ns if name != PEER) / _median(made, PEER)
