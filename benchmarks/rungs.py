"""The rungs of AMD ladders that a command line names, for the benchmarks that execute them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hotloop.app.ladder import data
from hotloop.errors import HotloopError


def named(targets: Sequence[str], families: Sequence[str], names: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield target, family and name of each rung; no families or no names: all of them. Families without a ladder are left out."""
    for target in targets:
        for family in families or data.families():
            try:
                ladder = data.ladder_for(family, target)
            except HotloopError:
                continue
            yield from ((target, family, rung.name) for rung in ladder.on(target) if not names or rung.name in names)
