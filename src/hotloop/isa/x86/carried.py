"""The chain of dependent instructions that goes on from one iteration of a loop into the next, against all other limits of the core.

Registers carry it, and places in memory that the loop itself writes at an address which nothing in it changes. A core works on many
iterations at once, but on no such chain faster than its latencies add up. Where an iteration can take several ways, the chain is one that
all of them have (``ways``); a branch that is predicted wrongly may cost more than it, which nobody sees in the code.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from hotloop.isa.blocks import Block, blocks
from hotloop.isa.hot import HotLoop
from hotloop.isa.instruction import Function, Instruction, InstructionKind
from hotloop.isa.loops import Loop, loops
from hotloop.isa.x86.effects import FLAGS, Effects, effects, register
from hotloop.isa.x86.prices import Price, price
from hotloop.isa.x86.ways import Step, shared, ways
from hotloop.model.evidence import Evidence, Fact, Provenance, static

K = InstructionKind
_ROUNDS = 24
"""Iterations that are followed: by then a chain through the iterations is longer than any within one."""
_SETTLED = 8
_UNKNOWN = frozenset({K.CALL, K.RETURN, K.WAIT, K.BARRIER, K.OTHER, K.ATOMIC, K.MATRIX, K.SCATTER})
_REFUSED = re.compile(
    r"xchg|xadd|cmpxchg\w*|rep\w*|(?:movs|stos|lods|scas|cmps)[bwlq]?|f(?!ence)\w+|cpuid|rd\w+|pause|loop\w*|enter|leave"
)
"""Atomic and string instructions and the old stack of floating-point numbers, which this knows nothing of."""
_FRAME = re.compile(r"\brbp\b|\brsp\b")
_FROM_HERE = re.compile(r"\[rip *(?:[+-] *(?:0x)?[0-9a-f]+)?\]")
"""An address counted from its own instruction: the same text is another place elsewhere, and before linking all have 0."""
_SUMS = re.compile(
    r"v?(?:add|mul|min|max)[ps][sdh]|vfn?m(?:add|sub)231[ps][sdh]|add|imul|v?p(?:add|min|max|mul|and|or|xor)\w+|and|or|xor"
)
_WORD = re.compile(r"[a-z][a-z0-9]*")


@dataclass(frozen=True, slots=True)
class Carried:
    """The longest chain through the iterations of a loop."""

    cycles: float
    """What each iteration adds to it."""
    rest_cycles: float
    """What an iteration takes at least of the unit that it takes most."""
    rest: str
    """That unit."""
    links: tuple[Instruction, ...]
    """Its instructions in one iteration, first to last."""
    loads: int
    """Those of them that wait for the one before to know where to read."""
    ways: int = 1
    """Ways that an iteration can take; of several the links are those of the one that adds least."""
    others: tuple[Instruction, ...] = ()
    """Links of the other ways."""

    @property
    def sums(self) -> bool:
        """True where all links add, multiply or compare in the same manner, so that several such chains give the same result."""
        return (
            not self.loads
            and len({i.mnemonic for i in (*self.links, *self.others)}) == 1
            and _SUMS.fullmatch(self.links[0].mnemonic) is not None
        )


def carried(function: Function, hot: HotLoop) -> Carried | None:
    """Return the chain of the hot loop; None: there is none, or it is not known."""
    codes = _ways(function, hot) if hot.depth else ()
    if not codes or any(_unknown(i) for code in codes for i in code):
        return None
    return _of_one(codes[0]) if len(codes) == 1 else _of_several(codes)


def _of_one(code: Sequence[Instruction]) -> Carried | None:
    seen, prices = _steps(code)
    cycles, links = _followed(seen, prices)
    rest, unit = _busiest(prices)
    if cycles <= 0 or not links:
        return None
    return Carried(cycles, rest, unit, tuple(code[number] for number in links), _chased(seen, links))


def _of_several(codes: Sequence[Sequence[Instruction]]) -> Carried | None:
    """Return the chain that all ways have, beside what the way with most work asks of the core."""
    steps = [_steps(code) for code in codes]
    places = _places([effect for seen, _ in steps for effect in seen])
    paths = shared([[Step(*pair) for pair in zip(*step, strict=True)] for step in steps], places)
    if not paths:
        return None
    rest, unit = max(_busiest(prices) for _, prices in steps)
    at = min(range(len(paths)), key=lambda way: paths[way].cycles)
    links = [tuple(code[number] for number in path.links) for code, path in zip(codes, paths, strict=True)]
    others = tuple(i for way, listed in enumerate(links) if way != at for i in listed)
    loads = _chased(steps[at][0], paths[at].links)
    return Carried(paths[at].cycles, rest, unit, links[at], loads, len(codes), others)


def _steps(code: Sequence[Instruction]) -> tuple[list[Effects], list[Price]]:
    seen = [effects(i.mnemonic, i.operands) for i in code]
    return seen, [price(i.mnemonic, i.traits, between=_between(e)) for i, e in zip(code, seen, strict=True)]


def _chased(seen: Sequence[Effects], links: Sequence[int]) -> int:
    """Return how many links load from where the one before says."""
    pairs = zip((links[-1], *links), links, strict=False)
    return sum(bool(seen[at].loads) and not set(seen[at].address).isdisjoint(seen[by].writes) for by, at in pairs)


def _unknown(instruction: Instruction) -> bool:
    return instruction.kind in _UNKNOWN or (
        not instruction.traits.vector and _REFUSED.fullmatch(instruction.mnemonic) is not None
    )


def _ways(function: Function, hot: HotLoop) -> tuple[tuple[Instruction, ...], ...]:
    """Return the instructions of each way of an iteration in the order in which they run.

    None where there are loops inside, or a jump through a table: its ways, which lead back here as a rule, nobody sees.
    """
    graph = blocks(function)
    chosen = [loop for loop in loops(graph, retries=False) if _own(graph, loop) == hot.instructions]
    if len(chosen) != 1 or chosen[0].own != chosen[0].blocks:
        return ()
    near = {after for block in chosen[0].blocks for after in graph[block].successors}
    if any(_computed(graph[block]) for block in near):
        return ()
    return tuple(
        tuple(i for block in way for i in graph[block].instructions if i.kind is not K.NOP)
        for way in ways(graph, chosen[0])
    )


def _computed(block: Block) -> bool:
    """Tell whether a block ends with a jump to where a register or a table says."""
    last = block.instructions[-1]
    return last.kind is K.BRANCH and not block.successors and ("[" in last.operands or bool(register(last.operands)))


def _own(graph: Sequence[Block], loop: Loop) -> tuple[Instruction, ...]:
    code = chain.from_iterable(graph[block].instructions for block in sorted(loop.own))
    return tuple(i for i in code if i.kind is not K.NOP)


def _between(seen: Effects) -> bool:
    """Tell whether values go between the registers of integers and those of vectors; an address is no value."""
    if seen.loads or seen.stores:
        return False
    kinds = {r[0] == "v" for r in (*seen.reads, *seen.writes) if r != FLAGS}
    return len(kinds) > 1


def _followed(seen: Sequence[Effects], prices: Sequence[Price]) -> tuple[float, tuple[int, ...]]:
    """Return the cycles that an iteration adds to the longest chain, and the positions of its links in one iteration."""
    places = _places(seen)
    ready: dict[str, tuple[float, int]] = {}
    done: list[float] = []
    before: list[int] = []
    ends: list[float] = []
    for _ in range(_ROUNDS):
        for effect, cost in zip(seen, prices, strict=True):
            needs = [ready[r] for r in effect.reads if r in ready]
            fetched = [*effect.address, effect.loads] if effect.loads in places else effect.address
            needs += (
                [(when + cost.load, by) for when, by in (ready[r] for r in fetched if r in ready)]
                if effect.loads
                else ()
            )
            begin, cause = max(needs, default=(0.0, -1))
            number = len(done)
            done.append(begin + cost.latency)
            before.append(cause)
            for written in effect.writes:
                ready[written] = done[number], number
            if effect.stores in places:
                ready[effect.stores] = done[number], number
        ends.append(max(done[-len(seen) :]))
    growth = (ends[-1] - ends[_SETTLED - 1]) / (_ROUNDS - _SETTLED)
    return growth, _links(done, before, len(seen))


def _links(done: Sequence[float], before: Sequence[int], count: int) -> tuple[int, ...]:
    """Return the positions that the chain which ends last goes through in an iteration in the middle."""
    number = max(range(len(done) - count, len(done)), key=done.__getitem__)
    middle, found = _ROUNDS // 2 * count, list[int]()
    while number >= middle:
        number = before[number]
    while number >= middle - count and number >= 0:
        found.append(number % count)
        number = before[number]
    return tuple(found[::-1])


def _places(seen: Sequence[Effects]) -> frozenset[str]:
    """Return addresses that the loop reads and writes and nothing in it changes; those of the stack's frame are as quick as registers on some cores."""
    changed = {r for effect in seen for r in effect.writes}
    both = {effect.loads for effect in seen} & {effect.stores for effect in seen} - {""}
    known = (place for place in both if not _FRAME.search(place) and not _FROM_HERE.search(place))
    return frozenset(place for place in known if changed.isdisjoint(map(register, _WORD.findall(place))))


