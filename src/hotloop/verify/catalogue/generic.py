"""Mutations of any kernel: what a user's own reference, tolerance and awkward problems would let pass.

Source mutations are the classic operators of mutation testing on OpenCL C text; some of them change nothing that can be
observed (``<`` for ``<=`` on a bound that is never met), so a survivor is a question, not a verdict. Result mutations
change what a correct kernel returned; a survivor among them is what tolerance and inputs cannot tell from right.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.program import Program
from hotloop.verify.catalogue.mutant import Mutant

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Results = NDArray[np.generic]

_OPERATORS: tuple[tuple[str, str, str], ...] = (
    ("bounds", r"<=", "<"),
    ("bounds", r"(?<![<\-=])<(?![<=])", "<="),
    ("bounds", r">=", ">"),
    ("bounds", r"(?<![>\-=])>(?![>=])", ">="),
    ("mask", r"&&", "||"),
    ("arithmetic", r"(?<=[\w)\]]) \+ (?=[\w(])", " - "),
    ("arithmetic", r"(?<=[\w)\]]) - (?=[\w(])", " + "),
    ("arithmetic", r"(?<=[\w)\]]) \* (?=[\w(])", " + "),
    ("accumulation", r"\+=", "="),
    ("barrier", r"barrier\([^)]*\);", ";"),
    ("reduction", r"\bfmax\b", "fmin"),
    ("uninitialised", r"= 0\.0f;", "= 1.0f;"),
    ("index", r"get_global_id\(0\)", "get_global_id(1)"),
    ("stride", r"\[(\w+)\]", r"[\1 + 1]"),
    ("narrow type", r"\bint (\w+) = 0;", r"short \1 = 0;"),
    ("narrow type", r"\b(?:uint|ulong|long) (\w+) = ", r"ushort \1 = "),
    ("scalar", r"(?<=[=(+\-] )([A-Za-z_]\w*) \* (?=[\w(])", r""),
    ("rounding", r"\brint\(", "round("),
    ("rounding", r"\b(?:round|floor|ceil)\(", "trunc("),
    ("division", r" / (\w+)\b", r" / (\1 + 1)"),
    ("shift", r">> (\w+)", r">> (\1 + 1)"),
    ("off by one", r"(?<=; )(\w+) < (\w+);", r"\1 < \2 - 1;"),
    ("lost tail", r"(?<=; )(\w+) < (\w+);", r"\1 < \2 / 4 * 4;"),
    ("swapped index", r"\[(\w+) \* (\w+) \+ (\w+)\]", r"[\3 * \2 + \1]"),
    ("start", r"= -INFINITY", "= 0.0f"),
    ("early return", r"if \([^;{]*\) (?:return|continue);", ";"),
)
_DECLARATION = re.compile(r"^\s*(?:__local|__private|local|float\d*|int|uint|double|half)\b[^=]*\[[^=]*;")


def source_mutants(source: str, most: int) -> tuple[Mutant, ...]:
    """Return at most `most` mutants of a source, evenly spread over all that there are; first one of each kind, then further ones."""
    mutants = list(_mutations(source))
    step = max(1.0, len(mutants) / most)
    met = Counter[str]()
    chosen = [mutants[int(index * step)] for index in range(min(most, len(mutants)))]
    turns = {mutant.name: met.update([mutant.kind]) or met[mutant.kind] for mutant in chosen}
    return tuple(sorted(chosen, key=lambda mutant: turns[mutant.name]))


def _mutations(source: str) -> Iterator[Mutant]:
    lines = source.split("\n")
    for number, line in enumerate(lines):
        code = line.partition("//")[0]
        if code.lstrip().startswith(("#", "*", "/*")):
            continue
        for kind, pattern, text in _OPERATORS:
            if pattern.startswith(r"\[") and _DECLARATION.match(code):
                continue
            for hit in re.finditer(pattern, code):
                if kind == "accumulation" and _stepping(code[: hit.start()]):
                    continue
                changed = code[: hit.start()] + hit.expand(text) + code[hit.end() :]
                mutated = "\n".join([*lines[:number], changed + line[len(code) :], *lines[number + 1 :]])
                yield Mutant(
                    name=f"line {number + 1}: {hit[0].strip()} → {hit.expand(text).strip() or 'nothing'}",
                    kind=kind,
                    bug=" ".join(line.split()),
                    relaunch=_with_source(mutated),
                )


def _stepping(before: str) -> bool:
    """Tell whether a loop's step follows: without it the loop never ends, which every check sees, after its whole time limit."""
    head = before.rpartition("for (")[2] if "for (" in before else ""
    opened = head.count("(") - head.count(")")
    return head.count(";") == 2 and opened == 0  # beside the head's own parenthesis, which is cut off


def _with_source(source: str) -> Callable[[Program], Program]:
    return lambda program: replace(program, source=source)


@dataclass(frozen=True, slots=True)
class Corruption:
    """A change of a correct result, in place."""

    bug: str
    change: Callable[[Results], None]


def _scaled(factor: float) -> Callable[[Results], None]:
    def change(values: Results) -> None:
        values[...] = (values.astype(np.float64) * factor).astype(values.dtype)

    return change


def _zero_bits(bits: int) -> Callable[[Results], None]:
    def change(values: Results) -> None:
        if values.dtype == np.float32:
            values.view(np.uint32)[...] &= np.uint32(0xFFFFFFFF << bits & 0xFFFFFFFF)

    return change


def _one_off(values: Results) -> None:
    flat = values.reshape(-1)
    place = flat.size // 2
    flat[place : place + 1] = (flat[place : place + 1].astype(np.float64) * 1.01).astype(values.dtype)


def _exchange(values: Results) -> None:
    flat = values.reshape(-1)
    flat[[0, -1]] = flat[[-1, 0]]


def _shifted(values: Results) -> None:
    values.reshape(-1)[...] = np.roll(values.reshape(-1), 1)


def _all_zero(values: Results) -> None:
    values[...] = values.dtype.type(0)


def _without_nan(values: Results) -> None:
    if values.dtype.kind == "f":
        values[...] = np.nan_to_num(values)


def _last_zero(values: Results) -> None:
    values.reshape(-1)[-1:] = values.dtype.type(0)


CORRUPTIONS = (
    Corruption("all results are zero", _all_zero),
    Corruption("the last element is zero", _last_zero),
    Corruption("results are shifted by one element", _shifted),
    Corruption("the first and last element are exchanged", _exchange),
    Corruption("one element in the middle is 1 % off", _one_off),
    Corruption("all elements are 1 % off", _scaled(1.01)),
    Corruption("all elements are 0.1 % off", _scaled(1.001)),
    Corruption("results are cut to bfloat16 (8 bits)", _zero_bits(16)),
    Corruption("results are cut to tf32 (11 bits)", _zero_bits(13)),
    Corruption("results are negated", _scaled(-1.0)),
    Corruption("NaN and infinities are replaced by numbers", _without_nan),
)
