"""Why a metric has no value: one type for each cause, each of which can say so in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A counter of the formula was not collected: a profiler can bring it."""

    counter: str

    def __str__(self) -> str:
        return f"{self.counter} was not counted"


@dataclass(frozen=True, slots=True)
class Unknown:
    """A fact of the launch or the machine, or another metric, is not known."""

    name: str

    def __str__(self) -> str:
        return f"{self.name} is not known"


@dataclass(frozen=True, slots=True)
class Undefined:
    """The divisor is zero: the value is meaningless, and no further counter changes that."""

    divisors: tuple[str, ...]

    def __str__(self) -> str:
        return f"division by zero: {', '.join(self.divisors)}"


@dataclass(frozen=True, slots=True)
class Partial:
    """The counters come from some of the engines only, and the metric needs sums over all of them."""

    coverage: float
    """Waves counted over waves launched."""

    def __str__(self) -> str:
        if self.coverage > 1:
            return "more waves were counted than the launch has: counters and launch do not belong together"
        return (
            f"the counters cover {self.coverage:.1%} of the launched waves (some engines only): sum over all instances"
        )


@dataclass(frozen=True, slots=True)
class Nonzero:
    """The formula holds only where an input is 0, and it is not."""

    name: str

    def __str__(self) -> str:
        return f"{self.name} is not 0"


@dataclass(frozen=True, slots=True)
class Infinite:
    """An input, or the result where no input is named, is no finite number."""

    name: str = ""

    def __str__(self) -> str:
        return f"{self.name} is not a number" if self.name else "the result is not a finite number"


@dataclass(frozen=True, slots=True)
class Impossible:
    """The inputs do not belong together: the result cannot be."""

    metric: str
    value: str
    most: str
    """The largest value that is possible, with its unit, and why."""

    def __str__(self) -> str:
        return f"{self.metric} of {self.value} cannot be, {self.most}: what was divided does not belong together"


@dataclass(frozen=True, slots=True)
class Few:
    """A mean over parts of the device means nothing, as some of them may have had no work."""

    what: str

    def __str__(self) -> str:
        return self.what


Cause = Uncounted | Unknown | Undefined | Partial | Nonzero | Infinite | Impossible | Few


@dataclass(frozen=True, slots=True)
class Gap:
    """A metric without a value: the cause for each of its formulas, in their order, each once."""

    metric: str
    causes: tuple[Cause, ...]

    def __str__(self) -> str:
        return "; or ".join(map(str, self.causes))
