"""Ranking of moves by expected gain, corrected by the accuracy of earlier predictions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hotloop.model.evidence import Evidence
from hotloop.model.finding import Move
from hotloop.techniques.calibration import Calibration
from hotloop.techniques.moves import answers, explore, offered
from hotloop.techniques.past import lost, undoes
from hotloop.techniques.situation import Situation

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from hotloop.model.device import Device
    from hotloop.model.finding import Finding
    from hotloop.model.kernel import Variant
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config
    from hotloop.techniques.calibration import Record
    from hotloop.techniques.past import Past

WORTH = 0.3
"""Smallest probability of being kept for which a move gets a full comparison; other moves are left to the search, whose quick
looks cost less. Chosen on the runs of 2026-11-21 alone (``benchmarks/predictions.py`` shows its effect on the others)."""
MARGIN = 0.02
"""Default relative difference below which two variants count as the same."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A move with its expected gain."""

    move: Move
    expected: float
    """Predicted speedup, corrected by calibration; the move itself keeps the uncorrected interval."""
    chance: float
    """Probability of being FASTER, estimated from the outcomes of earlier predictions."""


def rank(
    findings: Sequence[Finding],
    *,
    variant: Variant,
    problem: Problem,
    device: Device,
    evidence: Evidence,
    calibration: Sequence[Record] = (),
    tried: Collection[Config] = (),
    blind: bool = True,
) -> tuple[Move, ...]:
    """Return the moves that answer the findings, best expected gain first, each configuration once.

    Args:
        findings: what limits the variant, usually ``diagnose(evidence).findings``.
        variant: the incumbent.
        problem: what it runs on.
        device: where it runs.
        evidence: facts about the incumbent.
        calibration: what earlier steps measured against their predictions.
        tried: configurations that need not be tried again.
        blind: whether to add single steps of parameters that no technique knows (see `explore`); they rank by their
            own small interval, so usually last.
    """
    situation = Situation(variant, problem, device, evidence)
    return tuple(
        entry.move for entry in ranked(situation, findings, Calibration(tuple(calibration)), tried, blind=blind)
    )


def ranked(
    situation: Situation,
    findings: Sequence[Finding],
    calibration: Calibration,
    tried: Collection[Config] = (),
    *,
    blind: bool = True,
    margin: float = MARGIN,
) -> tuple[Ranked, ...]:
    """Return the moves of `rank` with their expected gain and their chance of being FASTER by a margin."""
    target = situation.device.target or situation.device.kind
    moves = [move for finding in findings for move in answers(replace(situation, finding=finding))]
    moves += offered(situation)
    moves += explore(situation) if blind else ()
    fresh = (move for move in moves if move.variant.config not in tried)
    entries = [
        Ranked(
            move,
            calibration.expected(move.technique, target, move.gain),
            calibration.chance(move.technique, target, move.gain, margin),
        )
        for move in fresh
    ]
    entries.sort(key=lambda entry: -entry.expected)  # stable: ties keep the order of findings and suggestions
    return tuple(_merged(entries))


def worth(entries: Iterable[Ranked], config: Config, past: Sequence[Past], least: float = WORTH) -> tuple[Move, ...]:
    """Return, in order, the moves worth a comparison: likely enough, and neither undoing a step nor rejected before.

    Args:
        entries: ranked moves.
        config: the incumbent's.
        past: the run's earlier steps.
        least: smallest probability of being kept.
    """
    likely = (entry.move for entry in entries if entry.chance >= least)
    return tuple(
        move
        for move in likely
        if not undoes(config, move.variant.config, past) and not lost(config, move.variant.config, past)
    )


def _merged(entries: Iterable[Ranked]) -> Iterator[Ranked]:
    """Keep the best of the moves that lead to the same configuration, and mention the others in its reason."""
    groups: dict[Config, list[Ranked]] = {}
    for entry in entries:
        groups.setdefault(entry.move.variant.config, []).append(entry)
    for best, *rest in groups.values():
        others = {entry.move.rule: entry.move.why for entry in rest if entry.move.rule not in ("", best.move.rule)}
        yield Ranked(
            replace(best.move, why="; also: ".join((best.move.why, *others.values()))), best.expected, best.chance
        )
