"""From a runtime's program binary to evidence."""

from __future__ import annotations

from hotloop.errors import MissingExtraError
from hotloop.isa import code, dialect
from hotloop.isa.gpumix import gpu_evidence
from hotloop.isa.instruction import Function
from hotloop.isa.mix import mix
from hotloop.model.evidence import Absent, Evidence
from hotloop.model.program import Launch

NAMES = tuple(
    f"static.{name}"
    for name in (
        "hot_instructions", "spills", "broadcasts", "gathers", "calls", "code_bytes", "fma_share", "fma_bits", "loads_per_fma",
        "scalar_load_share", "vector_bits",
    )
)  # fmt: skip
"""Every fact that static analysis may give."""


def static_evidence(binary: bytes, launch: Launch) -> Evidence:
    """Return the ``static.*`` facts of the code that a launch runs; all absent, with the reason, when it cannot be read."""
    try:
        chosen = code.select(binary, launch.entry, launch.local_size)
        function = dialect.load(chosen.dialect).decode(chosen.code, chosen.address, chosen.name)
    except (ValueError, MissingExtraError) as error:
        return Evidence(absent=tuple(Absent(name, str(error)) for name in NAMES))
    origin = f"{chosen.dialect} code of {chosen.name}" + (f" ({chosen.note})" if chosen.note else "")
    return mix(function, origin)


def listed_evidence(function: Function, origin: str = "") -> Evidence:
    """Return the ``static.*`` facts of a function read from a listing, with those of GPUs where it is for one."""
    found = mix(function, origin)
    return found.merged(gpu_evidence(function, origin)) if function.target else found
