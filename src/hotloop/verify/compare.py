"""Comparison of a result with its float64 (or exact integer) reference: size, place and kind of the errors.

Arrays are processed in pieces that fit the caches, so that a 4096 × 4096 comparison needs no temporary of its size.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from math import isfinite, sqrt
from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.check import Guard
from hotloop.model.dtype import Limits, floating, limits
from hotloop.verify import pieces, spread
from hotloop.verify.guards import chunks
from hotloop.verify.poison import is_poison, plain_nan
from hotloop.verify.tolerance import Bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


_SPAN, _WIDE = 1 << 19, 1 << 15
"""Elements that a thread compares at a time, and of them in one pass: shorter passes would wait for the interpreter's lock."""
_SQUARES_FROM, _SQUARES_TO = 1e-100, 1e100
"""Magnitudes whose squares neither vanish nor overflow, with much room for sums of them."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a comparison needs of a small floating-point reference, whoever is compared: worked out once, used for all.

    A reference of more than one piece is not prepared: its comparison costs much more than computing these facts.
    """

    reference: NDArray[np.float64]
    """Finite elements of the reference, flat."""
    bound: NDArray[np.float64]
    """Bounds of the same elements."""
    square: float
    """Square of the norm of the same elements."""
    finite: NDArray[np.bool_] | None
    """Which elements are finite; None: all."""
    odd: NDArray[np.float64]
    """The other elements."""

    @classmethod
    def of(
        cls, reference: NDArray[np.generic], bound: Bound, magnitude: NDArray[np.generic] | None = None
    ) -> Facts | None:
        """Return the facts, or None for a reference that needs the careful comparison."""
        if not (0 < reference.size <= pieces.CHUNK and floating(reference.dtype)):
            return None
        largest = pieces.largest_of(flat := pieces.flat(reference))
        if largest and not _SQUARES_FROM < largest < _SQUARES_TO:
            return None
        whole = flat.astype(np.float64)
        scale = (
            None if magnitude is None else pieces.finite_scale(pieces.flat(np.broadcast_to(magnitude, reference.shape)))
        )
        with np.errstate(all="ignore"):
            bounds, finite = bound.at(whole, scale), np.isfinite(whole)
        if finite.all():
            return cls(whole, bounds, pieces.dot(whole, whole), None, whole[:0])
        inner = whole[finite]
        if not inner.size:
            return None
        return cls(inner, bounds[finite], pieces.dot(inner, inner), finite, whole[~finite])

    def finite_of(self, value: NDArray[np.generic]) -> NDArray[np.generic] | None:
        """Return a flat result's elements where the reference is finite; None if the other elements are wrong."""
        if self.finite is None:
            return value
        return value[self.finite] if pieces.alike(value[~self.finite].astype(np.float64), self.odd).all() else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Result of a comparison. A measure that is not finite is None."""

    max_err: float | None = 0.0
    """Largest absolute error of elements that are finite on both sides."""
    norm_err: float | None = 0.0
    """Euclidean norm of the error over the norm of the reference, same elements."""
    cos_sim: float | None = 1.0
    worst_ratio: float | None = 0.0
    """Largest error over its element's bound; None when a bound of zero is missed or a value is not finite."""
    wrong: int = 0
    """Number of elements whose error exceeds the bound."""
    worst: tuple[int, ...] | None = None
    """Index of the worst element, when any is wrong."""
    reason: str = ""
    """Description of the worst element's error in one line; empty when the result is right."""
    guard: Guard = Guard.REFERENCE
    """Guard that the worst element violates, if any is wrong."""

    @property
    def passed(self) -> bool:
        """True when every element is within its bound."""
        return not self.reason


