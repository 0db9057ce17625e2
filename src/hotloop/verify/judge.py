"""Judgement of one executed case: canary bands, inputs, outputs, repeatability; an earlier failure explains later ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.check import CaseResult, Guard
from hotloop.model.dtype import floating
from hotloop.model.kernel import Empty, Kernel
from hotloop.verify.cases import Case
from hotloop.verify.compare import Difference, Facts, compare, place, show
from hotloop.verify.directed import direction
from hotloop.verify.distributions import INTEGERS, NORMAL, SPECIAL
from hotloop.verify.domain import NAN
from hotloop.verify.drift import drifts
from hotloop.verify.guards import first_change, overrun, payload_view
from hotloop.verify.oracle import Expected, Yardstick, again, expect, zeroed
from hotloop.verify.poison import left_over
from hotloop.verify.told.reach import within_reach
from hotloop.verify.tolerance import Bound, bound, eps, exact
from hotloop.verify.variety import EXACT, KINDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

    Banded = Mapping[str, NDArray[np.uint8]]

_KEPT_BYTES = 1 << 18
"""Largest input of which an intact copy is kept; larger inputs are compared piece by piece, which costs no more."""
INTEGRAL = Bound(1.0, 0.0)
"""Marks integers that depend on rounded inputs: the bound of each element is how far that rounding can move it."""
_TOLD = 2
"""Number of reasons that are listed; further ones are only counted."""


def judge(
    kernel: Kernel,
    case: Case,
    inputs: Inputs,
    arrays: Banded,
    second: Banded | None = None,
    expected: Expected | None = None,
) -> CaseResult:
    """Return whether a run was right, with every measure of its error and the first reasons why not.

    Args:
        kernel: reference, magnitude and tolerance.
        case: what was run.
        inputs: as they were before the run.
        arrays: banded bytes of every array after the run; of scratch areas, named ``scratch:NAME``, the bands are enough.
        second: the same after a second run on the same inputs, to catch races.
        expected: what `expect` returned for these inputs, when it is known already.

    Raises:
        ValueError: an array is missing or has another size: the caller's mistake, not the candidate's.
        KernelFileError: the kernel's reference is at fault.
    """
    truth = expected or expect(kernel, case.problem, inputs)
    differences = tuple(_differences(kernel, case, inputs, arrays, truth))
    reasons = [*_damage(inputs, arrays, truth), *_wrong(truth, differences)]
    norms, output = [difference.norm_err for difference in differences], partial(_output, inputs, arrays)
    reasons = reasons or [_Reason(Guard.NORM, told) for told in drifts(kernel, case, inputs, norms, truth, output)]
    reasons = reasons or list(_directed(case, inputs, arrays, truth))
    if second is not None:
        reasons += _moves(kernel, case, inputs, (arrays, second), truth, first_failed=bool(reasons))
    return CaseResult(
        problem=case.problem.key,
        distribution=case.distribution,
        seed=case.seed,
        passed=not reasons,
        reason=_joined(reasons),
        output=reasons[0].output if reasons else "",
        guard=_guard(reasons, case),
        max_err=_worst(max, [d.max_err for d in differences]),
        norm_err=_worst(max, [d.norm_err for d in differences]),
        cos_sim=_worst(min, [d.cos_sim for d in differences]),
        worst_ratio=_worst(max, [d.worst_ratio for d in differences]),
    )


@dataclass(frozen=True, slots=True)
class _Reason:
    """Why a result is wrong."""

    guard: Guard
    text: str
    output: str = ""


def _wrong(truth: Expected, differences: Iterable[Difference]) -> list[_Reason]:
    named = zip(truth.outputs, differences, strict=True)
    return [_Reason(difference.guard, difference.reason, name) for name, difference in named if difference.reason]


def _guard(reasons: list[_Reason], case: Case) -> Guard | None:
    """Return the guard of the reason that explains the others."""
    guards = [reason.guard for reason in reasons[:_TOLD]]
    if not guards:
        return None
    first = min(guards, key=list(Guard).index)
    special = case.distribution == SPECIAL  # where inputs are NaN, results may be
    return Guard.REFERENCE if first is Guard.FOREIGN and special else first


def _damage(inputs: Inputs, arrays: Banded, truth: Expected) -> Iterator[_Reason]:
    """Yield reasons for forbidden writes: to bands, then to inputs."""
    touched = [name for name, banded in arrays.items() if not _as_before(banded, truth.intact.get(name))]
    broken = {name: damage for name in touched if (damage := overrun(arrays[name]))}
    for name, damage in broken.items():
        yield _Reason(Guard.CANARY, damage.format(name))
    for name, value in inputs.items():
        if not isinstance(value, np.ndarray) or name in truth.outputs or (name in arrays and name not in touched):
            continue
        after = payload_view(banded := _banded(arrays, name), value.dtype, value.shape)
        index = first_change(value, after)
        if index is not None:
            change = f"input {name} changed at {list(index)}: {show(value[index])} → {show(after[index])}"
            yield _Reason(Guard.INPUTS, change)
        elif name not in broken and banded.size <= _KEPT_BYTES:
            truth.intact[name] = banded.tobytes()


def _as_before(banded: NDArray[np.uint8], intact: bytes | None) -> bool:
    return intact is not None and banded.tobytes() == intact


def _differences(kernel: Kernel, case: Case, inputs: Inputs, arrays: Banded, truth: Expected) -> Iterator[Difference]:
    for name in truth.outputs:  # whose values may lie elsewhere
        actual = _output(inputs, arrays, name)
        if right := _right(kernel, case, name, actual, truth):
            yield right
            continue
        reference = truth.outputs[name]
        yardstick = _yardstick(kernel, case, actual.dtype, name, truth)
        spread = _spread(kernel, case, actual, reference)
        difference = compare(
            name,
            actual,
            reference if spread is None else spread,
            yardstick.bound,
            magnitude=_scale(truth, name, yardstick.bound),
            poison=case.poison if isinstance(inputs[name], Empty) else None,
            facts=yardstick.facts if spread is None else None,
        )
        excused = None if difference.passed else _doubted(kernel, case, name, actual, truth, yardstick.bound)
        if spread is not None and not difference.passed:
            excused = _unreached(kernel, case, inputs, name, actual, spread, truth, yardstick.bound)
        yield excused or difference


def _right(kernel: Kernel, case: Case, name: str, actual: NDArray[np.generic], truth: Expected) -> Difference | None:
    """Return what the expected results' scales find of an output that is right; None where they are not asked, or it may be wrong."""
    if truth.scales is None or case.distribution in (INTEGERS, SPECIAL) or name in truth.slack:
        return None
    return truth.scales.within(name, actual, bound(kernel.tolerance, case.problem, actual.dtype))


