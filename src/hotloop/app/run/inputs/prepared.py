"""Inputs that are laid out for the worker: of a verification case, and of fresh content beside the rotation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.app.run.inputs.sizes import scalars
from hotloop.verify.cases import Case
from hotloop.verify.oracle import Expected

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs
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
    """Of all arrays."""

    @classmethod
    def of(cls, case: Case, inputs: Inputs, expected: Expected, dataset: Dataset) -> Prepared:
        """Return a case with what follows from its inputs and arrays."""
        return cls(case, inputs, expected, dataset, scalars(inputs), sum(slot.payload_bytes for slot in dataset.slots))


@dataclass(frozen=True, slots=True)
class Content:
    """Inputs beside the rotation; their reference is computed when it is asked for."""

    case: Case
    dataset: Dataset
    scalars: Mapping[str, float]
