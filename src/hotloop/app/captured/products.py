"""How many operations the products of a captured Triton kernel take, counted while its own text runs once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from hotloop.app.captured.truth import Posed, imports
from hotloop.errors import HotloopError
from hotloop.model.program import Array
from hotloop.rewrite.jitted.form import RefusedError, Script
from hotloop.rewrite.jitted.products import KINDS, counting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.app.captured.truth import Oracle
    from hotloop.model.device import Device
    from hotloop.model.kernel import Inputs
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.model.record import Scalar
    from hotloop.model.space import Config

_RATES = {"half": "bfloat16", "single": "tfloat32"}
"""For each kind of products, the type whose matrix rate applies; the rates of other types are not measured."""
_SLOWER = {"half": 1.0, "single": 2.0}
"""How much longer a product takes about, to find which kind of a kernel that has several limits it."""
_NONE = "each array moved once, those that are read and written twice; operations are not counted"


@dataclass(frozen=True, slots=True)
class Products:
    """Matrix products that a kernel's text computes, as counted."""

    flops: float = 0.0
    rate: str = ""
    """Type whose matrix rate limits them; empty: none is counted."""
    told: str = _NONE


class Made(Protocol):
    """What counting needs of a captured kernel."""

    script: Script
    oracle: Oracle
    start: Config

    def program(self, problem: Problem, config: Mapping[str, Scalar], device: Device, posed: Posed) -> Program:
        """Return a text as a program."""


def products(made: Made, problem: Problem, draw: Callable[[], Inputs]) -> Products:
    """Return the operations of a launch's products; where they cannot be counted, what is told says why.

    Inputs are drawn where there are products only: for hundreds of megabytes it takes seconds.
    """
    if not any(next(made.script.calls(one, "dot", "dot_scaled"), None) for one in made.script.reached):
        return Products()
    try:
        script, counter = counting(made.script)
        arrays = {name: one for name, one in draw().items() if isinstance(one, np.ndarray)}
        counts = _counted(made, problem, arrays, script, counter)
    except (RefusedError, HotloopError, ValueError) as reason:
        return Products(told=f"{_NONE}: {reason}")
    if counts is None:
        return Products(told=f"{_NONE}: the text that counts them did not run")
    summed = _summed(counts)
    imported = "; products of what it imports are not counted" if imports(made.script.text) else ""
    return replace(summed, told=summed.told + imported)


def _counted(
    made: Made, problem: Problem, arrays: Mapping[str, NDArray[np.generic]], script: Script, counter: str
) -> dict[str, int] | None:
    """Return how many multiplications there are of each kind."""
    _, device = made.oracle.machine()
    program = made.program(problem, made.start, device, Posed(script.text))
    launches = tuple(replace(launch, arguments=(Array(counter), *launch.arguments)) for launch in program.launches)
    program = replace(program, launches=launches, options=(*program.options, f"array:{counter}=int64"))
    ran = made.oracle.execute(program, {**arrays, counter: np.zeros(len(KINDS), np.int64)}, (counter,))
    return dict(zip(KINDS, map(int, ran[counter]), strict=True)) if isinstance(ran, dict) else None


def _summed(counts: Mapping[str, int]) -> Products:
    """Return the kind that takes longest, a multiplication and an addition each."""
    kind = max(_RATES, key=lambda kind_name: counts[kind_name] * _SLOWER[kind_name])
    convention = "each array moved once, those that are read and written twice; tl.dot as its text computes it, without factors that are zero, fma = 2 flops"
    if not counts[kind]:
        return Products(told=f"{_NONE}: nothing measures how fast their types are multiplied") if counts["other"] else Products()  # fmt: skip
    left = sum(counts.values()) - counts[kind]
    return Products(
        2.0 * counts[kind], _RATES[kind], convention + ("; products of other types are not counted" if left else "")
    )


__all__ = ["Products", "products"]
