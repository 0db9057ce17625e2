"""AMD's matrix instructions by the names that LLVM gives them; which there are and what they cost is data (targets/matrix.toml).

Passes (4 cycles each) are those of AMD's ISA references; for MFMA benchmarks/matrix_proof.py compares them with the wait
states that LLVM's hazard recogniser puts between an instruction and the use of its result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from hotloop.isa.matrix.instruction import Cost, Family, Instruction
from hotloop.targets import data
from hotloop.targets.target import Target

_PASS_CYCLES = 4
_EIGHT_BITS = ("fp8", "bf8")


def instructions() -> Iterator[Instruction]:
    """Yield every instruction of every AMD target."""
    tables = data.table("matrix")
    for table in tables["mfma"]:
        for row, (a, b) in product(table["shapes"], _pairs(table)):
            yield _mfma(table, row, a, b)
    for table in tables["scaled"]:
        yield from _scaled(table)
    for table in tables["smfmac"]:
        for (a, b), row in product(_pairs(table), table["shapes"]):
            yield _sparse(table, row, a, b)
    for row in tables["wmma"]["shapes"]:
        for generation, (a, b) in product(row["cycles"], _pairs(row)):
            yield _wmma(row, generation, a, b)


def _pairs(row: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the types of A and B, each pair for an instruction of its own."""
    return [(a, b) for a, b in map(str.split, row["operands"])]


def _costs(passes: Mapping[str, int]) -> tuple[Cost, ...]:
    return tuple(Cost(target, _PASS_CYCLES * count, count) for target, count in passes.items())


def _kinds(a: str, b: str) -> str:
    """Return what a name calls the operands; 8-bit floats are named each."""
    return a if a == b and a not in _EIGHT_BITS else f"{a}_{b}"


def _made(name: str, family: Family, row: Mapping[str, Any], types: tuple[str, str, str], source: str) -> Instruction:
    """Return the instruction of a row of data without what it costs; `types` are those of A, B and D."""
    m, n, k = map(int, row["shape"].split("x"))
    a, b, out = types
    return Instruction(
        name=name, family=family, m=m, n=n, k=k, a_type=a, b_type=b, c_type=out, targets=(), source=source
    )


def _priced(made: Instruction, costs: tuple[Cost, ...], spellings: tuple[str, ...] = ()) -> Instruction:
    """Return an instruction with its costs, on the targets that they name."""
    return replace(made, costs=costs, targets=tuple(cost.target for cost in costs), spellings=spellings)


def _mfma(table: Mapping[str, Any], row: Mapping[str, Any], a: str, b: str) -> Instruction:
    targets, blocks, out = tuple(row["passes"]), row.get("blocks", 1), table["out"]
    block = f"_{blocks}b" if blocks > 1 else ""
    names = [f"v_mfma_{out}_{row['shape']}{block}_{_kinds(a, b)}"]
    older = data.table("matrix")["older_names"]["targets"]
    if "older" in table and targets[0] in older:
        spelled = f"{out}_{row['shape']}{table['older']}"
        names += [f"v_mfma_{spelled}", f"__builtin_amdgcn_mfma_{spelled}"]
    if set(targets) <= set(older):
        del names[0]
    made = _made(names[0], Family.MFMA, row, (a, b, out), table["source"])
    status = "verified" if row.get("verified") else made.status
    return _priced(replace(made, blocks=blocks, status=status), _costs(row["passes"]), tuple(names[1:]))


def _scaled(table: Mapping[str, Any]) -> Iterator[Instruction]:
    """Yield the f8f6f4 instructions once per width of A and B; an 8-bit operand halves the rate."""
    for row, scale in product(table["shapes"], ("", "scale_")):
        base = f"v_mfma_{scale}{table['out']}_{row['shape']}_f8f6f4"
        for a, b in product(table["operands"], repeat=2):
            share = 1 if "f8" in (a, b) else table["narrow_share"]
            made = _made(f"{base} {a} {b}", Family.MFMA, row, (a, b, table["out"]), table["source"])
            costs = _costs({target: int(count * share) for target, count in row["passes"].items()})
            yield _priced(made, costs, (base,) if (a, b) == ("f8", "f8") else ())


def _sparse(table: Mapping[str, Any], row: Mapping[str, Any], a: str, b: str) -> Instruction:
    name = f"v_smfmac_{table['out']}_{row['shape']}_{_kinds(a, b)}"
    made = _made(name, Family.SMFMAC, row, (a, b, table["out"]), table["source"])
    return _priced(replace(made, status="derived"), _costs(row["passes"]))


def _wmma(row: Mapping[str, Any], generation: str, a: str, b: str) -> Instruction:
    family = Family(f"wmma-{generation}")
    spelled = f"wmma_{row['out']}_{row['shape']}_{_kinds(a, b)}"
    source = data.table("matrix")["wmma_sources"][generation]
    made = replace(_made(f"v_{spelled}", family, row, (a, b, row["out"]), source), lanes=32)
    targets = (name for name in data.names("rdna") if Target.of(name).generation == generation)
    builtins = (f"__builtin_amdgcn_{spelled}_w32", f"__builtin_amdgcn_{spelled}_w32_gfx12")
    costs = tuple(Cost(target, row["cycles"][generation], None) for target in targets)
    return _priced(made, costs, builtins[family is Family.WMMA_GFX12 :])
