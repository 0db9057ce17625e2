"""Evaluation of a kernel's reference: float64 results with the scale of their rounding errors, and checks that they make sense."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from hotloop.errors import KernelFileError
from hotloop.model.dtype import dtype_of, floating, limits, numeric
from hotloop.model.kernel import Empty, Kernel, Tolerance
from hotloop.model.problem import Problem
from hotloop.raised import raised
from hotloop.verify import alone, spread
from hotloop.verify.compare import Difference, Facts, place
from hotloop.verify.condition import slack
from hotloop.verify.domain import ANY, NAN
from hotloop.verify.rounding.nearly import Nearly
from hotloop.verify.tolerance import Bound

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs, Outputs

_MARGIN = 256.0
"""Required factor between results and the largest number of their type."""


@dataclass(frozen=True, slots=True)
class Yardstick:
    """The bound and scales by which an output is judged, the same for every candidate on the same case."""

    tolerance: Tolerance
    problem: Problem
    distribution: str
    dtype: np.dtype[np.generic]
    bound: Bound
    facts: Facts | None

    def serves(self, tolerance: Tolerance, problem: Problem, distribution: str, dtype: np.dtype[np.generic]) -> bool:
        """Return whether it was made from these objects; for other objects a new one is needed."""
        own = self.tolerance is tolerance and self.problem is problem
        return own and self.distribution == distribution and self.dtype == dtype


class Scales:
    """Compares results with references in a faster place, such as on the device.

    No Protocol: `hotloop.verify.integrity` would take what Python itself adds to such a class for somebody else's code.
    """

    def within(self, name: str, actual: NDArray[np.generic], limit: Bound) -> Difference | None:
        """Return what a comparison finds of an output that is right everywhere; None for any other, and where it cannot tell."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Expected:
    """References and magnitudes by output name; compute once, judge many candidates."""

    outputs: Mapping[str, NDArray[np.generic]]
    magnitudes: Mapping[str, NDArray[np.generic]]
    slack: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    """Additional permitted difference of outputs, because inputs are rounded; see `hotloop.verify.condition`."""
    most: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    """Most that elements may differ, whatever a formula makes of rounding; see `hotloop.verify.alone`."""
    divided: bool = False
    """Whether the reference divided by zero where all its outputs are whole numbers, which have no infinity for that."""
    yardsticks: dict[str, Yardstick] = field(default_factory=dict, compare=False, repr=False)
    """Yardsticks by output name, cached by `judge` for the next candidate."""
    nearly: Nearly | None = field(default=None, compare=False, repr=False)
    """Alternative right results where values are equal except for rounding; None: there are none."""
    scales: Scales | None = field(default=None, compare=False, repr=False)
    """Faster comparison that can confirm a right result; a wrong result is only established here."""
    norms: dict[tuple[str, Bound], tuple[float, float]] = field(default_factory=dict, compare=False, repr=False)
    """Norms of the reference and of its bounds, by output and bound; kept by `judge`."""
    serial: list[dict[str, NDArray[np.float64]]] = field(default_factory=list, compare=False, repr=False)
    """By how much the reference's sums are above it when they are added up in float32, by order (`hotloop.verify.rounding.serial.WAYS`); kept by `judge`."""
    intact: dict[str, bytes] = field(default_factory=dict, compare=False, repr=False)
    """Small inputs with their bands as an examined run left them untouched, by name: the next one's need only be equal."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Properties of the inputs for which the effect of rounding is determined."""

    floats: bool = False
    """True for made-up floats, whose results may be badly conditioned, too."""
    equal: bool = False
    """All values of an array are equal."""
    few: bool = False
    """Values have few bits."""


def conditioned(
    kernel: Kernel,
    problem: Problem,
    inputs: Inputs,
    truth: Expected,
    kind: Kind = Kind(),
    usual: Expected | None = None,
) -> Expected:
    """Return what is expected with what the rounding of inputs alone does to integers and, of some kinds, to the rest.

    The reference is asked some more times. Where it refuses the moved inputs nothing is added. `usual` is what is expected of
    inputs as the file draws them, to whose size its `absolute` was chosen: larger results have it in proportion.
    """
    answer = partial(again, kernel, problem)
    targets = {name: inputs[name] for name in truth.outputs}
    wanted = {name for name, value in targets.items() if kind.floats or not _fractional(value)}
    if not wanted or not any(isinstance(v, np.ndarray) and floating(v.dtype) and v.size for v in inputs.values()):
        return truth
    try:
        slacks = slack(answer, inputs, {name: truth.outputs[name] for name in truth.outputs}, equal=kind.equal)
    except KernelFileError:
        return truth
    most = _limits(kernel, (answer, inputs, truth.outputs), slacks, truth if usual is None else usual)
    slacks = {name: np.minimum(room, most.get(name, inf)) for name, room in slacks.items()}
    absolute = kernel.tolerance.absolute
    if usual is not None and isfinite(absolute):
        slacks = {name: room + absolute * _growth(name, truth, usual) for name, room in slacks.items()}
    judged_by = replace(truth, slack={name: slacks[name] for name in wanted}, most=most)
    return _strict(judged_by) if kind.few else judged_by