def _doubted(
    kernel: Kernel, case: Case, name: str, actual: NDArray[np.generic], truth: Expected, limit: Bound
) -> Difference | None:
    """Return the comparison with what is right as well where values nearly tie; None where that does not make it right.

    Of integers always; of floats where inputs or sizes were made up, which can be badly conditioned (the variance of two numbers
    that nearly tie), and where the file says nothing about errors: there what rounding does to a result stands for
    what it would say.
    """
    made_up = case.distribution in KINDS
    if truth.nearly is None or case.distribution == SPECIAL:
        return None
    if floating(actual.dtype) and not made_up:
        difference = _unsaid(kernel, name, actual, truth, limit)
        if difference is not None or not case.added:
            return difference
    elif (
        other := truth.nearly.explained(name, actual, limit, exact=case.distribution in EXACT, steps=made_up)
    ) is not None:
        difference = compare(name, actual, other, limit, magnitude=_scale(truth, name, limit))
        if difference.passed:
            return difference
    single = floating(actual.dtype) and actual.dtype.itemsize <= _SINGLE_BYTES
    if not single:
        return None
    sizes = case.added and not made_up
    room = truth.nearly.rough(name, numbers=sizes)
    if room is not None and name in truth.most:
        room = np.minimum(room, truth.most[name])
    if sizes:  # a kernel's own order of summation may round more often than the reference's
        room = _coarse(truth.outputs[name]) if room is None else np.maximum(room, _coarse(truth.outputs[name]) * _FINE)
    return _allowed(name, actual, truth, limit, room)


def _coarse(reference: NDArray[np.generic]) -> NDArray[np.float64]:
    """Return room for rounding nobody could work out, at a size that hotloop chose: the reference took too long, or takes only plain arrays.

    Bugs that such sizes show (narrow indices, groups that are never launched) make other results altogether.
    """
    wide = reference.astype(np.float64)
    finite = wide[np.isfinite(wide)]
    return np.full(wide.shape, _COARSE * float(np.sqrt(np.mean(finite * finite))) if finite.size else 0.0)


