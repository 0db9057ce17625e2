"""The conv3d ladder's problem as the family's; channels-last rungs find the weights packed as [taps, channels]."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.kernels.conv3d_depthwise import KERNEL
from hotloop.kernels.conv3d_depthwise.reference import inputs, magnitude, reference
from hotloop.model.kernel import Kernel
from hotloop.model.problem import Problem
from hotloop.model.record import Scalar

if TYPE_CHECKING:
    import numpy as np

    from hotloop.model.kernel import Inputs, Outputs


def posed(sizes: Mapping[str, Scalar]) -> Kernel:
    """Return the family with the problem of these sizes."""
    made = replace(KERNEL, problem=KERNEL.problem.replace(**sizes), awkward=lambda _problem: ())
    if made.problem.layout != "ndhwc":
        return made
    return replace(made, inputs=_packed, reference=_unpacked(reference), magnitude=_unpacked(magnitude))


def _packed(problem: Problem, rng: np.random.Generator) -> Inputs:
    """Return the family's inputs with the weights as [kd, kh, kw, c]: packing is done once and not timed."""
    import numpy as np

    drawn = inputs(problem, rng)
    return {**drawn, "weights": np.ascontiguousarray(np.moveaxis(np.asarray(drawn["weights"]), 0, -1))}


def _unpacked(judge: Callable[[Problem, Inputs], Outputs]) -> Callable[[Problem, Inputs], Outputs]:
    """Return a function of the family's for packed weights."""
    import numpy as np

    return lambda problem, arrays: judge(
        problem, {**arrays, "weights": np.moveaxis(np.asarray(arrays["weights"]), -1, 0)}
    )
