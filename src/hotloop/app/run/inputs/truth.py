"""References that the witness computes on the device, trusted once they agree with NumPy's, and comparisons there.

The kernel's own function is asked with arrays that lie with the witness (`hotloop.engine.witness`), a process that no candidate
touches. That it computes there what it computes here is not believed: on smaller problems of the kernel both are computed
first, and must differ by far less than a result may. Whatever does not go there goes here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from math import prod, sqrt
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from hotloop.engine.witness.far import Far, OnHostError
from hotloop.engine.witness.link import Witness
from hotloop.errors import KernelFileError
from hotloop.host import memory
from hotloop.host.clock import SystemClock
from hotloop.model.kernel import Empty
from hotloop.ports import Witnessed
from hotloop.verify.cases import Case, draw
from hotloop.verify.compare import Difference, compare
from hotloop.verify.distributions import NORMAL
from hotloop.verify.oracle import Expected, Scales, again, expect
from hotloop.verify.rounding.nearly import Nearly
from hotloop.verify.tolerance import Bound, bound

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs, Kernel
    from hotloop.model.problem import Problem
    from hotloop.ports import Engine

T = TypeVar("T")
SURE_S = 20.0
"""A reference that NumPy computes within so many seconds, by estimate, is computed by NumPy for what is kept."""
LARGE = 1 << 20
"""Elements of all arrays of a problem from which its first reference is computed on the device, and of an output from which
it is compared there: smaller ones cost less than the messages."""
SLOW_S = 0.3
"""A reference that took the host longer than this many seconds is computed on the device the next time, however small its arrays are."""
_PROOFS = 2
"""Number of smaller problems on which device and host must agree before the device is trusted."""
_SHARE = 2.0**-10
"""Part of a result's bound by which they may differ: float64 leaves 2^-29 of a bound in float32."""


class Lent(Mapping[str, "NDArray[np.generic]"]):
    """Arrays that lie with the witness, fetched when somebody looks at their values."""

    def __init__(
        self, witness: Witness, arrays: Mapping[str, Far], otherwise: Callable[[], Mapping[str, NDArray[np.generic]]]
    ) -> None:
        self._witness, self.far, self._otherwise = witness, arrays, otherwise
        self._here: dict[str, NDArray[np.generic]] = {}

    def __getitem__(self, name: str) -> NDArray[np.generic]:
        if name not in self._here:
            try:
                self._here[name] = self._witness.fetch(self.far[name])
            except OnHostError:  # it has gone meanwhile
                self._here.update(self._otherwise())
        return self._here[name]

    def __contains__(self, name: object) -> bool:
        return name in self.far

    def __iter__(self) -> Iterator[str]:
        return iter(self.far)

    def __len__(self) -> int:
        return len(self.far)


@dataclass(slots=True)
class Beside(Scales):
    """References and magnitudes of one case where results are compared with them; nothing wrong is said there."""

    witness: Witness
    outputs: Mapping[str, NDArray[np.generic]]
    magnitudes: Mapping[str, NDArray[np.generic]]
    _lent: dict[str, tuple[Far, Far | None]] = field(default_factory=dict)

    def within(self, name: str, actual: NDArray[np.generic], limit: Bound) -> Difference | None:
        """Return what a comparison finds of a large output that is right everywhere, else None."""
        if actual.size < LARGE or not self.witness.works:
            return None
        try:
            reference, magnitude = self._arrays(name)
            difference = self.witness.within(actual, reference, magnitude, limit)
        except OnHostError:
            return None
        return None if difference is None else _difference(*difference)

    def _arrays(self, name: str) -> tuple[Far, Far | None]:
        if name not in self._lent:
            self._lent[name] = (
                self._far(self.outputs, name),
                (self._far(self.magnitudes, name) if name in self.magnitudes else None),
            )
        return self._lent[name]

    def _far(self, arrays: Mapping[str, NDArray[np.generic]], name: str) -> Far:
        if isinstance(arrays, Lent):
            return arrays.far[name]
        return self.witness.lend(np.broadcast_to(arrays[name], self.outputs[name].shape))


def _difference(
    largest: float, ratio: float, error_square: float, due_square: float, square: float, product: float
) -> Difference:
    """Return the measures in the words of a comparison, as `hotloop.verify.compare` forms them."""
    norms = sqrt(square) * sqrt(due_square)
    same = 1.0 if not square and not due_square else 0.0
    return Difference(
        max_err=largest,
        norm_err=sqrt(error_square / due_square) if due_square else sqrt(error_square),
        cos_sim=min(1.0, product / norms) if norms else same,
        worst_ratio=ratio,
    )


