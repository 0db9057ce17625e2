"""Kernels beside those of tests/planted/hosts whose source alone tries to win without the work, or is right for what is usually drawn only.

The table is data: tests/planted/cheats/others.toml. Ordinary runs look only at whether a source passes for right; `benchmarks/checker.py`
(part `others`) holds each contest as `compare` does.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import cast

import pytest

from hotloop.app import session, userfile
from hotloop.app.desk import Desk
from hotloop.app.run import checking, faceoff
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.verify.checker import _Shelf
from hotloop.errors import MachineError
from hotloop.model.check import CheckReport
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.outcome import Artifact, describe
from hotloop.model.space import Config, Space
from hotloop.model.subject import Subject
from hotloop.model.verdict import Verdict
from hotloop.ports import Engine
from hotloop.verify.remnants.doubts import doubt

PLANTED = Path(__file__).parent
CHEATS = tomllib.loads((PLANTED / "cheats" / "others.toml").read_text())["cheat"]
SHOWN = {
    "search only near where a uniform table has it": "uneven",
    "thirty steps at most": "notable numbers",
    "every other element, twice": "in norm",
    "a hash of the eight bytes": "equal digests",
}
"""Cheats that were called faster or passed for right, by name, and what the reason of their refusal says now."""
serial = count()


@pytest.fixture(scope="module")
def desk() -> Iterator[Desk]:
    try:
        with session.desk(session.Options(limit_s=20)) as opened:
            if opened.device.runtime_key != "intel":
                pytest.skip("the sources were written for Intel's runtime")
            yield opened
    except MachineError as reason:
        pytest.skip(f"no OpenCL runtime: {reason}")


def stand_for(desk: Desk, host: str) -> Workload:
    """Return what all contests beside a host share."""
    kernel = userfile.load(PLANTED / "hosts" / f"{host}.py")
    shelf = cast("Engine", _Shelf(desk.engine, f"{host}."))
    return Workload(shelf, kernel, kernel.problem, desk.device, desk.seed)


def subjects(workload: Workload, cheat: dict) -> tuple[Variant, Variant, Subject, Subject]:
    """Return the host's variant and the cheat's, and what is verified of both."""
    honest = userfile.starting(workload.kernel)
    given = {"source": cheat["source"]} | ({"options": tuple(cheat["options"])} if "options" in cheat else {})
    plan = lambda p, _c, d: replace(honest.implementation.plan(p, honest.config, d), **given)  # noqa: E731
    variant = Variant(Implementation(f"cheat{next(serial)}", "opencl", Space(()), Config(), plan), Config())
    ours, theirs = (Subject.of(one, workload.problem, workload.device) for one in (honest, variant))
    return honest, variant, ours, theirs


def contest(desk: Desk, workload: Workload, cheat: dict) -> tuple[bool, str]:
    """Do what `compare` does beside a host; return whether the cheat is called faster, and why (not)."""
    honest, variant, ours, theirs = subjects(workload, cheat)
    built = desk.engine.build(workload.program(variant))
    if not isinstance(built, Artifact):
        return False, describe(built)
    verified = checking.check(desk, workload, theirs).answer
    if not isinstance(verified, CheckReport):
        return False, describe(verified)
    programs = [workload.program(honest), workload.program(variant)]
    answer = faceoff._duel(desk, workload, (workload.kernel.family, cheat["name"]), programs, 0.02)
    if answer.comparison is None:
        return False, " / ".join(describe(outcome) for outcome in answer.outcomes)
    told = f"{answer.comparison.verdict}, {answer.comparison.speedup:.3f} {answer.comparison.reason}"
    if answer.comparison.verdict is not Verdict.FASTER:
        return False, told
    wrong = faceoff._narrow(desk, workload, ours, theirs)
    return wrong is None, describe(wrong) if wrong else told


@pytest.mark.parametrize(("name", "words"), SHOWN.items())
def test_a_source_that_is_right_for_what_is_usually_drawn_does_not_pass(desk, name, words):
    cheat = next(cheat for cheat in CHEATS if cheat["name"] == name)
    workload = stand_for(desk, cheat["host"])
    _, _, ours, theirs = subjects(workload, cheat)
    found = checking.check(desk, workload, theirs).answer
    wrong = faceoff._narrow(desk, workload, ours, theirs) if isinstance(found, CheckReport) else found
    assert wrong is not None
    assert words in describe(wrong)


def test_private_memory_of_a_text_of_cplusplus_counts_as_unseen():
    found = [doubt(cheat["source"], cheat["options"]) for cheat in CHEATS if cheat["kind"] == "C++"]
    assert len(found) >= 20
    assert all(words.startswith("-cl-std=CLC++") for words in found)
