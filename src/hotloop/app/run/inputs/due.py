"""How many of the drawn input sets are judged after a duel.

Judging what timed calls left is most of what checking costs beside a comparison. A candidate that is slower beyond doubt is not kept, stored as
best or called faster whatever it computed, so two sets suffice for it: they tell most mistakes by their name. Whoever is faster, the same
or undecided is judged on all.
"""

from __future__ import annotations

from hotloop.model.verdict import Verdict

BEHIND = 2
"""Sets that are judged of a candidate that is slower beyond doubt."""


def due(judged: tuple[int, ...], verdict: Verdict) -> tuple[int, ...]:
    """Return which of the sets that were drawn are judged; they come in random order.

    >>> due((7, 3, 9, 1), Verdict.SLOWER), due((7, 3, 9, 1), Verdict.SAME)
    ((7, 3), (7, 3, 9, 1))
    """
    return judged[:BEHIND] if verdict is Verdict.SLOWER else judged
