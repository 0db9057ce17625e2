"""From proposals to moves: valid, different from the incumbent, and able to run on this problem and device."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from hotloop import registry
from hotloop.model.finding import Move
from hotloop.model.kernel import Variant
from hotloop.search.grid import Grid
from hotloop.search.repair import repair
from hotloop.techniques.steps import is_off
from hotloop.techniques.technique import Proposal, Technique

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hotloop.model.finding import Finding
    from hotloop.model.space import Config, Parameter, Space
    from hotloop.techniques.situation import Situation

METHODS = "hotloop.techniques.methods"
"""Package whose modules are the techniques."""
FALLBACK = "neighbour"
"""The technique for parameters that belong to no other technique."""


@lru_cache(maxsize=1)
def techniques() -> dict[str, Technique]:
    """Return every technique by name; loads their modules."""
    loaded = (cast("Technique", technique) for technique in registry.load_all(METHODS, "TECHNIQUE"))
    return {technique.name: technique for technique in loaded}


def answers(situation: Situation) -> tuple[Move, ...]:
    """Return the moves that techniques propose for the situation's finding: those that it suggests, best first, then others.

    A suggestion without a technique of that name moves the parameters that carry it to neighbouring values.
    """
    finding = situation.finding
    if finding is None:
        return ()
    moves: list[Move] = []
    for standing, name in enumerate(answering(finding)):
        asked = replace(situation, standing=standing)
        technique = techniques().get(name)
        proposals = technique.proposals(asked) if technique else _stepping(asked, asked.labelled(name))
        moves += (move for p in proposals if (move := apply(asked, name, p)))
    return tuple(moves)


def answering(finding: Finding) -> tuple[str, ...]:
    """Return the names of techniques that answer a finding: its suggestions in order, then those that name its rule."""
    others = (t.name for t in techniques().values() if finding.rule in t.answers)
    return tuple(dict.fromkeys((*finding.suggests, *others)))


def explore(situation: Situation) -> tuple[Move, ...]:
    """Return a step in each direction for every parameter whose label is the user's own.

    Parameters without a label are left to the search, unless no parameter of the space has a label.
    """
    blind = replace(situation, finding=None)
    moves: list[Move] = []
    for parameter in _unknown(situation.variant.implementation.space):
        name = parameter.technique or FALLBACK
        moves += (move for p in _stepping(blind, (parameter,)) if (move := apply(blind, name, p)))
    return tuple(moves)


def offered(situation: Situation) -> tuple[Move, ...]:
    """Return the moves that the implementation itself proposes, because it knows the source text that would change."""
    implementation, config = situation.variant.implementation, situation.config
    moves = []
    for offer in implementation.offers(situation.problem, config, situation.device):
        wanted = config.replace(**offer.changes)
        if wanted != config and implementation.space.valid(wanted):
            change = change_text(config, wanted, tuple(offer.changes))
            variant = Variant(implementation, wanted)
            moves.append(
                Move(
                    technique=offer.technique,
                    variant=variant,
                    change=change,
                    why=offer.why,
                    gain=offer.gain,
                    rule=offer.rule,
                )
            )
    return tuple(moves)


def apply(situation: Situation, technique: str, proposal: Proposal) -> Move | None:
    """Return the move of a proposal, repaired to the nearest valid configuration.

    None when no valid configuration keeps the proposed values, when nothing would change, when only a feature that is
    off would make room for the change (padding for local memory that is not used), or when the implementation refuses
    the configuration for this problem and device.
    """
    implementation = situation.variant.implementation
    wanted = situation.config.replace(**proposal.changes)
    config = repair(_grid(implementation.space), wanted, tuple(proposal.changes))
    if config is None or config == situation.config or _switches_on(situation, config, proposal):
        return None
    variant = Variant(implementation, config)
    if not _possible(variant, situation):
        return None
    finding = situation.finding
    reason = finding.message if finding else "no finding asks for it: one step to see what it does"
    return Move(
        technique=technique,
        variant=variant,
        change=change_text(situation.config, config, tuple(proposal.changes)),
        why=f"{reason} ({proposal.reason})" if proposal.reason else reason,
        gain=proposal.gain,
        rule=finding.rule if finding else "",
    )


def _switches_on(situation: Situation, config: Config, proposal: Proposal) -> bool:
    """Return whether the repair enabled a feature that the proposal did not ask for, which would be another technique's step."""
    before = situation.config
    followed = (name for name in before.changes_to(config) if name not in proposal.changes)
    return any(is_off(before[name]) and not is_off(config[name]) for name in followed)


def change_text(before: Config, after: Config, asked: Collection[str]) -> str:
    """Return the changes in words: the proposed parameters first, then those that had to follow.

    >>> from hotloop.model.space import Config
    >>> change_text(Config(VW=1, NWI=4), Config(VW=8, NWI=8), ("VW",))
    'VW 1 → 8 (with NWI 4 → 8)'
    """
    steps = {name: f"{name} {before[name]} → {after[name]}" for name in before.changes_to(after)}
    wanted = ", ".join(steps[name] for name in asked if name in steps)
    followed = ", ".join(text for name, text in steps.items() if name not in asked)
    return f"{wanted} (with {followed})" if followed else wanted


def _unknown(space: Space) -> tuple[Parameter, ...]:
    own = tuple(p for p in space.parameters if p.technique and p.technique not in techniques())
    unlabelled = not any(p.technique for p in space.parameters)
    return space.parameters if unlabelled else own


@lru_cache(maxsize=8)
def _grid(space: Space) -> Grid:
    return Grid(space)


def _stepping(situation: Situation, parameters: tuple[Parameter, ...]) -> Iterator[Proposal]:
    yield from techniques()[FALLBACK].propose(situation, tuple(p for p in parameters if len(set(p.values)) > 1))


def _possible(variant: Variant, situation: Situation) -> bool:
    try:
        variant.program(situation.problem, situation.device)
    except (ValueError, ArithmeticError):
        return False
    return True
