"""Any set of AMD counters in the fewest passes that the hardware can collect, and the input files that ask for them.

Each block of the hardware has a fixed number of counters, the same in every instance of it (channel, engine). A pass is a
run of the program, so every pass repeats `WAVES`, by which passes are normalised and compared.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final

from hotloop.errors import UnknownNameError, UsageError
from hotloop.metrics.delivered import ACCUMULATED, ACCUMULATOR

WAVES: Final = "SQ_WAVES"
_SHARED: Final = {"SQC": "SQ", "SP": "SQ"}
"""Blocks without counters of their own; rocprofiler-compute counts them to the block named."""
_NAME = re.compile(
    r"(?P<base>(?P<block>[A-Z][A-Z0-9]{0,15})_[A-Z0-9][A-Za-z0-9_]{0,100}?)(?P<over>_(?:sum|max|min|avr|avg))?(?:\[(?P<instance>[0-9]{1,4})\])?"
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Counters that one pass can collect, by block."""

    architecture: str
    counters: tuple[tuple[str, int], ...]
    source: str

    def of(self, block: str) -> int | None:
        """Return one block's limit, None for a block that is not known."""
        return dict(self.counters).get(block)


@dataclass(frozen=True, slots=True)
class Pass:
    """Counters of one run, in the order in which the tool must be asked for them."""

    counters: tuple[str, ...]


@dataclass(slots=True)
class _Block:
    """What is asked of one block. Everywhere: in all instances at once. Single: by instance."""

    everywhere: dict[str, list[str]] = field(default_factory=dict)
    single: dict[int, dict[str, list[str]]] = field(default_factory=dict)


@cache
def known_limits() -> tuple[Limits, ...]:
    """Return the limits of all architectures in the data file."""
    parsed = tomllib.loads(files(__package__).joinpath("blocks.toml").read_text(encoding="utf-8"))
    return tuple(Limits(name, tuple(row["limits"].items()), row["source"]) for name, row in parsed.items())


def limits(architecture: str) -> Limits:
    """Return one architecture's limits. Raises UnknownNameError."""
    for listed in known_limits():
        if listed.architecture == architecture:
            return listed
    raise UnknownNameError("architecture", architecture, tuple(listed.architecture for listed in known_limits()))


def limited(architecture: str) -> bool:
    """Tell whether anything says how many counters a pass of an architecture can have."""
    return any(listed.architecture == architecture for listed in known_limits())


def plan(counters: Iterable[str], architecture: str) -> tuple[Pass, ...]:
    """Return the fewest passes that collect all counters.

    `NAME_sum` and its like need one counter in every instance, `NAME[3]` one in instance 3 only; both of one name share it.
    `LEVEL_ACCUM` asks for a level counter with the accumulator behind it, one such pair fits in a pass.

    No plan is shorter: within a block, an instance's counters are divided by its limit, and passes of different blocks run
    together, so the largest of these quotients, and the number of accumulators, is reached.

    Raises:
        UnknownNameError: no limits are known for the architecture.
        UsageError: a name is no hardware counter of the architecture.
    """
    limit = limits(architecture)
    levels, blocks, free = _sorted_in(tuple(dict.fromkeys(counters)), limit)
    room = {block: _room(limit, block) for block in blocks}
    number = max(
        [1, len(levels), *(_passes(b, room[n], 2 * len(levels) if n == "SQ" else 0) for n, b in blocks.items())]
    )
    passes: list[list[str]] = [[WAVES] for _ in range(number)]
    for place, level in enumerate(levels):
        passes[place] += [level, ACCUMULATOR, *free[level]]
    passes[0] += free[WAVES]
    for name, block in blocks.items():
        used = [2 if name == "SQ" and place < len(levels) else 0 for place in range(number)]
        _fill(passes, block, room[name], used)
    return tuple(Pass(tuple(dict.fromkeys(names))) for names in passes)


def base(name: str, architecture: str) -> str:
    """Return a counter's own name, without instance, reduction or accumulation.

    Raises:
        UnknownNameError: no limits are known for the architecture.
        UsageError: it is no name of a hardware counter of a known block.
    """
    return _taken_apart(name, limits(architecture))[0].removesuffix(ACCUMULATED)


def countable(names: Iterable[str], architecture: str) -> tuple[str, ...]:
    """Return the names that have a place in a pass, in their order: rocprof's own metrics have none.

    Where no limits of the architecture are known, nothing says which these are, and all are returned.

    >>> countable(("SQ_WAVES", "MemUnitStalled"), "gfx942"), countable(("dram__bytes.sum",), "sm_90")
    (('SQ_WAVES',), ('dram__bytes.sum',))
    """
    try:
        limit = limits(architecture)
    except UnknownNameError:
        return tuple(names)
    return tuple(name for name in names if (match := _NAME.fullmatch(name)) and _block_of(match, limit))