@dataclass(slots=True)
class Truth:
    """Where the references of one kernel are computed."""

    engine: Engine
    kernel: Kernel
    problem: Problem
    seed: int
    took_s: float = 0.0
    """Time in s of the latest reference of the problem, computed here."""
    host_s: float = 0.0
    """Estimated time in s of a reference in NumPy on this host; 0: none was computed here yet."""
    there_s: float = 0.0
    """Time in s of the latest reference computed on the device, messages included."""
    once_s: float = 0.0
    """Time in s of what no other reference waits for, the witness's start and the proofs, until the time of the latest one is known without it."""
    distrusted: str = ""
    """Why nothing is computed there."""
    _alone: threading.RLock = field(default_factory=threading.RLock, repr=False, compare=False)
    """Held while the device computes a reference: what goes wrong there is told with the next answer, to whoever asks."""
    _proven: bool = False
    _confirmed: bool = False
    """Whether a reference of the problem itself, on which a search relied, is what NumPy computes."""

    @property
    def witness(self) -> Witness | None:
        """Return the witness that the engine has, None where there is none or it has gone."""
        witness = self.engine.witness if isinstance(self.engine, Witnessed) else None
        began_s = SystemClock().monotonic_s()
        works = isinstance(witness, Witness) and witness.works  # which waits for its start
        self.once_s += SystemClock().monotonic_s() - began_s
        return witness if isinstance(witness, Witness) and works else None

    def expected(self, problem: Problem, inputs: Inputs, *, sure: bool = False) -> Expected:
        """Return what is expected of inputs: from the device where that is trusted and worth it, else from NumPy.

        Args:
            problem: of the kernel.
            inputs: arrays and numbers.
            sure: for what is kept: compared here in any case, and from NumPy until one reference of the problem itself has come
                from both and is the same, unless that would take longer than `SURE_S`.

        Raises:
            KernelFileError: the kernel's reference is at fault.
        """
        own = problem == self.problem
        if self.kernel.launched:  # by a launch of its own, while the witness, which only compares, is still starting
            here = self._here(problem, inputs)
            near = self.witness if own and not sure else None
            return here if near is None else replace(here, scales=Beside(near, here.outputs, here.magnitudes))
        worth = self._worth(inputs, own=own) and not self._slower_there()
        if not worth and not _large(
            inputs
        ):  # the witness would do nothing for it: nobody waits for its start, which takes seconds
            return self._here(problem, inputs)
        witness = self.witness if own or (worth and self._proven) else None
        if witness is None or (sure and self.host_s <= SURE_S and not self._confirmed):
            return self._here(problem, inputs)
        expected = self._there(witness, problem, inputs) if worth and self._trusted(witness) else None
        expected = self._here(problem, inputs) if expected is None else expected
        return replace(expected, scales=None if sure else Beside(witness, expected.outputs, expected.magnitudes))

    def sure(self, problem: Problem, inputs: Inputs, expected: Expected) -> Expected:
        """Return what is expected, for what is kept, where `known` was enough for a search. Raises KernelFileError."""
        if self.kernel.launched:  # the same launch would say the same; only where results are compared changes
            return replace(expected, scales=None)
        here = self.expected(problem, inputs, sure=True)
        if isinstance(here.outputs, Lent):  # NumPy would take too long
            return replace(expected, scales=None)
        if isinstance(expected.outputs, Lent):
            self._confirmed = self.agrees(problem, inputs, expected, here)
        return replace(here, slack=expected.slack)

    def usual_s(self, spent_s: float) -> float:
        """Return what preparing a case takes which took `spent_s` and waited for the witness or asked for proofs, perhaps."""
        spent_s, self.once_s = max(0.0, spent_s - self.once_s), 0.0
        return spent_s

    @property
    def confirming_s(self) -> float:
        """Return what the one reference will take that NumPy computes for what is kept, where others come from the device."""
        trusted = self._proven and not self.distrusted and not self._confirmed
        return (self.took_s or self.host_s) if trusted and self.host_s <= SURE_S else 0.0

    def _here(self, problem: Problem, inputs: Inputs) -> Expected:
        began_s = SystemClock().monotonic_s()
        expected = expect(self.kernel, problem, inputs)
        self.took_s = SystemClock().monotonic_s() - began_s if problem == self.problem else self.took_s
        return expected

    def agrees(self, problem: Problem, inputs: Inputs, there: Expected, here: Expected) -> bool:
        """Tell whether a reference of the device is NumPy's; one that is not ends the trust."""
        for name, due in here.outputs.items():
            limit = bound(self.kernel.tolerance, problem, _dtype(inputs[name]))
            tight = Bound(_SHARE * limit.relative, _SHARE * limit.absolute, 0.0)
            difference = compare(name, there.outputs[name], due, tight, magnitude=here.magnitudes.get(name))
            if there.outputs[name].dtype != due.dtype or not difference.passed:
                self.distrusted = f"{name} of {self.kernel.family} is not what NumPy computes"
                return False
        return True

    def _worth(self, inputs: Inputs, *, own: bool) -> bool:
        return _large(inputs) or (own and self.took_s > SLOW_S)

    def _slower_there(self) -> bool:
        """Tell whether NumPy is quicker: a reference in many small pieces costs the device a message for each operation."""
        return 0 < (self.took_s or self.host_s) < self.there_s

    def _trusted(self, witness: Witness) -> bool:
        """Tell whether device and host agree on smaller problems; they are asked once."""
        if self._proven or self.distrusted:
            return not self.distrusted
        began_s = SystemClock().monotonic_s()
        try:
            self._proven = self._agrees_on_smaller(witness)
        finally:
            self.once_s += SystemClock().monotonic_s() - began_s
        return self._proven

    def _agrees_on_smaller(self, witness: Witness) -> bool:
        others = [other for other in dict.fromkeys(self.kernel.awkward(self.problem)) if other != self.problem]
        for index, small in enumerate((others or [self.problem])[-_PROOFS:]):
            inputs = draw(self.kernel, Case(small, NORMAL, self.seed + index, 0))
            there = self._there(witness, small, inputs)
            if there is None or not self.agrees(small, inputs, there, expect(self.kernel, small, inputs)):
                return False
        return True

    def _there(self, witness: Witness, problem: Problem, inputs: Inputs) -> Expected | None:
        """Return what the device computes, None where something of it is beyond it, or looks wrong."""
        before_s, began_s = witness.host_s, SystemClock().monotonic_s()
        try:
            with self._alone, witness.session():
                lent = {name: witness.lend(v) if isinstance(v, np.ndarray) else v for name, v in inputs.items()}
                outputs = self._asked(self.kernel.reference, problem, lent)
                magnitudes = {} if self.kernel.magnitude is None else self._asked(self.kernel.magnitude, problem, lent)
                sound = bool(outputs) and all(_sound(name, output, inputs) for name, output in outputs.items())
        except Exception as reason:  # noqa: BLE001 - whatever a user's function makes of such arrays, NumPy's have the last word
            self.distrusted = f"{type(reason).__name__}: {reason}"
            return None
        if not sound:
            return None
        if problem == self.problem:
            self.host_s, self.there_s = witness.host_s - before_s, SystemClock().monotonic_s() - began_s
        witness.tidy()
        instead = cache(lambda: expect(self.kernel, problem, inputs))
        here = Lent(witness, outputs, lambda: instead().outputs)
        nearly = Nearly(lambda given: again(self.kernel, problem, given), inputs, here) if self.kernel.varied else None
        scale = Lent(witness, magnitudes, lambda: instead().magnitudes)
        return Expected(here, scale, nearly=nearly)

    def _asked(self, ask: object, problem: Problem, lent: Mapping[str, object]) -> dict[str, Far]:
        answer = ask(problem, lent)  # type: ignore[operator]
        if not all(isinstance(value, Far) for value in answer.values()):
            raise OnHostError("a result that was computed here")
        return dict(answer)


def _large(inputs: Inputs) -> bool:
    """Tell whether arrays have so many elements that the device is worth asking, for a reference or for a comparison."""
    arrays = [value for value in inputs.values() if isinstance(value, np.ndarray | Empty)]
    return sum(prod(array.shape) for array in arrays) >= LARGE


def _sound(name: str, truth: Far, inputs: Inputs) -> bool:
    """Tell whether a result is what it must be; of anything else NumPy's own is looked at, which says what is wrong."""
    target = inputs.get(name)
    fits = isinstance(target, np.ndarray | Empty) and truth.shape == tuple(target.shape) and truth.dtype.kind in "fiu"
    return fits and not (truth.dtype.kind == "f" and bool(np.isnan(truth).any()))


def _dtype(target: object) -> str:
    assert isinstance(target, np.ndarray | Empty)
    return target.dtype if isinstance(target, Empty) else target.dtype.name


def asked(make: Callable[[], T]) -> T:
    """Run a function of the user's with limited memory; a sentence that it raised, as of its limit of time, is told as it is."""
    try:
        with memory.limited():
            return make()
    except KernelFileError as error:
        if isinstance(error.__cause__, KernelFileError):
            raise error.__cause__ from error.__cause__.__cause__
        raise
