"""Results of a case that were judged right, byte by byte: what is the same as one of them is as right, and need not be compared anew.

Most candidates of a search add in the same order as another one did, so their results are the same to the last byte.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hotloop.verify.guards import first_change

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.model.check import CaseResult

    Banded = Mapping[str, NDArray[np.uint8]]

_MOST = 8
"""Different results that are kept, those met last."""
_MOST_BYTES = 1 << 18
"""Largest total size of all arrays with their guard bands; larger ones would fill the memory."""


@dataclass(frozen=True, slots=True)
class _Right:
    arrays: Mapping[str, bytes]
    result: CaseResult

    def fits(self, arrays: Banded) -> bool:
        return arrays.keys() == self.arrays.keys() and all(
            banded.nbytes == len(self.arrays[name]) and banded.tobytes() == self.arrays[name]
            for name, banded in arrays.items()
        )


@dataclass(slots=True)
class Alike:
    """What is known of one case; several threads may ask and tell at once."""

    _known: tuple[_Right, ...] = field(default=())

    def of(self, first: Banded, second: Banded | None) -> CaseResult | None:
        """Return the result of a run, and of its repetition, that left just what one did that was right; None where none did."""
        same = next((right for right in self._known if right.fits(first)), None)
        return same.result if same is not None and (second is None or same.fits(second)) else None

    def keep(self, first: Banded, second: Banded | None, result: CaseResult) -> None:
        """Keep a result that is right, if a repetition left the same."""
        same = second is None or _same(first, second)
        if result.passed and same and sum(banded.nbytes for banded in first.values()) <= _MOST_BYTES:
            right = _Right({name: banded.tobytes() for name, banded in first.items()}, result)
            self._known = (right, *self._known)[:_MOST]


def _same(first: Banded, second: Banded) -> bool:
    return first.keys() == second.keys() and all(first_change(first[name], second[name]) is None for name in first)
