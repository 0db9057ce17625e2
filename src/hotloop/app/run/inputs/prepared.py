"""Inputs that are laid out for the worker: of a verification case, and of fresh content beside the rotation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hotloop.app.run.inputs.alike import Alike
from hotloop.app.run.inputs.sizes import scalars
from hotloop.verify.cases import Case
from hotloop.verify.judge import judge
from hotloop.verify.oracle import Expected

if TYPE_CHECKING:
    from hotloop.app.run.inputs.alike import Banded
    from hotloop.model.check import CaseResult
    from hotloop.model.kernel import Inputs, Kernel
    from hotloop.ports import Dataset


@dataclass(frozen=True, slots=True)
class Prepared:
    """One verification case, ready to run."""

    case: Case
    inputs: Inputs
    """Pristine inputs, kept by the parent."""
    expected: Expected
    dataset: Dataset
    scalars: Mapping[str, float]
    payload_bytes: int
    """Size of all arrays together, in bytes."""
    _alike: Alike = field(default_factory=Alike, init=False, compare=False, repr=False)
    """Results that were already judged right against this expectation; a copy with another expectation starts empty."""

    @classmethod
    def of(cls, case: Case, inputs: Inputs, expected: Expected, dataset: Dataset) -> Prepared:
        """Return a case with what follows from its inputs and arrays."""
        return cls(case, inputs, expected, dataset, scalars(inputs), sum(slot.payload_bytes for slot in dataset.slots))

    def judged(self, kernel: Kernel, first: Banded, second: Banded | None = None) -> CaseResult:
        """Return what `judge` finds of a run, and of its repetition; what is known of the same bytes is not found again."""
        result = self._alike.of(first, second)
        if result is None:
            result = judge(kernel, self.case, self.inputs, first, second, expected=self.expected)
            self._alike.keep(first, second, result)
        return result


@dataclass(frozen=True, slots=True)
class Content:
    """Inputs beside the rotation; their reference is computed when it is asked for."""

    case: Case
    dataset: Dataset
    scalars: Mapping[str, float]
