"""What a kernel file cannot see: tolerances that let zeros pass, ranges too small, answers that say nothing, sizes forgotten.

Found from the file's own inputs and reference; nothing is run on a device. A note is advice, not a verdict.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.errors import KernelFileError
from hotloop.model.dtype import dtype_of, floating
from hotloop.model.kernel import Empty
from hotloop.verify.cases import Case, draw
from hotloop.verify.distributions import NORMAL
from hotloop.verify.domain import STAYS, counts, freedoms
from hotloop.verify.oracle import expect
from hotloop.verify.told.drawn import known
from hotloop.verify.told.unread import following
from hotloop.verify.tolerance import bound

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs, Kernel
    from hotloop.model.problem import Problem
    from hotloop.verify.oracle import Expected

_MOST = 0.5
"""Part of the results that zeros may stand for before it is told."""
_SMALL_RANGE = 0.01
_OTHER_SEED = 500_009
_MOST_BYTES = 2**28
"""Size in bytes beyond which a problem is not asked a second time only for notes."""
_NO_SIZE = 2**24
"""Numbers that are drawn beyond that are no sizes."""


def notes(kernel: Kernel, problem: Problem, seed: int) -> tuple[str, ...]:
    """Return what a file should say or draw for bugs to be seen, a sentence each.

    Raises:
        KernelFileError: the file's own functions are at fault.
    """
    inputs = draw(kernel, Case(problem, NORMAL, seed, 0))
    again = draw(kernel, Case(problem, NORMAL, seed + _OTHER_SEED, 0))
    expected, other = expect(kernel, problem, inputs), expect(kernel, problem, again)
    sizes = [*_sizes(kernel, problem), *_results(kernel, problem, inputs, expected)]
    for name, reference in expected.outputs.items():
        if reference.size and np.array_equal(reference, other.outputs[name]):
            sizes.append(f"{name} is the same whatever is drawn: a kernel that writes constants is right")
        if name not in kernel.domain and _zeros(inputs[name]) and _zeros(again[name]):
            sizes.append(
                f"{name} begins as zeros in every input: a kernel that forgets what was there is right; draw it, or say "
                f"domain=dict({name}='fixed')"
            )
    written = _written(kernel, problem, seed, (inputs, again))
    return (
        *sizes,
        *_ranges(kernel, inputs),
        *_untouched(kernel, problem, inputs, again),
        *_counters(kernel, inputs, again),
        *written,
    )


def _zeros(value: object) -> bool:
    """Tell whether an array has nothing but zeros; one that nobody draws, for it is only written, has none."""
    return isinstance(value, np.ndarray) and value.size > 0 and not value.any()


def serious(kernel: Kernel, problem: Problem, seed: int) -> tuple[str, ...]:
    """Return what makes a verdict worth little: results that nothing, or nearly nothing, would be wrong for.

    One reference of the asked problem is computed for that, beside the dozens of a run; none where arrays are very large.
    """
    if not kernel.varied or kernel.work(problem).bytes > _MOST_BYTES:
        return ()
    try:
        inputs = draw(kernel, Case(problem, NORMAL, seed, 0))
        return tuple(_results(kernel, problem, inputs, expect(kernel, problem, inputs)))
    except KernelFileError:
        return ()


def _results(kernel: Kernel, problem: Problem, inputs: Inputs, expected: Expected) -> Iterator[str]:
    for name, reference in expected.outputs.items():
        yield from _output(kernel, problem, inputs, name, reference, expected.magnitudes.get(name))


def _sizes(kernel: Kernel, problem: Problem) -> Iterator[str]:
    declared = kernel.awkward(problem)
    if not declared:
        yield "awkward is missing: sizes beside the asked one were made up; list those that are legal"
        return
    for name, asked in problem.sizes.items():
        if isinstance(asked, int) and not isinstance(asked, bool) and asked > 1:
            values = {declared_problem.sizes[name] for declared_problem in declared}
            if values == {asked}:
                yield f"awkward never changes {name}: what depends on it is not seen"


def _output(
    kernel: Kernel,
    problem: Problem,
    inputs: Inputs,
    name: str,
    reference: NDArray[np.generic],
    magnitude: NDArray[np.generic] | None,
) -> Iterator[str]:
    target = inputs[name]
    kind = dtype_of(target.dtype) if isinstance(target, np.ndarray | Empty) else np.dtype(np.float64)
    if not reference.size:
        return
    if len(np.unique(reference)) == 1 and reference.size > 1:
        yield f"all of {name} is {reference.flat[0]}: inputs make every answer trivial"
    if not floating(kind):
        return
    wide = np.abs(reference.astype(np.float64))
    scale = None if magnitude is None else np.broadcast_to(magnitude, reference.shape).astype(np.float64)
    limit = bound(kernel.tolerance, problem, kind)
    passing = float((limit.at(wide, scale) >= wide).mean())
    if passing > _MOST and wide.max() > 0:
        yield f"zeros would pass for {passing:.0%} of {name}: the tolerance is wider than the results"
    if 0 < float(wide.max()) <= kernel.tolerance.absolute:
        yield f"absolute = {kernel.tolerance.absolute:g} is above every result of {name}"
    if reference.dtype == np.float32 and kind == np.float32:
        yield f"the reference gives {name} in float32: it rounds as a kernel does; compute it in float64"


def _ranges(kernel: Kernel, inputs: Inputs) -> Iterator[str]:
    for name, value in inputs.items():
        if (
            not isinstance(value, np.ndarray)
            or value.dtype.kind not in "iu"
            or value.size < 64
            or name in kernel.domain
        ):
            continue
        limits = np.iinfo(value.dtype.name)
        part = (int(value.max()) - int(value.min())) / (int(limits.max) - int(limits.min))
        if part < _SMALL_RANGE:
            yield (
                f"{name} spans {part:.2g} of {value.dtype.name}: overflow and narrow types are not seen; draw more, or say "
                f"domain=dict({name}='range') if that is all there can be"
            )


def _written(kernel: Kernel, problem: Problem, seed: int, drawn: tuple[Inputs, ...]) -> Iterator[str]:
    """Tell whole numbers by value that no problem changes: nothing says which others are legal, so none are tried."""
    others = kernel.awkward(problem)
    ends = (draw(kernel, Case(problem, NORMAL, seed, 0)) for problem in dict.fromkeys((*others[:1], *others[-1:])))
    every, sizes = (*drawn, *ends), {name for name, size in problem.sizes.items() if isinstance(size, int)}
    for name, value in drawn[0].items():
        whole = isinstance(value, int | np.integer) and not isinstance(value, bool | np.bool_)
        if whole and name not in {*kernel.domain, *sizes} and len({inputs[name] for inputs in every}) == 1:
            yield (
                f"{name} is {value} in every input: a kernel that has it as a constant is right; draw it or change it in awkward, "
                f"or say domain=dict({name}='fixed')"
            )


def _counters(kernel: Kernel, inputs: Inputs, again: Inputs) -> Iterator[str]:
    """Tell unsigned numbers by value that are drawn from a wide range: nothing says that the ends of their type are legal."""
    for name, value in inputs.items():
        drawn: tuple[object, object] = value, again[name]
        whole = {int(number) for number in drawn if isinstance(number, np.unsignedinteger)}
        if (
            len(whole) == len(drawn)
            and max(whole) >= _NO_SIZE
            and name not in kernel.domain
            and not counts(name, value)
        ):
            yield f"{name} is drawn, but ends of its type are not tried: say domain=dict({name}='any') if all values are legal, or 'range'"


def _untouched(kernel: Kernel, problem: Problem, inputs: Inputs, again: Inputs) -> Iterator[str]:
    followed = following(inputs, again, kernel.unread, kernel.domain)
    for name in followed:
        yield (
            f"the reference never reads {name}, so it is taken to follow from the other arrays, which were all left as drawn: "
            f"bugs that only other values show are not seen; let the reference use it, or say domain=dict({name}='any')"
        )
    if followed:
        return
    related = known(kernel, problem)
    if related.tied:
        yield (
            f"{', '.join(sorted(related.tied))} come from the same draws and may belong together, so they were left as drawn; "
            "where one of them does not, say so: domain=dict(NAME='any'), or 'range'"
        )
    for name, free in freedoms(inputs, again, kernel.domain).items():
        if (free == STAYS or name in related.inner) and name not in {*kernel.domain, *related.tied}:
            yield f"{name} was left as drawn, for it shows an order or relation; domain=dict({name}=...) says which, or 'any'"