def compare(
    name: str,
    actual: NDArray[np.generic],
    reference: NDArray[np.generic],
    bound: Bound,
    *,
    magnitude: NDArray[np.generic] | None = None,
    poison: int | None = None,
    facts: Facts | None = None,
) -> Difference:
    """Compare one output with its reference.

    NaN must be NaN, an infinity the same infinity. A reference beyond the range of the output's type must come out
    infinite; one that reaches the limit within its bound may.

    Args:
        name: of the output, for the reason.
        actual: what the kernel wrote.
        reference: float64, or integers for an exact result.
        bound: permitted error.
        magnitude: scale of rounding errors (|A||B|), same shape as the reference.
        poison: pattern that the output held before the run; None: it held something else.
        facts: what `Facts.of` returned for this reference, bound and magnitude, when it is known already.
    """
    if actual.shape != reference.shape:
        got, due = list(actual.shape), list(reference.shape)
        return Difference(
            max_err=None, norm_err=None, cos_sim=None, worst_ratio=None, wrong=1,
            reason=f"{name} has shape {got}, the reference {due}",
        )  # fmt: skip
    walk = _Walk(bound, poison, limits(actual.dtype) if floating(actual.dtype) else None)
    flat = pieces.flat(actual)
    if facts is not None and floating(actual.dtype):
        with np.errstate(all="ignore"):
            if walk.right(flat, facts):
                return walk.found(name, actual, reference)
    wanted = pieces.flat(reference)
    if flat.dtype.kind == "b":
        flat = flat.view(np.uint8)  # a byte that is neither 0 nor 1 is wrong, and NumPy would not say so
    scale = None if magnitude is None else pieces.flat(np.broadcast_to(magnitude, reference.shape))
    with np.errstate(all="ignore"):
        walk.over(flat, wanted, scale)
        return walk.found(name, actual, reference)


