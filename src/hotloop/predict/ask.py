"""Predicting the time of one launch of machine code."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.emulate.launch import Launch
from hotloop.emulate.memory import Blank
from hotloop.emulate.program import Program, load
from hotloop.errors import UsageError
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.instruction import Function
from hotloop.isa.occupancy import ask as occupancy
from hotloop.isa.occupancy.result import Occupancy
from hotloop.predict.answer import Prediction
from hotloop.predict.card import Card
from hotloop.predict.model import predict
from hotloop.predict.private import private, resident
from hotloop.predict.reuse import Residency, flow
from hotloop.predict.sample import sample
from hotloop.predict.work import work


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel ready to be predicted at any size."""

    program: Program
    function: Function


def kernel(listing: str, name: str = "", target: str = "") -> Kernel:
    """Read a kernel of a listing with metadata.

    Raises:
        ListingError: no listing of an AMD GPU.
        EmulateError: an instruction that cannot be executed, or no such kernel.
    """
    program = load(listing, name, target)
    functions = DIALECT.parse(listing)
    return Kernel(program, next(f for f in functions if f.name == program.name))


def ask(one: Kernel, launch: Launch, card: Card) -> Prediction:
    """Predict the time of a launch.

    Raises:
        UsageError: it does not fit on the machine, or has no work-groups.
        EmulateError: the executor cannot run it.
    """
    if 0 in launch.grid:
        raise UsageError(
            f"{one.function.name} is launched with a grid of {launch.grid}: without work-groups nothing runs."
        )
    room = _room(one, launch)
    if not room.launches:
        raise UsageError(f"{one.function.name} does not launch on {card.name}: {room.why_not}.")
    place = Residency(grid=launch.grid, unit_groups=max(1, room.groups))
    taken = sample(one.program, launch, min(place.groups, place.unit_groups * card.units))
    moved = flow(taken, card, place, int(card.fact("l1_line_bytes")))
    waves = _waves(room, taken.group_waves, card)
    beside = resident(place, taken.group_waves, card)
    kept = private(one.function, taken.counts, card, place.groups * taken.group_waves, beside, moved.running_bytes)
    done = work(one.function, taken, moved, kept, card, place, waves, _unseen(launch))
    return predict(done, moved, kept, card)


def _unseen(launch: Launch) -> list[str]:
    """Return the arguments that stand for arrays with contents, and are zeros here."""
    blank = (n for n, value in enumerate(launch.arguments) if isinstance(value, Blank) and n not in launch.fresh)
    return [launch.names[n] if n < len(launch.names) else f"argument {n + 1}" for n in blank]


def _waves(room: Occupancy, group_waves: int, card: Card) -> int:
    """Return the waves that a SIMD holds of whole groups."""
    return max(1, min(room.waves, room.groups * group_waves // card.unit_simds))


def _room(one: Kernel, launch: Launch) -> Occupancy:
    used = one.function.resources
    if used is None:
        raise UsageError(f"{one.function.name} has no metadata: how many of its waves fit is not known.")
    x, y, z = launch.workgroup
    agprs = used.agprs or 0
    question = occupancy.Question(
        target=one.program.target.name,
        vgprs=used.vgprs if used.vgprs is not None else max(0, (used.total_vgprs or 0) - agprs),
        agprs=agprs,
        sgprs=used.sgprs,
        lds_bytes=used.lds_bytes or 0,
        dynamic_lds_bytes=launch.dynamic_lds_bytes,
        workgroup=x * y * z,
        wave=used.wave_size,
    )
    return occupancy.ask(question).occupancy