def _limits(
    kernel: Kernel, asked: alone.Asked, slacks: Mapping[str, NDArray[np.float64]], drawn: Expected
) -> dict[str, NDArray[np.float64]]:
    """Return the most that small results may be off, of outputs where they must be right beside large ones: such are drawn, or every value is legal."""
    whole = not {ANY, NAN}.isdisjoint(kernel.domain.values())
    each = [name for name, value in drawn.outputs.items() if floating(value.dtype) and (whole or alone.spanning(value))]
    limits = {name: alone.most(slacks[name], name, asked) for name in each}
    return {name: limit for name, limit in limits.items() if limit is not None}


def _strict(expected: Expected) -> Expected:
    """Return what is expected of values of few bits: integers of which many lie at an edge are halves, and the kernel's to round.

    A constant of the kernel's own, such as a tenth, brings few of such values to an edge of its results, and only these are excused.
    """
    edges = [
        name
        for name, room in expected.slack.items()
        if not floating(expected.outputs[name].dtype) and np.mean(room > 0) >= _MANY
    ]
    return replace(expected, slack={name: one for name, one in expected.slack.items() if name not in edges})


_MANY = 1 / 100
"""Part of the results at an edge from which on that is no chance."""


def _growth(name: str, truth: Expected, usual: Expected) -> float:
    """Return by how many times, beyond one, floating-point results are larger than usual."""
    before, now = (float(np.abs(expected.outputs[name]).max(initial=0.0)) for expected in (usual, truth))
    grown = floating(truth.outputs[name].dtype) and 0 < before < inf and before < now < inf
    return now / before - 1.0 if grown else 0.0


def sensible(inputs: Inputs, expected: Expected) -> bool:
    """Tell whether results fit their types: floats well within, for intermediate results may not, whole numbers at all."""
    for name, value in expected.outputs.items():
        target = inputs[name]
        if isinstance(target, np.ndarray | Empty) and value.size and not _holds(dtype_of(target.dtype), value):
            return False
    return True


def _holds(kind: np.dtype[np.generic], value: NDArray[np.generic]) -> bool:
    if floating(kind):
        return bool((np.abs(value.astype(np.float64)) < limits(kind).largest / _MARGIN).all())
    if kind.kind not in "iu":
        return True
    ends = np.iinfo(kind.name)
    return bool(value.min() >= ends.min and value.max() <= ends.max)


def again(kernel: Kernel, problem: Problem, inputs: Inputs) -> Mapping[str, NDArray[np.generic]]:
    """Return what the reference answers to inputs made of the drawn ones. Raises KernelFileError."""
    sealed = {name: _sealed(value) for name, value in inputs.items()}
    return _ask("reference", kernel.reference, kernel, problem, sealed)


def _fractional(value: object) -> bool:
    return isinstance(value, np.ndarray | Empty) and floating(dtype_of(value.dtype))


def expect(kernel: Kernel, problem: Problem, inputs: Inputs) -> Expected:
    """Ask the kernel's reference and magnitude; they see read-only inputs.

    Raises:
        KernelFileError: the reference raises, changes its inputs, returns what is no output, another shape, or NaN although
            every input is finite.
    """
    sealed = {name: _sealed(value) for name, value in inputs.items()}
    before = _checksums(inputs)
    zeros: list[str] = []
    with np.errstate(call=lambda kind, _flag: zeros.append(kind)):
        outputs = _ask("reference", kernel.reference, kernel, problem, sealed, divide="call")
    if not outputs:
        raise KernelFileError(f"the reference of {_who(kernel)} returns no output, so nothing could be verified.")
    magnitudes = {} if kernel.magnitude is None else _ask("magnitude", kernel.magnitude, kernel, problem, sealed)
    changed = [name for name, checksum in _checksums(inputs).items() if checksum != before[name]]
    if changed:  # views are read-only, but whoever wants to finds the array behind them
        raise KernelFileError(f"the reference of {_who(kernel)} changes its input {changed[0]}.")
    if kernel.linear and any(_exceeds(value, magnitudes.get(name)) for name, value in outputs.items()):
        magnitudes = _of_signs(kernel, problem, sealed, outputs, magnitudes)
    arrays = [value for value in inputs.values() if isinstance(value, np.ndarray)]
    finite = all(spread.finite(array) for array in arrays if floating(array.dtype))
    if not finite and any(_spoilt(outputs[name], value) for name, value in magnitudes.items()):
        plain = _ask("magnitude", kernel.magnitude, kernel, problem, zeroed(sealed))  # type: ignore[arg-type]
        magnitudes = {name: np.where(np.isfinite(value), value, plain[name]) for name, value in magnitudes.items()}
    for name, result in outputs.items():
        _inspect(kernel, name, result, inputs, finite=finite)
    nearly = Nearly(partial(again, kernel, problem), inputs, outputs) if kernel.varied else None
    divided = bool(zeros) and not any(floating(value.dtype) for value in outputs.values())
    return Expected(outputs, magnitudes, divided=divided, nearly=nearly)