@dataclass(slots=True)
class _Walk:
    """Running sums over the pieces of one comparison."""

    bound: Bound
    poison: int | None
    limits: Limits | None
    unit: float = 1.0  # norms are taken in this unit where squares would over- or underflow
    largest: float = 0.0
    ratio: float = 0.0
    error_square: float = 0.0
    reference_square: float = 0.0
    actual_square: float = 0.0
    product: float = 0.0
    wrong: int = 0
    stale: int = 0
    mismatched: int = 0
    worst: dict[str, int] = field(default_factory=dict)  # first stale, first mismatched, largest ratio

    def over(self, actual: NDArray[np.generic], wanted: NDArray[np.generic], scale: NDArray[np.generic] | None) -> None:
        """Walk over flat arrays, on all cores where they are large: quickly over what is right, with care over the rest."""
        largest = float(np.max(spread.each(wanted.size, lambda part: pieces.reach(wanted[part])), initial=0.0))
        if not _SQUARES_FROM < largest < _SQUARES_TO:
            self.unit = pieces.largest_of(wanted) or 1.0
        spare = cache(lambda: pieces.largest_of(np.asarray(scale)))

        def walked(part: slice) -> _Walk:
            walk = _Walk(self.bound, self.poison, self.limits, self.unit)
            with np.errstate(all="ignore"):  # which each thread has its own of
                walk.through(part, actual, wanted, scale, spare)
            return walk

        for walk in spread.each(actual.size, walked, _SPAN):
            self._join(walk)

    def through(
        self,
        part: slice,
        actual: NDArray[np.generic],
        wanted: NDArray[np.generic],
        scale: NDArray[np.generic] | None,
        spare: Callable[[], float],
    ) -> None:
        """Walk over a part of flat arrays; `spare` is the largest finite number of the whole scale."""
        step = pieces.CHUNK if actual.size <= _SPAN else _WIDE
        for first, last in chunks(part.stop - part.start, step):
            start, stop = part.start + first, part.start + last
            piece = None if scale is None else scale[start:stop].astype(np.float64, copy=False)
            if self._piece_right(actual[start:stop], wanted[start:stop], piece):
                continue
            if piece is not None and not np.isfinite(piece).all():
                piece = pieces.with_spare(piece, spare())
            self.take(start, actual[start:stop], wanted[start:stop], piece)

    def _join(self, later: _Walk) -> None:
        """Add what was found in a part behind this one's."""
        if later.ratio > self.ratio and "ratio" in later.worst:
            self.worst["ratio"] = later.worst["ratio"]
        for kind in ("stale", "mismatched"):
            if kind in later.worst:
                self.worst.setdefault(kind, later.worst[kind])
        self.largest, self.ratio = max(self.largest, later.largest), max(self.ratio, later.ratio)
        self.error_square += later.error_square
        self.reference_square += later.reference_square
        self.actual_square += later.actual_square
        self.product += later.product
        self.wrong += later.wrong
        self.stale += later.stale
        self.mismatched += later.mismatched

    def right(self, actual: NDArray[np.generic], facts: Facts) -> bool:
        """Add a whole flat result if it is as its reference within bounds, infinities and NaN included; else leave it."""
        value = facts.finite_of(pieces.plain(actual))
        return value is not None and self._within(value, facts.reference, facts.bound, facts.square)

    def _piece_right(
        self, actual: NDArray[np.generic], wanted: NDArray[np.generic], scale: NDArray[np.float64] | None
    ) -> bool:
        """Add one piece if it is float, finite and within bounds, in as few passes as possible; else leave it."""
        if self.unit != 1.0 or not (floating(actual.dtype) and floating(wanted.dtype)):
            return False
        reference = wanted.astype(np.float64, copy=False)
        return self._within(pieces.plain(actual), reference, lambda: self.bound.at(reference, scale))

    def _within(
        self,
        value: NDArray[np.generic],
        reference: NDArray[np.float64],
        bound: NDArray[np.float64] | Callable[[], NDArray[np.float64]],
        own: float | None = None,
    ) -> bool:
        """Add finite elements if each is within its bound; `own` is the square of the reference's norm where it is known."""
        error = np.subtract(value, reference, dtype=np.float64)
        squares, mixed = pieces.dot(error, error), pieces.dot(reference, error)
        if not isfinite(squares) or not isfinite(mixed):
            return False
        np.abs(error, out=error)
        largest = float(error.max())
        ratio = float((error / (bound() if callable(bound) else bound)).max()) if largest else 0.0
        if not ratio <= 1.0:
            return False
        own = pieces.dot(reference, reference) if own is None else own
        self.largest, self.ratio = max(self.largest, largest), max(self.ratio, ratio)
        self.error_square += squares
        self.reference_square += own
        self.product += own + mixed
        self.actual_square += max(
            0.0, own + 2 * mixed + squares
        )  # of small results beside large ones roundings are left
        return True

    def take(
        self, start: int, actual: NDArray[np.generic], wanted: NDArray[np.generic], scale: NDArray[np.float64] | None
    ) -> None:
        """Add one piece."""
        value, reference = actual.astype(np.float64), wanted.astype(np.float64)
        bound = self.bound.at(reference, scale)
        finite = np.isfinite(reference) & np.isfinite(value)
        beyond = self._overflows(value, reference, bound)
        error = np.where(finite & ~beyond, np.abs(value - reference), 0.0)
        if not (floating(actual.dtype) or floating(wanted.dtype)):
            error = np.where(actual == wanted, 0.0, np.maximum(error, 1.0))  # float64 cannot tell large integers apart
        mismatch = ~finite & ~beyond & ~pieces.alike(value, reference)
        self._sum(np.where(finite, value, 0.0), np.where(finite, reference, 0.0), error)
        self._rank(start, error, bound, mismatch, self._stale(actual, ~(error <= bound), mismatch))

    def _overflows(
        self, value: NDArray[np.float64], reference: NDArray[np.float64], bound: NDArray[np.float64]
    ) -> NDArray[np.bool_]:
        """Return where an infinity is right although the reference is finite, because the reference exceeds the type's range.

        A type without infinities may have NaN there, or its largest number of the same sign.
        """
        if self.limits is None:
            return np.zeros(value.shape, dtype=np.bool_)
        reaches = ~np.isnan(reference) & (np.abs(reference) + bound >= self.limits.largest)
        same = np.sign(value) == np.sign(reference)
        if not self.limits.infinite:
            most = same & (np.abs(value) == self.limits.largest)
            return np.asarray(reaches & (np.isnan(value) | most), dtype=np.bool_)
        return np.asarray(reaches & np.isfinite(reference) & np.isinf(value) & same, dtype=np.bool_)

    def _stale(
        self, actual: NDArray[np.generic], outside: NDArray[np.bool_], mismatch: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        suspicious = outside | mismatch
        if self.poison is None or not suspicious.any():
            return np.zeros(actual.shape, dtype=np.bool_)
        return suspicious & is_poison(actual, self.poison)

    def _sum(self, value: NDArray[np.float64], reference: NDArray[np.float64], error: NDArray[np.float64]) -> None:
        value, reference, scaled = value / self.unit, reference / self.unit, error / self.unit
        self.largest = max(self.largest, float(error.max(initial=0.0)))
        self.error_square += pieces.dot(scaled, scaled)
        self.reference_square += pieces.dot(reference, reference)
        self.actual_square += pieces.dot(value, value)
        self.product += pieces.dot(value, reference)

    def _rank(
        self,
        start: int,
        error: NDArray[np.float64],
        bound: NDArray[np.float64],
        mismatch: NDArray[np.bool_],
        stale: NDArray[np.bool_],
    ) -> None:
        # An error over a bound of zero is infinitely wrong, and so is one over a bound that is no number.
        ratio = np.nan_to_num(np.where(error == 0, 0.0, error / bound), copy=False, nan=np.inf, posinf=np.inf)
        top = int(np.argmax(ratio)) if ratio.size else 0
        if ratio.size and ratio[top] > self.ratio:
            self.ratio = float(ratio[top])
            self.worst["ratio"] = start + top
        for kind, flags in (("stale", stale), ("mismatched", mismatch & ~stale)):
            if flags.any():
                self.worst.setdefault(kind, start + int(np.argmax(flags)))
        self.stale += int(stale.sum())
        self.mismatched += int((mismatch & ~stale).sum())
        self.wrong += int(((ratio > 1) | mismatch).sum())

    def found(self, name: str, actual: NDArray[np.generic], reference: NDArray[np.generic]) -> Difference:
        """Return the difference after the last piece."""
        norms = sqrt(self.actual_square) * sqrt(self.reference_square)
        norm_err = sqrt(self.error_square / self.reference_square) if self.reference_square else sqrt(self.error_square)
        same = 1.0 if not self.actual_square and not self.reference_square else 0.0
        kind = next((k for k in ("stale", "mismatched", "ratio") if k in self.worst), "ratio")
        where = np.unravel_index(self.worst[kind], actual.shape) if self.wrong else None
        index = None if where is None else tuple(int(i) for i in where)
        return Difference(
            max_err=_finite(self.largest),
            norm_err=_finite(norm_err),
            cos_sim=_finite(min(1.0, self.product / norms) if norms else same),
            worst_ratio=None if self.stale or self.mismatched else _finite(self.ratio),
            wrong=self.wrong,
            worst=index,
            reason="" if index is None else self._why(name, index, actual, reference, stale=kind == "stale"),
            guard=Guard.REFERENCE if index is None else _guard(actual[index], stale=kind == "stale"),
        )

    def _why(
        self,
        name: str,
        index: tuple[int, ...],
        actual: NDArray[np.generic],
        reference: NDArray[np.generic],
        *,
        stale: bool,
    ) -> str:
        text = f"{place(name, index)}: got {show(actual[index])}, expected {show(reference[index])}"
        if stale:
            text += "; never written"
        elif isfinite(self.ratio) and not self.mismatched:
            text += f"; error {self.ratio:.3g} of its bound"
        elif plain_nan(actual[index]):
            text += "; this NaN comes from arithmetic (0/0, inf - inf) or from the inputs, not from beside an array"
        return text + (f" ({self.wrong} of {actual.size} elements wrong)" if self.wrong > 1 else "")


def _guard(value: np.generic, *, stale: bool) -> Guard:
    if stale:
        return Guard.POISON
    foreign = value != value and not plain_nan(value)  # only NaN differs from itself
    return Guard.FOREIGN if foreign else Guard.REFERENCE


def place(name: str, index: tuple[int, ...]) -> str:
    """Return an element's name, e.g. ``y[3, 17]``; a scalar's is the array's own."""
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def show(value: object) -> str:
    """Return the shortest text that identifies a number in a message."""
    return f"{value:.9g}" if isinstance(value, float | np.floating) else str(value)


def _finite(value: float) -> float | None:
    return value if isfinite(value) else None