def _block_of(match: re.Match[str], limits: Limits) -> str:
    """Return the block of a counter, empty where the architecture has none of that name."""
    block = _SHARED.get(match["block"], match["block"])
    return "" if limits.of(block) is None else block


def _sorted_in(names: Sequence[str], limits: Limits) -> tuple[list[str], dict[str, _Block], dict[str, list[str]]]:
    """Return accumulated levels, what else is asked of each block, and names that share a counter collected anyway."""
    levels = [name.removesuffix(ACCUMULATED) for name in names if name.endswith(ACCUMULATED)]
    blocks: dict[str, _Block] = {"SQ": _Block()} if levels else {}
    free: dict[str, list[str]] = {base: [] for base in (WAVES, *levels)}
    for name in names:
        base, block_name, instance = _taken_apart(name, limits)
        if name.endswith(ACCUMULATED) and block_name != "SQ":
            raise UsageError(f"{name[:80]!r}: only counters of the SQ block can be accumulated.")
        if base in free:
            free[base].append(name)
        if base in free or name.endswith(ACCUMULATED):
            continue
        block = blocks.setdefault(block_name, _Block())
        slots = block.everywhere if instance is None else block.single.setdefault(instance, {})
        slots.setdefault(base, []).append(name)
    for block in blocks.values():
        for instance, slots in block.single.items():
            for base in [b for b in slots if b in block.everywhere]:
                block.everywhere[base] += block.single[instance].pop(base)
    return levels, blocks, free


def _taken_apart(name: str, limits: Limits) -> tuple[str, str, int | None]:
    """Return (counter without instance or reduction, block, instance). Raises UsageError."""
    match = _NAME.fullmatch(name)
    block = _block_of(match, limits) if match else ""
    if match is None or not block:
        raise UsageError(
            f"{name[:80]!r} is no hardware counter of a known block of {limits.architecture} ({', '.join(b for b, _ in limits.counters)}): "
            "of a derived metric, name the counters that it is computed from."
        )
    if name == ACCUMULATOR:
        raise UsageError(
            f"{ACCUMULATOR} adds up the level before it: ask for LEVEL{ACCUMULATED}, such as SQ_LEVEL_WAVES{ACCUMULATED}."
        )
    return match["base"], block, None if match["instance"] is None else int(match["instance"])


def _room(limits: Limits, block: str) -> int:
    limit = limits.of(block) or 0
    return limit - 1 if block == "SQ" else limit


def _passes(block: _Block, room: int, taken: int) -> int:
    most = max((len(slots) for slots in block.single.values()), default=0)
    return -(-(taken + len(block.everywhere) + most) // room)


def _fill(passes: list[list[str]], block: _Block, room: int, used: list[int]) -> None:
    """Put a block's counters where it has room, those of all instances first."""
    place = 0
    for names in block.everywhere.values():
        while used[place] == room:
            place += 1
        used[place] += 1
        passes[place] += names
    for slots in block.single.values():
        taken, place = list(used), 0
        for names in slots.values():
            while taken[place] == room:
                place += 1
            taken[place] += 1
            passes[place] += names


def rocprof_files(passes: Sequence[Pass], kernel: str = "") -> tuple[str, ...]:
    """Return the input files of rocprof v1 and v2, one a pass; `kernel` limits them to one kernel.

    Raises:
        UsageError: the kernel's name cannot stand in such a file.
    """
    if kernel and not re.fullmatch(r"[\w.$:<>~-]{1,500}", kernel):
        raise UsageError(
            f"the kernel name {kernel[:80]!r} cannot stand in an input file of rocprof: give its plain name."
        )
    tail = f"kernel: {kernel}\n" if kernel else ""
    return tuple(f"pmc: {' '.join(run.counters)}\n{tail}" for run in passes)


def rocprofv3_json(passes: Sequence[Pass], kernel_regex: str = "") -> str:
    """Return the JSON input file of rocprofv3, one job a pass; `kernel_regex` limits it to some kernels."""
    return json.dumps({"jobs": [_job(run, kernel_regex) for run in passes]}, indent=2) + "\n"


def rocprofv3_yaml(passes: Sequence[Pass], kernel_regex: str = "") -> str:
    """Return the YAML input file of rocprofv3; its values are written as JSON, which is YAML."""
    rows = ["jobs:"]
    for run in passes:
        items = _job(run, kernel_regex).items()
        rows += [
            f"  {'-' if place == 0 else ' '} {key}: {json.dumps(value)}" for place, (key, value) in enumerate(items)
        ]
    return "\n".join(rows) + "\n"


def _job(counted: Pass, kernel_regex: str) -> dict[str, list[str] | str]:
    job: dict[str, list[str] | str] = {"pmc": list(counted.counters)}
    if kernel_regex:
        job["kernel_include_regex"] = kernel_regex
    return job
