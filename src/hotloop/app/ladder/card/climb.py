"""A ladder on an NVIDIA card: every rung verified, compared in pairs with the one below, and explained by what moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path

from hotloop.app import userfile
from hotloop.app.events import Listener, Silent, Stage
from hotloop.app.ladder import data
from hotloop.app.ladder.card import code
from hotloop.app.ladder.card.rows import row
from hotloop.app.ladder.card.walk import Walk
from hotloop.app.session import Options, desk
from hotloop.errors import NoDeviceError, UsageError
from hotloop.host import scratch, settings
from hotloop.model.kernel import Kernel
from hotloop.model.ladder import Ladder
from hotloop.model.record import Record, Scalar
from hotloop.report.ladder.cardview import CardView

_DRIVERS = ("nvidia[0-9]*", "dxg")
"""Device files of NVIDIA's driver, and of a GPU under WSL."""
_WORDS = ("nvidia", "cuda", "sm_")


def wanted(family: str, options: Options) -> bool:
    """Tell whether a family's ladder is to be run on an NVIDIA card: there is one, and nothing else was asked for."""
    asked = (options.device or settings.DEVICE.get() or "").casefold()
    here = any(file for pattern in _DRIVERS for file in Path("/dev").glob(pattern))
    named = not asked or any(word in asked for word in _WORDS) or bool(data.card_targets(family) and asked in _names())
    return bool(data.card_targets(family)) and here and named


def _names() -> str:
    """Return the names of the cards, as the driver's own files tell them."""
    files = Path("/proc/driver/nvidia/gpus").glob("*/information")
    return "\n".join(path.read_text(encoding="utf-8", errors="replace").casefold() for path in files)


# -- compiled ---------------------------------------------------------------------------------------------------------


def compiled(family: str, target: str, rungs: Sequence[str] = (), listener: Listener | None = None) -> CardView:
    """Compile the rungs of a family's ladder for a card that is not here, and hold them to their bounds.

    Raises:
        UsageError: no such ladder or rung.
    """
    ladder, heard = data.card_ladder(family, target), listener or Silent()
    chosen, made = ladder.chosen(tuple(rungs)), dict[str, code.Code]()
    with scratch.folder() as folder:
        for rung in chosen:
            heard.notify(Stage(f"compiling {rung.name} for {target}"))
            made[rung.name] = code.offline(ladder, rung, target, Path(folder))
    rows = tuple(row(ladder, rung, rung.after, made[rung.name], made.get(rung.after)) for rung in chosen)
    return CardView(ladder=ladder, target=target, rungs=rows, no_counters="compiled only")


# -- measured ---------------------------------------------------------------------------------------------------------


def climb(
    family: str,
    shape: str,
    options: Options,
    listener: Listener,
    *,
    rungs: Sequence[str] = (),
    margin: float = 0.02,
    counters: bool = True,
    budget_s: float = inf,
    keep: Callable[[CardView], None] | None = None,
) -> CardView:
    """Run a family's ladder on the NVIDIA card of this machine.

    Args:
        family: kernel family.
        shape: ``name=value,...`` of the ladder's problem; empty: as it is.
        options: device, seed, limit of one compilation or run.
        listener: is told what happens.
        rungs: only these and those they stand on; empty: all.
        margin: below which two rungs are the same.
        counters: False leaves Nsight Compute out.
        budget_s: wall time after which nothing more is begun: rungs, peers and counters that are left are left out.
        keep: gets what there is after every step, so that a run that is cut short has lost nothing.

    Raises:
        UsageError: no such ladder, shape or rung.
        NoDeviceError: no NVIDIA card, or none that the ladder is for.
        MachineError: what the ladder's languages need is missing.
    """
    ladder = data.on_cards(family)
    if ladder is None:
        raise UsageError(f"{family} has no ladder that is measured on NVIDIA cards.")
    kernel, sized = userfile.find(data.family_of(family)), _sized(ladder, shape)
    with desk(replace(options, language=_language(kernel, ladder)), listener) as made:
        device = made.device
        if device.target not in ladder.targets:
            raise NoDeviceError(f"{family} has no ladder for {device.name} ({device.target}).")
        walk = Walk(made, kernel, sized, margin, options.device or settings.DEVICE.get(), budget_s)
        return walk.run(tuple(rungs), counters=counters, keep=keep)


def _language(kernel: Kernel, ladder: Ladder) -> str:
    """Return the language whose backend selects the card: that of the first rung which the family ships."""
    languages = {implementation.name: implementation.language for implementation in kernel.implementations}
    return next(filter(None, (languages.get(ladder.implementation(rung) or "") for rung in ladder.rungs)))


def _sized(ladder: Ladder, shape: str) -> Ladder:
    """Return a ladder with other sizes."""
    changed: dict[str, Scalar] = {}
    for part in filter(None, shape.split(",")):
        name, _, value = part.partition("=")
        if name not in ladder.problem or not value.isdigit():
            raise UsageError(f"shape {part!r} is not understood: give NAME=NUMBER of {', '.join(ladder.problem)}.")
        changed[name] = int(value)
    return replace(ladder, problem=Record({**ladder.problem, **changed}))
