"""Short phrases for the numbers of a view, shared by all renderers."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop import units
from hotloop.model.energy import WORDS, Joules, Objective
from hotloop.report import plain

if TYPE_CHECKING:
    from hotloop.model.evidence import Fact
    from hotloop.model.finding import Gain
    from hotloop.report.view.page import Calibration, FrontRow, Headline, PeerRow, Ratio, Roofline, StepRow, View

NONE = "–"
BASES = {
    "paired": "paired, interleaved rounds",
    "chained": "product of the paired steps",
    "medians": "ratio of medians, not paired",
}


def factor(value: float) -> str:
    """Return a ratio for reading: two decimals below ten, three digits elsewhere.

    >>> factor(1.0), factor(12.345), factor(0.004), factor(math.inf)
    ('1.00', '12.3', '0.00400', '∞')
    """
    if not math.isfinite(value):
        return "∞" if value > 0 else NONE
    return f"{value:.2f}" if 0.1 <= value < 10 else units.significant(value)


def speedup(ratio: Ratio | None) -> str:
    """Return a ratio with its interval, e.g. ``3.10× (3.05–3.15)``."""
    if ratio is None:
        return NONE
    text = f"{factor(ratio.value)}×"
    if ratio.low is None or ratio.high is None:
        return text
    return f"{text} ({factor(ratio.low)}–{factor(ratio.high)})"


def gain(predicted: Gain | None) -> str:
    """Return a predicted interval, e.g. ``1.50–3.00×``."""
    return f"{factor(predicted.low)}–{factor(predicted.high)}×" if predicted else NONE


def time(duration_ns: float | None) -> str:
    """Return a time, or a dash when there is none."""
    return units.duration(duration_ns) if duration_ns is not None else NONE


def joules(measured: Joules | None) -> str:
    """Return the energy of a call with its interval, or a dash where it was not measured.

    >>> joules(Joules(value=0.0123, low=0.012, high=0.0126, windows=6)), joules(None)
    ('12.3 mJ (12.0–12.6)', '–')
    """
    if measured is None:
        return NONE
    shown, _, unit = units.energy(measured.value).partition(" ")
    scale = measured.value / float(shown) if float(shown) else 1.0
    return f"{shown} {unit} ({units.significant(measured.low / scale)}–{units.significant(measured.high / scale)})"


def amount(value: float, objective: Objective) -> str:
    """Return what a run is about with its unit: a time in ns, an energy in J, or their product in J·s."""
    if objective is Objective.TIME:
        return time(value)
    return units.energy(value) if objective is Objective.ENERGY else f"{value:.3g} J·s"


def searched(evaluated: int, invalid: int) -> str:
    """Return how many configurations a search looked at, and how many it did not have to run.

    >>> searched(1, 4)
    '1 configuration evaluated, 4 ruled out before running.'
    """
    return f"{units.counted(evaluated, 'configuration')} evaluated, {invalid} ruled out before running."


def roof(fraction: float | None) -> str:
    """Return a share of the roofline, or a dash when it is not known: a time below the roof has none."""
    return units.percent(fraction) if fraction is not None and fraction <= 1.0 else NONE


def rate(value: float | None, unit: str) -> str:
    """Return a rate, or a dash when there is none."""
    return units.rate(value, unit) if value is not None else NONE


def fact(value: Fact) -> str:
    """Return a fact's value with its unit in the form a reader expects."""
    match value.unit:
        case "ns":
            return units.duration(value.value)
        case "B":
            return units.size(value.value)
        case "flop/s" | "B/s" | "flop":
            return units.rate(value.value, value.unit)
        case "1" | "":
            return number(value.value)
        case unit:
            return f"{number(value.value)} {plain.line(unit)}"


def number(value: float) -> str:
    """Return a number with up to four significant digits; whole numbers in full.

    >>> number(256.0), number(1048576.0), number(0.04), number(1.23456)
    ('256', '1,048,576', '0.04', '1.235')
    """
    if not math.isfinite(value):
        return str(value)
    if value == int(value):
        return f"{value:,.0f}"
    text = units.significant(value, 4)
    return text.rstrip("0").rstrip(".") if "." in text else text


def headline(head: Headline) -> str:
    """Return the result in one sentence."""
    if head.winner_ns is None:
        return "Nothing was timed, so there is no result."
    if head.speedup is None:
        return f"No change was kept: the baseline stands at {time(head.winner_ns)}."
    say = WORDS[head.objective]
    times = f"{time(head.baseline_ns)} → {time(head.winner_ns)}"
    if head.objective is not Objective.TIME:
        spent = f"{joules(head.baseline_joules)} → {joules(head.winner_joules)} a call"
        return f"{_spending(head.speedup, head.objective)}: {spent}, in {times}.{_lost(head)}"
    direction = say.less if head.speedup.value >= 1 else say.equal
    return f"{speedup(head.speedup)} {direction}: {times}{_apart(head)}.{_lost(head)}"


