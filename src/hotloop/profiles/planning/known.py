"""Which hardware counters of AMD's GPUs are known to exist: a name that is misspelled is refused before a run, not after it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from hotloop.errors import UsageError
from hotloop.profiles.planning import plan
from hotloop.profiles.planning.needed import default_counters
from hotloop.targets.target import Target

_SHOWN = 3


@cache
def known(architecture: str) -> frozenset[str]:
    """Return counters without instance or reduction; empty for an architecture of which there is no list."""
    listed = tomllib.loads(files(__package__).joinpath("counters.toml").read_text(encoding="utf-8"))
    tables = [listed[name] for name in {architecture, Target.of(architecture).text("counters_like")} if name in listed]
    if not tables:
        return frozenset()
    used = {plan.base(name, architecture) for name in default_counters(architecture)}
    return frozenset(
        {f"{block}_{rest}" for table in tables for block, names in table.items() for rest in names.split()} | used
    )


def check(names: Iterable[str], architecture: str) -> None:
    """Refuse counters that are not known, with those that are spelled most alike; without a list nothing is refused.

    Raises:
        UsageError: a name is not known, or is none of a hardware counter.
    """
    from difflib import get_close_matches  # slow to import, and most requests make no mistake

    listed = known(architecture)
    unknown = [name for name in names if listed and plan.base(name, architecture) not in listed]
    if not unknown:
        return
    sentences = []
    for name in unknown[:_SHOWN]:
        alike = get_close_matches(plan.base(name, architecture), sorted(listed), n=_SHOWN)
        sentences.append(name[:80] + (f" (did you mean {' or '.join(alike)}?)" if alike else ""))
    more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
    predicate = "is no counter" if len(unknown) == 1 else "are no counters"
    raise UsageError(
        f"{', '.join(sentences)}{more} {predicate} of {architecture} that hotloop knows; mend the name, or add --unlisted where the "
        "GPU has it all the same."
    )
