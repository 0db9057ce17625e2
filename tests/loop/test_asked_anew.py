"""What a resumed run asks anew: everything that code, driver or compiler have changed, and nothing else."""

import json
from contextlib import contextmanager
from dataclasses import replace
from importlib import util
from pathlib import Path

import pytest

from hotloop.app import userfile
from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.run.optimize import Loop
from hotloop.app.run.plan import Plan
from hotloop.app.session import worker_environment
from hotloop.engine.local import LocalEngine
from hotloop.host.clock import SystemClock
from hotloop.model.kernel import Peer
from hotloop.model.space import Config, Parameter, Space

START = Config(W=8, ITEMS=1, DEPTH=3, TRICK="stream")


@pytest.fixture(scope="module")
def kernel():
    """Return the kernel of the null device with two configurations, so that runs end by themselves, however slowly."""
    file = Path(__file__).with_name("null_kernel.py")
    spec = util.spec_from_file_location("null_kernel_of_resumes", file)
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (made,) = [
        k for k in module.api.DEFINED if k.origin == module.__file__ and k.implementations[0].plan is module.plan
    ]
    own = made.implementation()
    peer = Peer("library", lambda p, d: own.plan(p, Config(W=1, ITEMS=16, DEPTH=3, TRICK="none"), d))
    module.api.DEFINED.remove(made)
    parameters = (Parameter("W", (8,)), Parameter("ITEMS", (1, 16), "work-per-item"), Parameter("DEPTH", (3,)))
    space = Space((*parameters, Parameter("TRICK", ("stream",))))
    return replace(made, peers=(peer,), implementations=(replace(own, space=space, start=START),))


@pytest.fixture(scope="module")
def engine():
    with LocalEngine(worker_environment()) as made:
        made.device = made.select("", "null")
        yield made


@contextmanager
def counted(engine):
    """Count the requests that reach the worker."""
    asked = []
    plain = {name: getattr(engine, name) for name in ("build", "execute", "execute_all", "time", "outputs")}
    for name, method in plain.items():
        setattr(engine, name, lambda *a, _m=method, _n=name, **k: (asked.append(_n), _m(*a, **k))[1])
    try:
        yield asked
    finally:
        for name in plain:
            delattr(engine, name)


def climbed(engine, kernel, journal, device=None):
    """Run the loop with a journal; returns its keys and how many answers were made, not recalled."""
    desk = Desk(engine, device or engine.device, journal, SystemClock())
    before = set(journal.entries)
    loop = Loop(desk, kernel, kernel.problem, Plan(budget_s=600.0), ())
    result = loop.run()
    assert result.winner is not None
    loop._attempts.workload.discard()  # the next run at this engine has arrays of its own under the same names
    assert result.winner.index > 0, [(s.change, s.decision, s.reason) for s in result.steps]
    return desk, set(journal.entries) - before


def changed(kernel):
    """Return the kernel with another source and the same configurations."""
    (own,) = kernel.implementations

    def plan(problem, config, device):
        program = own.plan(problem, config, device)
        return replace(program, source=json.dumps({**json.loads(program.source), "version": 2}))

    return replace(kernel, implementations=(replace(own, plan=plan),))


VERBS = {"baseline", "evidence", "glance", "confirm", "noise", "full", "overall", "peer", "pace"}


@pytest.fixture(scope="module")
def journal(engine, kernel):
    """Return what a run on the kernel as it is left."""
    made = MemoryJournal()
    _, keys = climbed(engine, kernel, made)
    assert {key.split()[0] for key in keys} >= VERBS
    return made


def copy(journal):
    return MemoryJournal(dict(journal.entries), list(journal.trials))


def test_the_same_command_asks_nothing_again(engine, kernel, journal):
    with counted(engine) as asked:
        desk, new = climbed(engine, kernel, copy(journal))
    assert not new
    assert desk.recalled >= len(VERBS - {"pace"})
    assert "time" not in asked


def test_changed_source_asks_everything_anew(engine, kernel, journal):
    desk, new = climbed(engine, changed(kernel), copy(journal))
    assert {key.split()[0] for key in new} >= VERBS
    assert desk.recalled == 0


def test_a_changed_reference_asks_everything_anew_and_the_same_file_nothing(engine, tmp_path):
    """The kernel's source is the same, so programs are: what is right has changed."""
    file, journal = tmp_path / "mine.py", MemoryJournal()
    text = Path(__file__).with_name("null_kernel.py").read_text().replace("(1, 16, 64)", "(1, 16)")
    for old, new in (("(1, 8)", "(8,)"), ("(1, 2, 3)", "(3,)"), ("W=1, ITEMS=1, DEPTH=1", "W=8, ITEMS=1, DEPTH=3")):
        assert old in text
        text = text.replace(old, new)
    counts = []
    for reference in ('arrays["x"].astype("f8")', 'arrays["x"].astype("f8")', '1.0 * arrays["x"].astype("f8")'):
        file.write_text(text.replace('arrays["x"].astype("f8")', reference))
        desk, new = climbed(engine, userfile.load(file), journal)
        counts.append((desk.recalled > 0, {key.split()[0] for key in new} >= VERBS - {"peer"}, bool(new)))
    assert counts == [(False, True, True), (True, False, False), (False, True, True)]


@pytest.mark.parametrize("change", [{"driver": "another"}, {"runtime": "null 2"}])
def test_another_driver_or_compiler_asks_everything_anew(engine, kernel, journal, change):
    desk, new = climbed(engine, kernel, copy(journal), replace(engine.device, **change))
    assert {key.split()[0] for key in new} >= VERBS
    assert desk.recalled == 0