_COARSE, _FINE = 1 / 16, 1 / 256
"""Part of the root mean square of all results; and part of that where the rounding of the reference's steps is known."""


_SINGLE_BYTES = 4
"""Size of float32, in whose arithmetic a reference may be evaluated a second time."""


def _unsaid(kernel: Kernel, name: str, actual: NDArray[np.generic], truth: Expected, limit: Bound) -> Difference | None:
    """Return the comparison with room for what rounding of the inputs does, as far as the file leaves that open.

    A number of terms says how many roundings there are, not how large what they round was: of a small difference of large numbers
    the largest result tells, and no more than one rounding of that is let pass.
    """
    assert truth.nearly is not None
    said = bool(kernel.linear or kernel.tolerance.absolute or actual.dtype.itemsize < _SINGLE_BYTES)
    if kernel.magnitude is not None or (said and not kernel.tolerance.unsaid):
        return None
    room = truth.nearly.room(name)
    if room is not None and not kernel.tolerance.unsaid:
        wide = truth.outputs[name].astype(np.float64)
        room = np.minimum(room, eps(actual.dtype) * np.abs(wide[np.isfinite(wide)]).max(initial=0.0))
    return _allowed(name, actual, truth, limit, room)


def _allowed(
    name: str, actual: NDArray[np.generic], truth: Expected, limit: Bound, room: NDArray[np.float64] | None
) -> Difference | None:
    """Return the comparison with room for what rounding does to a result; None where that does not make it right."""
    if room is None or room.shape != truth.outputs[name].shape or not limit.relative:
        return None
    own = _scale(truth, name, limit)
    scale = np.abs(truth.outputs[name] if own is None else own).astype(np.float64) + room / limit.relative
    difference = compare(name, actual, truth.outputs[name], limit, magnitude=scale)
    return difference if difference.passed else None


def _scale(truth: Expected, name: str, limit: Bound) -> NDArray[np.generic] | None:
    """Return the scale of an output's rounding errors, including the effect of rounded inputs."""
    magnitude, room = truth.magnitudes.get(name), truth.slack.get(name)
    if room is None or not limit.relative:
        return magnitude
    if limit.relative == INTEGRAL.relative:
        return room
    own = np.abs(truth.outputs[name]) if magnitude is None else magnitude
    return np.asarray(own.astype(np.float64) + room / limit.relative)


def _spread(
    kernel: Kernel, case: Case, actual: NDArray[np.generic], reference: NDArray[np.generic]
) -> NDArray[np.generic] | None:
    """Return the reference for inputs with NaN and infinities, where a user's kernel may spread them further than that.

    Running sums and transforms take them everywhere. A number where NaN is due is wrong all the same.
    """
    if not kernel.varied or case.distribution != SPECIAL or NAN in kernel.domain.values() or not floating(actual.dtype):
        return None
    odd = ~np.isfinite(actual.astype(np.float64))
    return np.where(odd, actual.astype(np.float64), reference)


def _unreached(
    kernel: Kernel, case: Case, inputs: Inputs, name: str, actual: NDArray[np.generic], spread: NDArray[np.generic],
    truth: Expected, limit: Bound,
) -> Difference | None:  # fmt: skip
    """Return the comparison without NaN and infinities of the reference that no input can bring there; None where it fails as well."""
    other = within_reach(partial(again, kernel, case.problem), inputs, kernel.linear, name, truth.outputs[name])
    other = np.where(np.isfinite(actual.astype(np.float64)), other, spread)
    scale = _scale(truth, name, limit)
    if scale is not None and kernel.magnitude is not None:  # what is planted is in scales, too
        plain = kernel.magnitude(case.problem, zeroed(inputs))[name]
        scale = np.where(np.isfinite(scale), scale, plain)
    difference = compare(name, actual, other, limit, magnitude=scale)
    return difference if difference.passed else None