def _lost(head: Headline) -> str:
    """Return the sentence about accuracy that was given up; empty where none was."""
    warning = head.accuracy.warning if head.accuracy else ""
    return f" {warning.capitalize()}." if warning else ""


_ROUNDED = 0.02
"""Share by which a quotient of times with three digits may differ from the ratio beside them."""


def _apart(head: Headline) -> str:
    """Return what must be said where the times are not of the rounds that gave the ratio."""
    if head.speedup is None or not head.baseline_ns or not head.winner_ns:
        return ""
    off = head.baseline_ns / head.winner_ns / head.speedup.value
    return "" if abs(off - 1) <= _ROUNDED else ", each the median of rounds of its own"


def position(view: View) -> str:
    """Return where the winner stands against the device's roofline; empty when that is not known."""
    head = view.headline
    if head.roof_fraction is None:
        beyond = view.floor_ns is not None and head.winner_ns is not None and head.winner_ns < view.floor_ns
        why = "a ceiling was disturbed when it was measured, or the data stay in caches"
        return f"faster than the measured roofline allows (floor {time(view.floor_ns)}): {why}" if beyond else ""
    roofline = "the roofline" if head.rate_unit != "B/s" else "the memory's roofline, operations are not counted"
    return f"{roof(head.roof_fraction)} of {roofline} (floor {time(view.floor_ns)}), {rate(head.rate, head.rate_unit)}"


def against(peer: PeerRow) -> str:
    """Return the winner against one peer, in words that cannot be read the wrong way round."""
    if peer.ratio is None:
        return f"{peer.name}: {peer.failure or 'not compared'}"
    if peer.objective is not Objective.TIME:
        return f"{_spending(peer.ratio, peer.objective)} than {peer.name}"
    told = speedup(peer.ratio)
    match peer.verdict:
        case "SAME":
            return f"as fast as {peer.name}: {told} its speed"
        case "UNCLEAR":
            return f"not told apart from {peer.name}: {told} its speed"
    return f"{told} faster than {peer.name}" if peer.ratio.value >= 1 else f"slower than {peer.name}: {told} its speed"


def _spending(ratio: Ratio, objective: Objective) -> str:
    """Return how much less, or more, of something is used."""
    say = WORDS[objective]
    return f"{speedup(ratio)} {say.less}" if ratio.value >= 1 else f"{speedup(_inverse(ratio))} {say.more}"


def _inverse(ratio: Ratio) -> Ratio:
    low, high = (1 / end if end else None for end in (ratio.high, ratio.low))
    return replace(ratio, value=1 / ratio.value, low=low, high=high)


def frontier(row: FrontRow) -> tuple[str, ...]:
    """Return a variant of the front of time and energy as cells: variant, time, energy, power."""
    return (
        plain.line(row.label) + (" ★" if row.winner else ""),
        time(row.time_ns),
        joules(row.joules),
        f"{row.power_w:.0f} W",
    )


FRONT = ("Variant", "Time", "Energy of a call", "Power")
FRONT_SAYS = "Time and energy of one call: no variant of this run beats one of these in both. ★ is the winner."


def limits(roofline: Roofline) -> str:
    """Return the roofline in one sentence."""
    bound = "memory bandwidth" if roofline.memory_bound else "arithmetic"
    return (
        f"At {units.significant(roofline.intensity)} flop/B the limit is {bound}: "
        f"{units.rate(roofline.attainable, 'FLOP/s')}, so no correct kernel needs less than {time(roofline.floor_ns)}. "
        f"Measured ceilings: {units.rate(roofline.flops_per_s, 'FLOP/s')} {plain.line(roofline.dtype)}, "
        f"{units.rate(roofline.bytes_per_s, 'B/s')} of memory."
    )


def calibration(scores: Calibration) -> str:
    """Return how well predictions did, in one sentence."""
    tone = "too hopeful" if scores.bias < 1 else "too cautious"
    size = factor(max(scores.bias, 1 / scores.bias))
    lean = "neither too hopeful nor too cautious" if size == factor(1.0) else f"{tone} by {size}×"
    return f"{scores.hits} of {len(scores.rows)} predictions held; they were {lean} on average."


def counts(head: Headline) -> str:
    """Return how many moves were kept, reverted and refused."""
    return f"{head.kept} kept, {head.rejected} reverted, {head.refused} refused"


def trust(row: StepRow) -> str:
    """Return rounds and confidence behind a comparison; empty when there was none."""
    if row.confidence is None:
        return ""
    return f"{row.rounds} rounds, {100 * row.confidence:.3g} % interval"
