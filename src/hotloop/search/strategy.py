"""The ask/tell protocol of all search strategies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from hotloop import registry
from hotloop.model.space import Config, Space

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hotloop.search.foretold import Foretold


class Strategy(Protocol):
    """Proposes configurations one at a time.

    The next configuration depends only on the seed, the start points, the results told so far, and configurations asked
    for but not yet told. To resume a search exactly, create a strategy with the same seed and tell it the recorded results
    in their order; nothing else needs to be saved.
    """

    def ask(self) -> Config | None:
        """Return a valid configuration that was neither asked for nor told before; None when there is none left."""

    def tell(self, config: Config, call_ns: float | None) -> None:
        """Record the time of one call in ns (None: the configuration failed). It need not have been asked for."""


@runtime_checkable
class Ranking(Protocol):
    """A strategy that can tell which of several configurations that were asked for should be measured next."""

    def ranked(self, out: Sequence[Config]) -> list[Config]:
        """Return configurations that are out, the most promising first; what is asked for later does not depend on the question."""


class Factory(Protocol):
    """What a strategy module offers as ``STRATEGY``."""

    def __call__(
        self,
        space: Space,
        seed: int,
        start: Sequence[Config] = (),
        elsewhere: Sequence[Mapping[Config, float | None]] = (),
        applies: Callable[[Config], bool] | None = None,
        foretold: Foretold | None = None,
    ) -> Strategy:
        """Begin a search.

        Args:
            space: what to search.
            seed: decides every random choice.
            start: configurations worth trying first, best first; those that are not valid are ignored.
            elsewhere: times in ns (None: it failed) of the same kernel on other devices or problems, a table each; what the
                space does not have is ignored.
            applies: tells of a valid configuration whether it can be tried at all; it answers the same always. What it refuses is
                never proposed. It may cost more than a constraint, so it is asked as late as possible. None: all can be.
            foretold: predicted times of the same kernel, device and problem; doubted ones must not decide what is tried before results agree with them.
        """


def named(name: str) -> Factory:
    """Return what a module of `hotloop.search.strategies` offers. Raises UnknownNameError."""
    factory: Factory = registry.load("hotloop.search.strategies", name, "STRATEGY")
    return factory
