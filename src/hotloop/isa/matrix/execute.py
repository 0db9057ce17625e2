"""Running a matrix instruction with its maps: what the hardware would put where, in NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from hotloop.isa.matrix.catalogue import find
from hotloop.isa.matrix.instruction import Family, Instruction
from hotloop.isa.matrix.maps import ElementMap, element_map

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Numbers = NDArray[np.number[Any]]


def scatter(where: ElementMap, matrix: Numbers) -> Numbers:
    """Return [lanes, items] of a matrix [blocks, rows, columns], as loads into registers would; of many where it has more axes before."""
    loaded: Numbers = matrix[..., where.block, where.row, where.column]
    return loaded


def gather(where: ElementMap, registers: Numbers) -> Numbers:
    """Return the matrix [blocks, rows, columns] that registers [lanes, items] hold; many where they have more axes before."""
    matrix = np.zeros((*registers.shape[:-2], *where.shape), registers.dtype)
    matrix[..., where.block, where.row, where.column] = registers
    return matrix


def maps_of(instruction: Instruction) -> Mapping[str, ElementMap]:
    """Return where the elements of A, B and D lie."""
    return {operand: element_map(instruction, operand) for operand in "ABD"}


@lru_cache(maxsize=16)
def element_maps(name: str) -> Mapping[str, ElementMap]:
    """Return where the elements of A, B and D lie, for the first instruction of a name."""
    return maps_of(find(name))


def execute(instruction: Instruction, a: Numbers, b: Numbers, c: Numbers) -> Numbers:
    """Return D's registers from those of A, B and C, all [lanes, items] in the accumulator's type.

    Raises:
        ValueError: SMFMAC (its index register is not modelled) and wgmma's B.
    """
    if instruction.family is Family.SMFMAC:
        raise ValueError("sparse instructions need an index register; only their maps are given")
    maps = maps_of(instruction)
    left, right = gather(maps["A"], a), gather(maps["B"], b)
    return scatter(maps["D"], left @ right + gather(maps["D"], c))
