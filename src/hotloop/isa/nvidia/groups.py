"""How far asynchronous groups run ahead in loops: ``cp.async``, bulk copies and ``wgmma``, in PTX and in SASS.

Work is committed in groups, and a wait leaves the n youngest groups in flight. So the youngest group that a wait in a loop is
for was committed n commits before the latest one, perhaps some iterations ago. Walking backwards through the loop's
instructions in address order, round and round, gives the distance; code of the loop that runs only sometimes counts as if
it always did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hotloop.isa.blocks import blocks
from hotloop.isa.instruction import Function, Instruction, InstructionKind
from hotloop.isa.loops import loops

_FAMILIES: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = (
    # name, commit, wait; both match "mnemonic operands", the wait's group is the number of groups left
    ("cp.async", re.compile(r"cp\.async\.commit_group"), re.compile(r"cp\.async\.wait_(?:group\s+(\d+)|all)")),
    (
        "bulk copy",
        re.compile(r"cp\.async\.bulk\.commit_group"),
        re.compile(r"cp\.async\.bulk\.wait_group(?:\.read)?\s+(\d+)"),
    ),
    ("wgmma", re.compile(r"wgmma\.commit_group"), re.compile(r"wgmma\.wait_group\S*\s+(\d+)")),
    ("cp.async", re.compile(r"LDGDEPBAR\b"), re.compile(r"DEPBAR\.LE SB0, (0x[0-9a-f]+)")),
    ("wgmma", re.compile(r"[HIQB]GMMA\S* .*\bgsb0"), re.compile(r"WARPGROUP\.DEPBAR\.LE gsb0, (0x[0-9a-f]+)")),
)
_MOST_ROUNDS = 64
"""Hardware and compilers keep far fewer groups in flight."""


@dataclass(frozen=True, slots=True)
class GroupWait:
    """One wait in a loop and the youngest group that it is for."""

    family: str
    wait: Instruction
    left: int
    """Groups that may stay in flight."""
    commit: Instruction
    """Place at which the group was committed."""
    iterations: int
    """How many iterations ago; 0: in the same one."""
    instructions: int
    """Instructions between commit and wait."""
    matrix_instructions: int
    """Matrix instructions among them: the work that hides the group."""


def group_waits(function: Function) -> tuple[GroupWait, ...]:
    """Return the waits in loops that have a group to wait for, by innermost loop in order of headers, then by address."""
    graph = blocks(function)
    waits = []
    for loop in loops(graph):
        body = [i for block in sorted(loop.blocks) for i in graph[block].instructions]
        own = {i.address for block in loop.own for i in graph[block].instructions}
        waits += [wait for wait in _waits(body) if wait.wait.address in own]
    return tuple(waits)


def _waits(body: list[Instruction]) -> Iterator[GroupWait]:
    texts = [f"{i.mnemonic} {i.operands}" for i in body]
    for family, commit, wait in _FAMILIES:
        commits = {place for place, text in enumerate(texts) if commit.match(text)}
        for place, text in enumerate(texts) if commits else ():
            if (match := wait.match(text)) is not None:
                yield _distance(family, body, commits, place, int(match[1] or "0", 0))


def _distance(family: str, body: list[Instruction], commits: set[int], place: int, left: int) -> GroupWait:
    """Walk backwards from the wait until one more group than may be left was committed."""
    size = len(body)
    seen = min(left, _MOST_ROUNDS) + 1
    steps = matrix = 0
    while True:
        steps += 1
        at = (place - steps) % size
        if at in commits:
            seen -= 1
            if not seen:
                break
        matrix += body[at].kind is InstructionKind.MATRIX
    iterations = (steps - place + size - 1) // size if steps > place else 0
    return GroupWait(family, body[place], left, body[at], iterations, steps - 1, matrix)