def _spoilt(result: NDArray[np.generic], magnitude: NDArray[np.generic]) -> bool:
    """Tell whether a NaN or infinity of the inputs is in a magnitude, and not in the result."""
    if not floating(result.dtype) or not floating(magnitude.dtype):
        return False
    return bool((np.isfinite(result.astype(np.float64)) & ~np.isfinite(magnitude.astype(np.float64))).any())


def zeroed(inputs: Inputs) -> Inputs:
    """Return inputs with zeros in the places of NaN and infinities."""
    return {
        name: np.where(np.isfinite(value.astype(np.float64)), value, value.dtype.type(0))
        if isinstance(value, np.ndarray) and floating(value.dtype)
        else value
        for name, value in inputs.items()
    }


def _exceeds(result: NDArray[np.generic], magnitude: NDArray[np.generic] | None) -> bool:
    """Tell whether a result is larger than what is said to be the sum of its terms' magnitudes."""
    if magnitude is None or not floating(result.dtype):
        return False
    with np.errstate(all="ignore"):
        return bool((np.abs(result.astype(np.float64)) > _ROUNDED * magnitude.astype(np.float64)).any())


def _of_signs(
    kernel: Kernel, problem: Problem, inputs: Inputs, outputs: Outputs, magnitudes: Mapping[str, NDArray[np.generic]]
) -> Mapping[str, NDArray[np.generic]]:
    """Return magnitudes where the reference has signs of its own, as a transform has: of absolute inputs its terms cancel, too.

    With signs drawn at random the squares of results are, on average, the sum of the squares of their terms.
    """
    squares = {name: np.zeros(value.shape) for name, value in magnitudes.items()}
    with np.errstate(all="ignore"):
        for draw in range(_SIGNS):
            rng = np.random.default_rng(draw)
            signed = {name: _signed(value, rng) if name in kernel.linear else value for name, value in inputs.items()}
            for name, value in _ask("reference", kernel.reference, kernel, problem, signed).items():
                if name in squares:
                    squares[name] = squares[name] + value.astype(np.float64) ** 2 / _SIGNS
        return {
            name: np.maximum(np.maximum(value, np.abs(outputs[name])), np.sqrt(squares[name]))
            if floating(outputs[name].dtype)
            else value
            for name, value in magnitudes.items()
        }


def _signed(value: object, rng: np.random.Generator) -> Any:  # noqa: ANN401 - of the value's own type
    if not isinstance(value, np.ndarray) or not floating(value.dtype):
        return value
    return value * rng.choice(np.array([-1, 1], value.dtype), value.shape)


_SIGNS, _ROUNDED = 16, 1.0 + 1e-9
"""Draws of signs, and what rounding makes of a single term."""


def _ask(
    what: str,
    ask: Callable[[Problem, Inputs], Outputs],
    kernel: Kernel,
    problem: Problem,
    inputs: Inputs,
    divide: Literal["ignore", "call"] = "ignore",
) -> Mapping[str, NDArray[np.generic]]:
    try:
        with np.errstate(all="ignore", divide=divide):
            results = ask(problem, inputs)
    except Exception as error:
        raise KernelFileError(f"the {what} of {_who(kernel)} raises on {problem.key}: {raised(error)}.") from error
    if not isinstance(results, Mapping):
        raise KernelFileError(
            f"the {what} of {_who(kernel)} must return arrays by output name, not {type(results).__name__}."
        )
    return {name: np.asarray(value) for name, value in results.items()}


def _inspect(kernel: Kernel, name: str, result: NDArray[np.generic], inputs: Inputs, *, finite: bool) -> None:
    target = inputs.get(name)
    if not isinstance(target, np.ndarray | Empty):
        raise KernelFileError(f"the reference of {_who(kernel)} returns {name!r}, which is not an array of its inputs.")
    if result.shape != tuple(target.shape):
        raise KernelFileError(
            f"the reference of {_who(kernel)} returns {name} of shape {list(result.shape)}, the array has {list(target.shape)}."
        )
    if not numeric(result.dtype):
        raise KernelFileError(f"the reference of {_who(kernel)} returns {name} of type {result.dtype}, not numbers.")
    marks = NAN in kernel.domain.values()  # then NaN is compared place by place, so it may be a result's own mark
    if finite and not marks and floating(result.dtype) and np.isnan(result).any():
        index = tuple(int(i) for i in np.argwhere(np.isnan(result))[0])
        raise KernelFileError(
            f"the reference of {_who(kernel)} gives {place(name, index)} = {result[index]} although all inputs are finite; where "
            "NaN stands for no value on purpose, say so of an input: domain=dict(name='nan')."
        )


def _checksums(inputs: Inputs) -> dict[str, tuple[int, ...]]:
    return {name: spread.checksums(value) for name, value in inputs.items() if isinstance(value, np.ndarray)}


def _who(kernel: Kernel) -> str:
    return f"{kernel.family} ({kernel.origin})" if kernel.origin else kernel.family


def _sealed(value: NDArray[np.generic] | Empty | float) -> NDArray[np.generic] | Empty | float:
    if not isinstance(value, np.ndarray):
        return value
    view = value.view()
    view.flags.writeable = False
    return view
