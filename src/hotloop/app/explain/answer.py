"""Explaining a kernel from whatever evidence there is: counters, traces, code, in any mix; no GPU is needed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hotloop.app import hint
from hotloop.app.explain.learned import learned
from hotloop.app.explain.reading import read
from hotloop.explain.answer import explanation
from hotloop.explain.counts import counted
from hotloop.explain.material import Choice, Material, choose, followed
from hotloop.explain.needed import Said
from hotloop.explain.page import Explanation
from hotloop.explain.shift import shift
from hotloop.explain.study import Study, study


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The inputs of `explain` and the options for them."""

    inputs: tuple[str, ...]
    kernel: str = ""
    target: str = ""
    chip: str = ""
    against: tuple[str, ...] = ()
    """Inputs about the same kernel after a change."""
    needed_bytes: float | None = None
    """Bytes that one launch cannot avoid moving, as the person says; None: not said."""
    useful_flops: float | None = None
    """Operations that one launch is for, as the person says; None: not said."""
    store: str | None = None
    """Store whose earlier trials correct predictions: a file or URL, empty for the user's own if there is one; None: none."""


def explain(request: Request) -> Explanation:
    """Return the explanation that a request asks for.

    Raises:
        UsageError: an input cannot be read, or there is no such kernel.
        UnknownNameError: the target or the chip.
        MachineError: a tool that an input needs is not installed.
        StoreError: the store that is named cannot be read.
    """
    return explained(request)[0]


def explained(request: Request) -> tuple[Explanation, Study]:
    """Return the explanation with the study that it words. Raises as `explain` does."""
    material = read(request.inputs, request.target)
    before = _studied(request, material, choose(material, request.kernel))
    page = explanation(before)
    if not request.against:
        return page, before
    material = read(request.against, request.target)
    after = _studied(request, material, followed(material, before.choice.name))
    return replace(page, shift=shift(before, after)), before


def _studied(request: Request, material: Material, choice: Choice) -> Study:
    stated = Said(request.needed_bytes, request.useful_flops)
    counts = counted(material, choice.name, request.target, request.chip, stated)
    again = hint.command("explain", *(row.name for row in material.inputs), store=request.store or "")
    return study(material, choice, counts, learned(request.store, counts.counts.architecture), again)
