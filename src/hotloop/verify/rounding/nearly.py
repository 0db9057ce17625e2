"""Results that differ from the reference because two values are equal but for rounding: right as well.

The nearest of some centres, the class with the largest score: where two sums are nearly equal, another order of summation
selects another one. What is selected is judged by its value. Where a reference does not show the values (it loops, it calls
what NumPy does not know), it is asked for inputs moved by some units in the last place, each for itself: what it then answers
is right, too. Both are done only where a result is wrong otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from hotloop.errors import KernelFileError
from hotloop.model.dtype import floating
from hotloop.verify import alone
from hotloop.verify.condition import aligned, apart, slack, touched
from hotloop.verify.rounding import rounded
from hotloop.verify.tolerance import eps
from hotloop.verify.watched import Selection, behind, selections

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs
    from hotloop.verify.condition import Outputs
    from hotloop.verify.tolerance import Bound

_TRIES, _TRIES_LARGE, _LARGE = 16, 6, 1 << 20
"""Most times that the reference is asked again, in all; with inputs of more elements its answers take time and memory."""
_SOON = 4
"""Tries after which some of the wrong elements must have been explained."""
_ALIGNED = 5
_ROOM = 4.0
_BITS = 18
_SOME = 64
"""Values of which each is looked for among the inputs."""


def _capped(room: NDArray[np.float64], name: str, asked: alone.Asked) -> NDArray[np.float64]:
    """Return the room of an output, less where small results as the file draws them must be right beside large ones."""
    most = alone.most(room, name, asked) if alone.spanning(asked[2][name]) else None
    return room if most is None else np.minimum(room, most)


class Nearly:
    """What else a reference might have answered to some inputs; worked out at the first wrong result, kept for others."""

    def __init__(self, reference: Callable[[Inputs], Outputs], inputs: Inputs, outputs: Outputs) -> None:
        self._reference = reference
        self._inputs = inputs
        self._outputs = outputs
        self._calls: tuple[Selection, ...] | None = None
        self._changes: list[NDArray[np.float64]] = []
        self._others: list[Outputs] = []
        self._room: dict[str, NDArray[np.float64]] | None = None
        self._rough: dict[bool, dict[str, NDArray[np.float64]]] = {}
        sizes = [v.size for v in inputs.values() if isinstance(v, np.ndarray)]
        self._tries = _TRIES if sum(sizes) < _LARGE else _TRIES_LARGE

    def explained(
        self, name: str, actual: NDArray[np.generic], limit: Bound, *, exact: bool, steps: bool = False
    ) -> NDArray[np.generic] | None:
        """Return the reference of an output with what is right as well in the place of what it is, or None if nothing is.

        Args:
            name: of the output.
            actual: what the kernel wrote.
            limit: permitted error of a float.
            exact: whether inputs have so few bits that sums and products of them round nothing.
            steps: whether integers may be what the reference decides when its own steps are rounded.
        """
        if not any(isinstance(v, np.ndarray) and floating(v.dtype) and v.size for v in self._inputs.values()):
            return None
        reference = self._outputs[name]
        if reference.shape != actual.shape or not reference.size:
            return None
        with np.errstate(all="ignore"):
            if where := self._behind(reference):
                return self._selected(where, actual, reference, exact=exact)
            if exact:
                return None
            met = self._met(name, actual, reference, limit)
            return met if floating(actual.dtype) or not steps else self._decided(name, actual, met)

    def room(self, name: str) -> NDArray[np.float64] | None:
        """Return by how much a result may differ because inputs are rounded; None where the reference refuses such inputs."""
        if self._room is None:
            try:
                asked = self._reference, self._inputs, self._outputs
                self._room = {name: _capped(room, name, asked) for name, room in slack(*asked).items()}
            except KernelFileError:
                self._room = {}
        return self._room.get(name)

    def rough(self, name: str, *, numbers: bool = False) -> NDArray[np.float64] | None:
        """Return by how much a result may differ because the reference's own steps are rounded; None where it refuses that.

        `numbers`: what is computed of numbers passed by value is, too.
        """
        if numbers not in self._rough:
            try:
                found = rounded.room(self._reference, self._inputs, self._outputs, numbers=numbers)
            except (KernelFileError, TypeError, ValueError):  # code that takes no arrays but NumPy's own
                found = {}
            self._rough[numbers] = found
        return self._rough[numbers].get(name)

    def _behind(self, reference: NDArray[np.generic]) -> tuple[int, ...]:
        if self._calls is None:
            self._calls = selections(self._reference, self._inputs)
        return behind(reference, self._calls)

    def _selected(
        self, where: tuple[int, ...], actual: NDArray[np.generic], reference: NDArray[np.generic], *, exact: bool
    ) -> NDArray[np.generic] | None:
        """Judge indices by the values that they select."""
        right, flat, start = reference.reshape(-1).copy(), actual.reshape(-1), 0
        for index in where:
            call = self._of(index)
            stop = start + call.found.size
            given = flat[start:stop].astype(np.int64).reshape(call.found.shape)
            well = self._alike(index, given, exact=exact)
            right[start:stop] = np.where(well.reshape(-1), flat[start:stop], right[start:stop])
            start = stop
        return right.reshape(reference.shape) if (right != reference.reshape(-1)).any() else None

    def _alike(self, index: int, given: NDArray[np.int64], *, exact: bool) -> NDArray[np.bool_]:
        call = self._of(index)
        legal = (given >= 0) & (given < call.values.shape[1])
        if call.found.shape[1] > 1:  # an order names each place once
            legal &= (np.sort(given, axis=1) == np.sort(call.found, axis=1)).all(axis=1, keepdims=True)
        safe = np.where(legal, given, 0)
        chosen, due = (np.take_along_axis(call.values, one, axis=1) for one in (safe, call.found))
        always = self._equal(index, safe, apart(self._inputs, 0)) & (chosen == due)  # whatever the inputs are
        if _given(call.values, self._inputs):  # nothing rounds: of equal inputs the reference's is the right one
            return np.asarray(legal & ((given == call.found) | always))
        change = self._change(index)
        room = np.take_along_axis(change, safe, axis=1) + np.take_along_axis(change, call.found, axis=1)
        near = (np.abs(chosen - due) <= room) & (always | ~self._same(index, safe))
        if exact:
            near &= ~(_short(chosen) & _short(due))
        return np.asarray(legal & (near | (given == call.found)))

    def _same(self, index: int, given: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell where two values come from equal inputs in the same way: they are equal in every arithmetic."""
        choices = self._of(index).found
        same = np.zeros(choices.shape, np.bool_)
        for last in (True, False):
            if self._mixes(index, last=not last):
                continue  # values of several places are summed: equal ones in another order stay equal, too
            some = [self._equal(index, given, aligned(self._inputs, n, last=last)) for n in range(_ALIGNED)]
            same |= np.logical_and.reduce(some)  # a move of few units may be the same for two places by chance
        return same

    def _equal(self, index: int, given: NDArray[np.int64], inputs: Inputs) -> NDArray[np.bool_]:
        """Tell where the values of other indices are those of the found ones, for such inputs."""
        call, moved = self._of(index), selections(self._reference, inputs)
        if index >= len(moved) or moved[index].values.shape != call.values.shape:
            return np.zeros(given.shape, np.bool_)
        values = moved[index].values
        return np.asarray(np.take_along_axis(values, given, axis=1) == np.take_along_axis(values, call.found, axis=1))

    def _mixes(self, index: int, *, last: bool) -> bool:
        """Tell whether one place along the last axis of an input, or the others, reaches some of the values of a row, not one or all."""
        before = self._of(index).values
        for name, value in self._inputs.items():
            if not (isinstance(value, np.ndarray) and floating(value.dtype) and value.size):
                continue
            moved = selections(self._reference, {**self._inputs, name: touched(value, last=last)})
            if index < len(moved) and moved[index].values.shape == before.shape:
                reached = (moved[index].values != before).sum(axis=1)
                if ((reached > 1) & (reached < before.shape[1])).any():
                    return True
        return False

    def _of(self, index: int) -> Selection:
        assert self._calls is not None
        return self._calls[index]

    def _change(self, index: int) -> NDArray[np.float64]:
        """Return by how much the values behind a call move when inputs are rounded, with room."""
        if not self._changes:
            assert self._calls is not None
            self._changes = [_rounding(call.values) for call in self._calls]
            for attempt in range(3):
                moved = selections(self._reference, apart(self._inputs, attempt))
                for place, (old, new) in enumerate(zip(self._calls, moved, strict=False)):
                    if old.values.shape == new.values.shape:
                        by = np.nan_to_num(np.abs(new.values - old.values), nan=0.0, posinf=0.0)
                        wide = _ROOM * np.maximum(by, by.mean(axis=1, keepdims=True))
                        self._changes[place] = np.maximum(self._changes[place], wide)
        return self._changes[index]

    def _met(
        self, name: str, actual: NDArray[np.generic], reference: NDArray[np.generic], limit: Bound
    ) -> NDArray[np.generic] | None:
        """Replace what is wrong by what the reference says of nearly the same inputs, where that is nearer."""
        wanted, open_ = reference.copy(), _outside(actual, reference, limit)
        begun = int(open_.sum())
        for attempt in range(self._tries):
            if not open_.any() or (attempt == _SOON and int(open_.sum()) == begun):
                break
            other = self._other(attempt)
            if other is None:
                break
            here = other[name].astype(wanted.dtype, copy=False)
            better = open_ & ~_outside(actual, here, limit)
            wanted[better], open_ = here[better], open_ & ~better
        return wanted if int(open_.sum()) < begun else None

    def _decided(
        self, name: str, actual: NDArray[np.generic], met: NDArray[np.generic] | None
    ) -> NDArray[np.generic] | None:
        """Replace wrong integers by what the reference answers where it rounds its steps: a place in a grid, say, of what lies at a border.

        Numbers of what fell to each side keep their sum, and each may be any that such answers reach: a kernel may round all to the same side.
        """
        right = np.array(self._outputs[name] if met is None else met)
        open_ = np.asarray(actual != right)
        begun, total = int(open_.sum()), self._outputs[name].sum()
        low, high, shared = right.astype(np.float64), right.astype(np.float64), actual.sum() == total
        try:
            for answer in rounded.answers(self._reference, self._inputs):
                if not open_.any():
                    break
                here = answer[name].astype(right.dtype, copy=False)
                same = open_ & (actual == here)
                right[same], open_ = here[same], open_ & ~same
                low, high, shared = np.minimum(low, here), np.maximum(high, here), shared and here.sum() == total
        except (KernelFileError, TypeError, ValueError):  # code that takes no arrays but NumPy's own
            return met
        if shared and (high > low).any():
            wide = actual.astype(np.float64)
            between = open_ & (wide >= low - (high - low)) & (wide <= high + (high - low))
            right[between], open_ = actual[between], open_ & ~between
        return right if int(open_.sum()) < begun else met

    def _other(self, attempt: int) -> Outputs | None:
        if attempt == len(self._others):
            try:
                self._others.append(self._reference(apart(self._inputs, attempt)))
            except KernelFileError:  # nobody promised the user's function such inputs
                self._tries = attempt
        return self._others[attempt] if attempt < len(self._others) else None


def _outside(actual: NDArray[np.generic], reference: NDArray[np.generic], limit: Bound) -> NDArray[np.bool_]:
    wide = reference.astype(np.float64)
    if not floating(actual.dtype):
        return np.asarray(actual != reference)
    return np.asarray(~(np.abs(actual.astype(np.float64) - wide) <= limit.at(wide)))


def _rounding(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.isfinite(values), _ROOM * eps("float32") * np.abs(values), 0.0)


def _given(values: NDArray[np.float64], inputs: Inputs) -> bool:
    """Tell whether values are inputs themselves, but for signs: comparing them rounds nothing."""
    given = [v.reshape(-1) for v in inputs.values() if isinstance(v, np.ndarray) and floating(v.dtype)]
    sizes = np.abs(np.concatenate([array.astype(np.float64) for array in given]))
    some = np.abs(values[np.isfinite(values)])
    return bool(np.isin(some[:: max(1, some.size // _SOME)], sizes).all())


def _short(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Tell which values have few bits: what led to them had few as well, so float32 rounded nothing."""
    mantissa, _ = np.frexp(values)
    return np.asarray(mantissa * 2.0**_BITS == np.rint(mantissa * 2.0**_BITS))
