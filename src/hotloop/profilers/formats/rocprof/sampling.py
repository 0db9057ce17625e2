"""rocprofv3's PC samples: host-trap (where waves were) and stochastic (also whether they issued, and why not)."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from hotloop.model.evidence import Absent
from hotloop.profilers.source import named
from hotloop.profilers.tables.csvtext import table
from hotloop.profiles.cell import integer
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile, SampledInstruction

PLACES_MAX = 1_000_000
_PREFIXES = (
    "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_",
    "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_",
)
_HOST_TRAP = "host-trap sampling tells where a wave was, not whether it issued"


@dataclass(slots=True)
class _Place:
    samples: int = 0
    issued: int = 0
    stalls: dict[str, int] = field(default_factory=dict)


def read(path: Path) -> Profile:
    """Return samples by launch, instruction and source line, most sampled first. Raises ProfileError."""
    places: dict[tuple[str, str, int | None], _Place] = {}
    with table(path) as opened:
        text, source = opened.index("Instruction"), opened.index("Instruction_Comment")
        launch = opened.index("Dispatch_Id")
        issued, reason = opened.index("Wave_Issued_Instruction"), opened.index("Stall_Reason")
        if text is None:
            raise ProfileError(f"{named(path)} lacks the column Instruction: no PC samples.")
        for row in opened.rows:
            key = (
                row[text].strip(),
                "" if source is None else row[source].strip(),
                None if launch is None else integer(row[launch]),
            )
            place = places.setdefault(key, _Place())
            if len(places) > PLACES_MAX:
                raise ProfileError(f"{named(path)} has more than {PLACES_MAX} different instructions: it is damaged.")
            place.samples += 1
            if issued is not None and row[issued].strip() not in {"0", "False", "false", ""}:
                place.issued += 1
            elif issued is not None and reason is not None:
                why = short_reason(row[reason])
                place.stalls[why] = place.stalls.get(why, 0) + 1
        notes = tuple(opened.notes)
    ordered = sorted(places.items(), key=lambda item: -item[1].samples)
    samples = tuple(
        SampledInstruction(key[0], key[1], p.samples, None if issued is None else p.issued, p.stalls, key[2])
        for key, p in ordered
    )
    absent = (Absent("issued", _HOST_TRAP), Absent("stalls", _HOST_TRAP)) if issued is None else ()
    return Profile(
        tool="rocprofv3", source=path.name, format="PC samples (CSV)", samples=samples, absent=absent, notes=notes
    )


def short_reason(text: str) -> str:
    """Return a stall reason without the enumeration's prefix.

    >>> short_reason("ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_WAITCNT")
    'WAITCNT'
    """
    name = text.strip()
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name