def _busiest(prices: Sequence[Price]) -> tuple[float, str]:
    """Return what the unit that is taken longest is taken for; a branch back takes a cycle whatever else there is."""
    cycles: dict[str, float] = defaultdict(float, {"the branch back": 1.0})
    for cost in prices:
        for unit, taken in cost.units:
            cycles[unit] += taken
    unit = max(cycles, key=cycles.__getitem__)
    return cycles[unit], unit


NAMES = (
    "static.chain_cycles",
    "static.chain_rest_cycles",
    "static.chain_instructions",
    "static.chain_loads",
    "static.chain_sums",
    "static.chain_ways",
)
_NONE = "no chain is known: the code has no loop, or its iterations have no value in common, calls or instructions without a known cost"
_ONE_WAY = "every iteration takes the same way"


def chain_evidence(function: Function, hot: HotLoop, origin: str) -> Evidence:
    """Return the facts of the chain through the hot loop of x86 code; `origin` says where the code came from."""
    found = carried(function, hot)
    if found is None:
        return static([(name, None, "", _NONE) for name in NAMES], "")
    names = ", ".join(dict.fromkeys(i.mnemonic for i in found.links))
    rest = f"{found.rest} take most of the rest, latencies typical of cores since 2017"
    source = ", ".join(part for part in (origin or function.name, hot.place, f"chain of {names}", rest) if part)
    counted = [
        ("static.chain_loads", found.loads, "1", ""),
        ("static.chain_sums", found.sums, "1", ""),
        ("static.chain_ways", found.ways if found.ways > 1 else None, "1", _ONE_WAY),
    ]
    times = (("static.chain_cycles", found.cycles), ("static.chain_rest_cycles", found.rest_cycles))
    estimated = tuple(Fact(name, value, "cycle", Provenance.ESTIMATED, source) for name, value in times)
    sure = (
        Provenance.STATIC if found.ways == 1 else Provenance.ESTIMATED
    )  # which links, depends on the ways that are taken
    links = Fact("static.chain_instructions", len(found.links), "1", sure, source)
    return Evidence((links,)).merged(static(counted, source)).merged(Evidence(estimated))
