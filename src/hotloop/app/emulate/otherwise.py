"""What a launch writes with other contents of memory: whether contents are the reason that elements of a result stay unwritten.

That a branch looks at what was loaded says only that contents may decide. So the launch is executed with several others: zeros, ones, large
and small numbers, numbers of which many are sizes or places, in order and not. Elements that none of these write, while several of them
each write all that any does, are not left out for what memory holds: a mask or an index does it. (One would not do: where a number in
memory says how many elements are written, whatever holds the largest one writes most.) Where contents decide about places, too, as in a
gather of rows, that is asked of columns, rows and planes as wholes.

Where inputs say where the rows of a result begin and end (numbers that ascend from 0 to its length, or begins and lengths that fit together),
they also say that all of it is meant; with these as they are and all others changed the question is asked once more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.emulate.launching import launch_of
from hotloop.emulate.errors import EmulateError
from hotloop.emulate.launch import run
from hotloop.emulate.machine import Options
from hotloop.model.dtype import floating

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from hotloop.app.emulate.task import Step, Task
    from hotloop.emulate.launch import Execution

    Arrays = Mapping[str, NDArray[np.generic]]
    Elements = NDArray[np.bool_]

_MOST_INSTRUCTIONS = 60_000
"""Wave instructions of a launch above which it is not executed again and again."""
_TIMES = 2
"""So many times what the launch executed may an execution with other contents take."""
_LEAST_INSTRUCTIONS = 20_000
_LEAST_RUNS = 4
"""Executions with other contents that must come to their end."""
_LEAST_ALIKE = 2
"""Of these, how many must each write all that any execution does."""
_MANY_DIMENSIONS = 3
_LARGE = 1000.0
_SEED = 0x5EED


def never(
    task: Task, step: Step, ran: Execution, name: str, missing: Elements, *, known: Collection[int] = (), scattered: bool = False
) -> Elements | None:  # fmt: skip
    """Return the elements of a result that are written with no contents of the inputs; None: that cannot be told, or there are none.

    `scattered`: contents also decide where. Then only whole rows, columns or planes count, and such of which no number of the launch,
    one of the `known` ones, says how many are written.
    """
    if len(task.steps) > 1 or ran.executed > _MOST_INSTRUCTIONS or missing.all():
        return None
    budget = max(_LEAST_INSTRUCTIONS, _TIMES * ran.executed)
    found = _by_contents(task, step, name, missing, budget, known=known, scattered=scattered)
    held = ragged(task, name)
    if found is not None or not held:
        return found
    left = _left(~missing, _runs(task, step, name, budget, held))
    return left & missing if left is not None and (left & missing).any() else None


def nowhere(task: Task, step: Step, ran: Execution, name: str) -> bool:
    """Tell whether nothing at all is written to a result with any contents of the inputs.

    Arrays of zeros, where counters stand that say who comes last, are left as they are.
    """
    if len(task.steps) > 1 or ran.executed > _MOST_INSTRUCTIONS:
        return False
    zeros = [other for other, array in task.arrays.items() if not array.any()]
    runs = _runs(task, step, name, max(_LEAST_INSTRUCTIONS, _TIMES * ran.executed), zeros)
    return len(runs) >= _LEAST_RUNS and not any(one.any() for one in runs)


def _by_contents(
    task: Task, step: Step, name: str, missing: Elements, budget: int, *, known: Collection[int], scattered: bool
) -> Elements | None:
    """Return the elements that are written with no contents of any input."""
    runs = _runs(task, step, name, budget)
    if len(runs) < _LEAST_RUNS:
        return None
    if not scattered:
        left = _left(~missing, runs)
        return None if left is None else left & missing
    shape = task.arrays[name].shape
    for axis in range(len(shape)) if len(shape) > 1 else ():
        others = tuple(n for n in range(len(shape)) if n != axis)
        flat = [np.asarray(one.reshape(shape).any(axis=others)) for one in (~missing, *runs)]
        left = _left(flat[0], flat[1:])
        if left is not None and int((~left).sum()) not in known:
            along = np.expand_dims(left, others)
            return np.broadcast_to(along, shape).reshape(-1) & missing
    return None


def _runs(task: Task, step: Step, name: str, budget: int, held: Collection[str] = ()) -> list[Elements]:
    """Return which elements of a result are written with other contents of all arrays but those that are held."""
    number = step.arguments.index(name)
    every = (_written(task, step, arrays, number, budget) for arrays in _others(task, held))
    return [one for one in every if one is not None]


def ragged(task: Task, name: str) -> frozenset[str]:
    """Return the inputs that say where rows of a result begin and end, and so that all of it is meant; empty: none does.

    The last of three dimensions is left out: it may be as long by chance, 64 numbers a word where padded sentences have 64 words in all.
    """
    result = task.arrays[name]
    extents = {result.size, *(result.shape if result.ndim < _MANY_DIMENSIONS else result.shape[:-1])} - {0, 1}
    whole = {
        other: array.reshape(-1).astype(np.int64)
        for other, array in task.arrays.items()
        if array.dtype.kind in "iu" and array.size > 1 and other not in task.fresh
    }
    ends = {other for other, at in whole.items() if at[0] == 0 and (np.diff(at) >= 0).all() and int(at[-1]) in extents}
    pairs = {
        one
        for begins, at in whole.items()
        for lengths, size in whole.items()
        if at.size == size.size
        and int(size.sum()) in extents
        and (size >= 0).all()
        and (np.cumsum(size) - size == at).all()
        for one in (begins, lengths)
    }
    return frozenset(ends | pairs)


def _left(first: Elements, runs: Sequence[Elements]) -> Elements | None:
    """Return what none of several executions writes, where enough of them each write all that any does; None: nothing, or too few do."""
    ever = np.logical_or.reduce([first, *runs])
    alone = sum(bool(one.sum() == ever.sum()) for one in runs)
    return ~ever if alone >= _LEAST_ALIKE and not ever.all() else None


def _written(task: Task, step: Step, arrays: Arrays, number: int, budget: int) -> Elements | None:
    """Return which elements of an argument an execution writes; None: it does not end."""
    launch, _ = launch_of(step, arrays, task.fresh)
    try:
        ran = run(step.program, replace(launch, inputs=frozenset()), Options(budget=budget))
    except EmulateError:
        return None
    octets = ran.written[number]
    whole: Elements = octets.reshape(-1, arrays[str(step.arguments[number])].itemsize).all(axis=1)
    return whole


def _others(task: Task, held: Collection[str] = ()) -> Iterator[Arrays]:
    """Yield the task's arrays with other contents; what holds nothing stays, and what is held."""
    rng = np.random.default_rng(_SEED)
    places = sorted({extent for array in task.arrays.values() for extent in (*array.shape, array.size) if extent > 1})
    for fill in (_zeros, _ones, _large, _half, _small, _drawn, _ordered, _drawn, _ordered):
        yield {
            name: array if name in task.fresh or name in held else fill(array, places or [2], rng)
            for name, array in task.arrays.items()
        }


