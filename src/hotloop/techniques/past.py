"""What a run's earlier steps say against a move, before anything is compiled: it goes back, or it lost already.

Neither is proof, since what surrounds a change has changed: the search tries such configurations when the menu is empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.model.record import Scalar
    from hotloop.model.space import Config


class Past(NamedTuple):
    """An earlier step that tried the same technique."""

    before: Config
    """The incumbent's configuration."""
    after: Config
    """The candidate's."""
    kept: bool
    slower: bool
    """The move was measured and the verdict was SLOWER."""


def undoes(before: Config, after: Config, past: Sequence[Past]) -> bool:
    """Tell whether every value that a move changes is one that a kept step had left.

    >>> from hotloop.model.space import Config
    >>> grown = Past(Config(TILE=1, VW=1), Config(TILE=4, VW=1), kept=True, slower=False)
    >>> undoes(Config(TILE=4, VW=1), Config(TILE=1, VW=1), [grown]), undoes(Config(TILE=4, VW=1), Config(TILE=1, VW=4), [grown])
    (True, False)
    """
    left: dict[str, set[Scalar]] = {}
    for step in past:
        for name in step.before.changes_to(step.after) if step.kept else ():
            left.setdefault(name, set()).add(step.before[name])
    changes = before.changes_to(after)
    return bool(changes) and all(after[name] in left.get(name, ()) for name in changes)


def lost(before: Config, after: Config, past: Sequence[Past]) -> bool:
    """Tell whether the same values were given to the same parameters before, from another incumbent, and that was slower."""
    wanted = _values(before, after)
    return any(step.slower and _values(step.before, step.after) == wanted for step in past)


def _values(before: Config, after: Config) -> dict[str, Scalar]:
    return {name: after[name] for name in before.changes_to(after)}
