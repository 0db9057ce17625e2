"""The checker against the whole catalogue: every planted bug is caught, no clean kernel raises an alarm."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial

import pytest
import strata

from hotloop import registry
from hotloop.app import session
from hotloop.app.events import Silent
from hotloop.app.verify import checker as verify_checker
from hotloop.errors import MachineError
from hotloop.model.device import Device
from hotloop.model.kernel import Kernel
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.space import Config
from hotloop.verify.catalogue.mutant import Edit, Specimen, StaleMutantError
from hotloop.verify.catalogue.specimens import attention

Plan = Callable[[Problem, Config, Device], Program]

pytestmark = pytest.mark.usefixtures("kept_engines")
LEAST = 120
NAMES = registry.names(verify_checker.SPECIMENS)
SPECIMENS = {name: registry.load(verify_checker.SPECIMENS, name, "SPECIMEN") for name in NAMES}
MUTANTS = {name: strata.covering(one.mutants, lambda m: m.kind, lambda m: m.config) for name, one in SPECIMENS.items()}
"""What is run here: of each kernel a bug of every kind, and one in every configuration; `python benchmarks/checker.py` runs all."""


def has_opencl() -> bool:
    try:
        with session.desk(session.Options()):
            return True
    except MachineError:
        return False


@pytest.fixture(scope="module")
def opencl() -> None:
    if not has_opencl():
        pytest.skip("no OpenCL runtime works here")


def test_the_catalogue_is_large_and_its_names_are_unique():
    every = [(name, mutant.name) for name, specimen in SPECIMENS.items() for mutant in specimen.mutants]
    assert len(every) >= LEAST
    assert len(set(every)) == len(every)
    kinds = {mutant.kind for specimen in SPECIMENS.values() for mutant in specimen.mutants}
    assert kinds >= {
        "bounds", "stride", "fragment", "barrier", "race", "uninitialised", "stale-output", "reads-c", "mask", "causal",
        "precision", "lost-tail", "split-k", "aliasing", "overrun", "input-changed", "odd-sizes", "large-values",
        "negative", "nan", "second-call", "one-shape", "zeroed",
    }  # fmt: skip


def plain(kernel: Kernel, timed: set[Problem]) -> Kernel:
    """Return a kernel whose programs are compiled without optimization, except those that are timed.

    Optimizing takes five times as long, and indices, barriers and edges are the same. A timed call must not be as short as a
    time slice of a busy machine.
    """

    @cache
    def optimized(before: Plan, config: Config, device: Device) -> set[str]:
        return {made.source + str(made.options) for made in planned(before, timed, config, device)}

    def plan(before: Plan, problem: Problem, config: Config, device: Device) -> Program:
        made = before(problem, config, device)
        if (
            strata.WHOLE
            or made.language != "opencl"
            or made.source + str(made.options) in optimized(before, config, device)
        ):
            return made
        return replace(made, options=(*made.options, "-cl-opt-disable"))

    implementations = (replace(one, plan=partial(plan, one.plan)) for one in kernel.implementations)
    return replace(kernel, implementations=tuple(implementations))


def planned(plan: Plan, problems: set[Problem], config: Config, device: Device) -> Iterator[Program]:
    for problem in problems:
        with suppress(ValueError):
            yield plan(problem, config, device)


def asked(specimen: Specimen, kernel: Kernel) -> set[Problem]:
    own = kernel.problem.replace(**specimen.sizes)
    return {own, *(own.replace(**mutant.sizes) for mutant in specimen.mutants)}


@pytest.fixture
def quickly_built(monkeypatch):
    """Have programs of awkward problems built without optimization."""
    before = verify_checker._kernel
    monkeypatch.setattr(verify_checker, "_kernel", lambda one: plain(before(one), asked(one, before(one))))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("quickly_built")
def test_every_mutant_is_caught_and_every_clean_kernel_passes(name, request, monkeypatch):
    if SPECIMENS[name].language == "opencl":
        request.getfixturevalue("opencl")
    module = sys.modules[f"{verify_checker.SPECIMENS}.{name}"]
    monkeypatch.setattr(module, "SPECIMEN", replace(SPECIMENS[name], mutants=tuple(MUTANTS[name])))
    found = verify_checker.catalogue(session.Options(limit_s=30), Silent(), (name,))
    assert [f"{row.mutant}: {row.bug}" for row in found.missed] == []
    assert [one.reason for one in found.alarms] == []
    assert len(found.rows) + len(found.skipped) == len(MUTANTS[name])
    assert all(row.inputs > 0 and row.stage for row in found.rows)


def test_a_kernel_without_a_bug_is_reported_as_missed(opencl, monkeypatch):
    """The table must be able to say MISSED: an edit that changes nothing is no bug."""
    harmless = attention.SPECIMEN.mutants[0].__class__(
        name="harmless", kind="bounds", bug="none", edits=(Edit("#define TILE 16", "#define TILE 8"),)
    )
    specimen = attention.SPECIMEN.__class__(
        name="attention", language="opencl", kernel=attention.SPECIMEN.kernel, mutants=(harmless,)
    )
    monkeypatch.setattr(attention, "SPECIMEN", specimen)
    found = verify_checker.catalogue(session.Options(), Silent(), ("attention",))
    assert [row.mutant for row in found.missed] == ["harmless"]
    assert found.missed[0].allclose is False


def test_an_edit_of_a_text_that_has_changed_is_an_error_not_a_pass():
    with pytest.raises(StaleMutantError, match="occurs 0 times"):
        Edit("no such text", "").apply("source")
    with pytest.raises(StaleMutantError, match="occurs 2 times"):
        Edit("a", "b").apply("aa")
    assert Edit("a", "b", 2).apply("aa") == "bb"
