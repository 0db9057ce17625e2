"""Dependent chain: each iteration waits for a result of the one before.

## What it shows
A chain of instructions, each of which needs the one before, goes on from iteration to iteration of the hot loop, and its latencies add up
to more than all that the loop asks of the core's units.

## Why it costs
A core has many iterations in flight, but a chain of dependent instructions goes no faster than one latency after the other: a sum in one
register takes four cycles for each addition, of which the core could do eight in that time.

## What to try
Keep several independent sums and add them up after the loop (compilers do so for floating-point numbers only where they may change the
order: ``-fassociative-math``, a ``reduction`` of OpenMP). Where the chain is no sum, let several elements, rows or streams take turns in
the loop. Where it goes through memory (lists, tables), arrays in place of pointers, or several lists at once.

## When it misleads
Latencies are typical ones and data are taken to lie in the nearest cache: data from memory may take longer than the chain. On
AMD Zen 5 an addition takes two cycles and eight instructions go in one, so that both sides are about halved. A loop that ends after a few iterations
overlaps with what follows. Where an iteration can take several ways, the chain is what all of them have in common, and branches that are
predicted wrongly may cost more than it.

## References
Latency model: one minus the rest over the chain, from the targets' table of latencies (Agner Fog, "Optimizing software in C++", on dependency
chains). Chains are told from a ratio of 1.5 on, as cores differ by about as much.
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import significant, size

MARGIN = 1.5
"""Least ratio of the chain to the rest, and one cycle more at least."""
MEMORY_BYTES_PER_CYCLE = 4.0
"""Estimate: what one core gets from memory, 12 to 16 GB/s at 3 to 4 GHz."""


def evaluate(facts: Facts) -> Symptom | None:
    """Estimate ``(1 - rest/chain) · (1 - roofline fraction)``."""
    cycles, rest = facts.get("static.chain_cycles") or 0.0, facts.get("static.chain_rest_cycles") or 0.0
    if cycles <= 0 or cycles < MARGIN * rest or cycles - rest < 1:
        return None
    count = facts["static.chain_instructions"]
    chain = (
        "a chain of one instruction that needs its own last result"
        if count <= 1
        else f"a chain of {count:.0f} dependent instructions"
    )
    return Symptom(
        (1 - rest / cycles) * facts.unexplained(),
        f"latency-bound: {chain} takes about {significant(cycles, 2)} cycles an iteration{_everywhere(facts)}, the rest needs "
        f"{significant(rest, 2)}: {_answer(facts)}{_memory(facts, cycles)}",
    )


def _everywhere(facts: Facts) -> str:
    """Return that the chain is on every way of an iteration, and what it does not hold against."""
    ways = facts.get("static.chain_ways") or 1
    return f", at least, on each of {ways:.0f} ways (a branch that is predicted wrongly costs more)" if ways > 1 else ""


def _answer(facts: Facts) -> str:
    if facts.get("static.chain_loads"):
        return "it waits for memory to say where to read next: several such chains at once, or data that lie where they can be known"
    if facts.get("static.chain_sums"):
        return "keep several independent sums"
    return "let several independent elements, rows or streams take turns in the loop"


def _memory(facts: Facts, cycles: float) -> str:
    """Return that memory may take longer, where the loop streams more than it brings."""
    moved = (facts.get("static.moved_bits") or 0.0) * (facts.get("static.hot_instructions") or 0.0) / 8
    return (
        f" (data from memory, {size(moved)} an iteration, may take longer)"
        if moved > MEMORY_BYTES_PER_CYCLE * cycles
        else ""
    )


RULE = Rule(
    name="dependent-chain",
    text=__doc__,
    needs=("static.chain_instructions",),
    optional=(
        "static.chain_cycles",
        "static.chain_rest_cycles",
        "static.chain_loads",
        "static.chain_sums",
        "static.moved_bits",
        "static.hot_instructions",
        "static.chain_ways",
    ),
    suggests=("unroll", "register-tile", "work-per-item"),
    evaluate=evaluate,
)
