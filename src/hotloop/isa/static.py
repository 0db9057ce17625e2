"""From a runtime's program binary to evidence."""

from __future__ import annotations

from dataclasses import replace

from hotloop.errors import MissingExtraError
from hotloop.isa import code, dialect
from hotloop.isa.gpumix import gpu_evidence
from hotloop.isa.hot import hot_loop
from hotloop.isa.instruction import Function, InstructionKind
from hotloop.isa.mix import mix
from hotloop.model.evidence import Absent, Evidence
from hotloop.model.program import Launch

NAMES = tuple(
    f"static.{name}"
    for name in (
        "hot_instructions", "spills", "broadcasts", "gathers", "memory_updates", "calls", "code_bytes", "fma_share", "fma_bits", "loads_per_fma",
        "scalar_load_share", "vector_bits", "work_bits", "moved_bits", "sum_cycles",
    )
)  # fmt: skip
"""Every fact that static analysis may give."""
_OF_MACHINE = tuple(
    f"static.{name}"
    for name in (
        "spills", "code_bytes", "vector_bits", "fma_bits", "scalar_load_share", "broadcasts", "gathers", "memory_updates", "conversion_share",
        "integer_share", "move_share", "work_bits", "moved_bits", "sum_cycles",
    )
)  # fmt: skip
"""Facts about registers, encodings and lanes, which a virtual instruction set does not have, and about work that the final
compiler folds away: address arithmetic, widening, moves."""
_LOADS = "static.loads_per_fma"


def static_evidence(binary: bytes, launch: Launch) -> Evidence:
    """Return the ``static.*`` facts of the code that a launch runs; all absent, with the reason, when it cannot be read."""
    try:
        chosen = code.select(binary, launch.entry, launch.local_size)
        function = dialect.load(chosen.dialect).decode(chosen.code, chosen.address, chosen.name)
    except (ValueError, MissingExtraError) as error:
        return Evidence(absent=tuple(Absent(name, str(error)) for name in NAMES))
    origin = f"{chosen.dialect} code of {chosen.name}" + (f" ({chosen.note})" if chosen.note else "")
    return _virtual(function, origin) if chosen.virtual else mix(function, origin)


def _virtual(function: Function, origin: str) -> Evidence:
    """Return what holds of the machine's code, too: operations, loads and their widths, but neither registers nor lanes.

    Parameters, which it loads like memory, are constants of the machine and no loads.
    """
    evidence = listed_evidence(function, origin)
    reason = "a virtual instruction set has no machine registers and no encoding: only the final code tells"
    left_out = (*_OF_MACHINE, _LOADS)
    facts = tuple(fact for fact in evidence.facts if fact.name not in left_out)
    gone = tuple(absent for absent in evidence.absent if absent.name not in left_out)
    absent = tuple(Absent(name, reason) for name in _OF_MACHINE)
    return Evidence(facts, (*gone, *absent)).merged(_loads(function, evidence))


def _loads(function: Function, found: Evidence) -> Evidence:
    """Return loads that go to memory over multiply/adds in the hot loop."""
    code = [instruction.traits for instruction in hot_loop(function).instructions]
    work = sum(traits.multiply_add for traits in code)
    count = found.fact(_LOADS)
    if count is None or not work:
        return Evidence(absent=(Absent(_LOADS, found.why_absent(_LOADS)),))
    loads = sum(traits.reads_memory and traits.kind is not InstructionKind.SCALAR_LOAD for traits in code)
    return Evidence((replace(count, value=loads / work),))


def listed_evidence(function: Function, origin: str = "") -> Evidence:
    """Return the ``static.*`` facts of a function read from a listing, with those of GPUs where it is for one."""
    mixed = mix(function, origin)
    return mixed.merged(gpu_evidence(function, origin)) if function.target else mixed