def _directed(case: Case, inputs: Inputs, arrays: Banded, truth: Expected) -> Iterator[_Reason]:
    """Yield outputs that are rounded in one direction, each within its bound."""
    if case.distribution != NORMAL:
        return
    for name, reference in truth.outputs.items():
        if words := direction(_output(inputs, arrays, name), reference):
            told = f"{name} is rounded {words}, not to nearest: the errors of all its elements add up"
            yield _Reason(Guard.NORM, f"{told}; a reference that rounds so itself allows it")


def _yardstick(kernel: Kernel, case: Case, dtype: np.dtype[np.generic], name: str, truth: Expected) -> Yardstick:
    """Return the yardstick of an output; it does not depend on the candidate, so it is computed once."""
    asked = kernel.tolerance, case.problem, case.distribution, dtype
    kept = truth.yardsticks.get(name)
    if kept is None or not kept.serves(*asked):
        reference, magnitude = truth.outputs[name], truth.magnitudes.get(name)
        limit = _bound(kernel, case, dtype, reference, magnitude)
        if name in truth.slack and not floating(dtype):
            limit = replace(INTEGRAL, absolute=limit.absolute)
        facts = Facts.of(reference, limit, _scale(truth, name, limit))
        kept = truth.yardsticks[name] = Yardstick(*asked, limit, facts)
    return kept


def _bound(
    kernel: Kernel,
    case: Case,
    dtype: np.dtype[np.generic],
    reference: NDArray[np.generic],
    magnitude: NDArray[np.generic] | None,
) -> Bound:
    """Return the bound of an output: at most one rounding if it sums small integers, which is exact in any order."""
    if case.distribution == INTEGERS and magnitude is not None:
        scale = np.broadcast_to(magnitude, reference.shape).astype(np.float64)
        if exact_bound := exact(kernel.tolerance, case.problem, dtype, (reference.astype(np.float64), scale)):
            return exact_bound
    return bound(kernel.tolerance, case.problem, dtype)


def _moves(
    kernel: Kernel, case: Case, inputs: Inputs, runs: tuple[Banded, Banded], truth: Expected, *, first_failed: bool
) -> list[_Reason]:
    """Return the errors that the second run shows; results may differ by rounding (atomics) but must be right."""
    if all(name in runs[1] and first_change(first, runs[1][name]) is None for name, first in runs[0].items()):
        return []  # to the last byte what was judged already
    moved = next((told for name in truth.outputs if (told := _moved(inputs, runs, name, truth))), None)
    fresh = [] if first_failed else list(_damage(inputs, runs[1], truth))
    if moved and not first_failed:
        fresh += _wrong(truth, _differences(kernel, case, inputs, runs[1], truth))
    again = [_Reason(_second(reason.guard), f"second run: {reason.text}") for reason in fresh[:1]]
    return [*again, _Reason(Guard.REPEAT, moved)] if moved and (first_failed or fresh) else again


def _second(guard: Guard) -> Guard:
    """Return what a second run shows: that results move, unless it did other damage."""
    return guard if guard in (Guard.CANARY, Guard.POISON) else Guard.REPEAT


def _moved(inputs: Inputs, runs: tuple[Banded, Banded], name: str, truth: Expected) -> str | None:
    first, then = (_output(inputs, arrays, name) for arrays in runs)
    index = first_change(first, then)
    if index is None:
        return None
    told = f"{place(name, index)}: {show(first[index])}, then {show(then[index])}"
    if left_over(first, then, truth.outputs[name]):
        return f"local or private memory is read before it is set, or without a barrier behind what sets it ({told})"
    return f"a moving result is a race, or memory that was never set ({told})"


def _output(inputs: Inputs, arrays: Banded, name: str) -> NDArray[np.generic]:
    target = inputs[name]
    assert isinstance(target, np.ndarray | Empty)
    return payload_view(_banded(arrays, name), target.dtype, target.shape)


def _banded(arrays: Banded, name: str) -> NDArray[np.uint8]:
    if name not in arrays:
        raise ValueError(f"the run returned no array {name!r}, only {', '.join(arrays) or 'none'}")
    return arrays[name]


def _joined(reasons: list[_Reason]) -> str:
    more = f" (and {len(reasons) - _TOLD} more)" if len(reasons) > _TOLD else ""
    return "; ".join(reason.text for reason in reasons[:_TOLD]) + more


def _worst(pick: Callable[[list[float]], float], values: list[float | None]) -> float | None:
    measured = [value for value in values if value is not None]
    return pick(measured) if measured and len(measured) == len(values) else None