def _zeros(array: NDArray[np.generic], places: Sequence[int], rng: np.random.Generator) -> NDArray[np.generic]:
    del places, rng
    return np.zeros_like(array)


def _ones(array: NDArray[np.generic], places: Sequence[int], rng: np.random.Generator) -> NDArray[np.generic]:
    del places, rng
    return np.ones(array.shape).astype(array.dtype)


def _large(array: NDArray[np.generic], places: Sequence[int], rng: np.random.Generator) -> NDArray[np.generic]:
    del rng
    return _filled(array, _LARGE, places[-1])


def _half(array: NDArray[np.generic], places: Sequence[int], rng: np.random.Generator) -> NDArray[np.generic]:
    """Return numbers half as large as the large ones: what is written by these and those does not depend on how large they are."""
    del rng
    return _filled(array, _LARGE / 2, places[-1] // 2)


def _filled(array: NDArray[np.generic], real: float, whole: int) -> NDArray[np.generic]:
    """Return an array full of one number, or of its type's largest whole number where that is less."""
    if _real(array):
        return np.full(array.shape, real).astype(array.dtype)
    most = np.iinfo(array.dtype.name).max if array.dtype.kind in "iu" else whole
    return np.full(array.shape, min(whole, most)).astype(array.dtype)


def _small(array: NDArray[np.generic], places: Sequence[int], rng: np.random.Generator) -> NDArray[np.generic]:
    del places, rng
    return np.full(array.shape, -_LARGE if _real(array) else -1).astype(array.dtype)


def _real(array: NDArray[np.generic]) -> bool:
    return array.dtype == np.bool_ or floating(array.dtype)


def _drawn(array: NDArray[np.generic], places: Sequence[int], rng: np.random.Generator) -> NDArray[np.generic]:
    """Return random numbers: whole ones below one of the sizes of the launch's arrays, each below another one."""
    if _real(array):
        return rng.standard_normal(array.shape).astype(array.dtype)
    bounds = rng.choice(np.array(places), array.shape)
    return rng.integers(0, bounds, array.shape).astype(array.dtype)


def _ordered(array: NDArray[np.generic], places: Sequence[int], rng: np.random.Generator) -> NDArray[np.generic]:
    """Return random numbers in ascending order, as begins of rows and bins are, all below one of the sizes."""
    if _real(array):
        return np.sort(rng.standard_normal(array.size)).reshape(array.shape).astype(array.dtype)
    return (
        np.sort(rng.integers(0, int(rng.choice(np.array(places))), array.size)).reshape(array.shape).astype(array.dtype)
    )
