"""Predictions beside one another, in processes of their own, kept by content."""

import os
import subprocess
import sys
import threading
import time
from collections import deque
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from tests.unit.predict.test_tune import predicted

import hotloop
from hotloop.app.emulate.compiled import UnbuiltError, made
from hotloop.app.predict import abreast, crew, kept
from hotloop.app.predict.bench import bench
from hotloop.app.predict.crew import UnfinishedError, digest_of, written
from hotloop.app.predict.helper import loaded
from hotloop.app.predict.kept import Kept, beside_store, key_of
from hotloop.app.spec import parse
from hotloop.errors import MissingExtraError, UsageError
from hotloop.host import deadline
from hotloop.host.settings import STORE
from hotloop.model.dtype import dtype_of
from hotloop.model.kernel import Empty
from hotloop.model.outcome import CompileFailed, Crashed, TimedOut
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.predict.ranking import Ranked
from hotloop.targets.target import Target


class Counting:
    """A search over numbers that keeps what it is told."""

    def __init__(self, most):
        self.waiting, self.told = deque(range(most)), []

    def ask(self):
        return self.waiting.popleft() if self.waiting else None

    def tell(self, config, call_ns):
        self.told.append((config, call_ns))


class Bench:
    """Predicts numbers; odd ones cannot be."""

    crew = None

    def staffed(self, limit_s):
        return SimpleNamespace(close=lambda: None, end_s=limit_s)

    def candidate(self, config):
        return Ranked(config=config, prediction=None if config % 2 else predicted(1e5 + config))


def test_a_search_is_told_in_the_order_of_its_questions():
    search = Counting(9)
    made = [one.config for one in abreast.told(Bench(), search, lambda: True, 1.0)]
    assert made == [config for config, _ in search.told] == list(range(9))
    assert [ns is None for _, ns in search.told] == [bool(n % 2) for n in range(9)]


def test_the_first_one_is_predicted_even_without_time():
    search = Counting(9)
    assert [one.config for one in abreast.told(Bench(), search, lambda: False, 1.0)] == [0]


def test_the_first_one_may_take_longer_and_goes_alone():
    bench, limits = Bench(), []
    crew = SimpleNamespace(close=lambda: None, end_s=1e9, limit_s=None)
    bench.staffed = lambda limit_s: (setattr(crew, "limit_s", limit_s), crew)[1]
    bench.candidate = lambda config: limits.append(crew.limit_s) or Ranked(config=config, prediction=predicted(1e5))
    assert len([*abreast.told(bench, Counting(4), lambda: True, 1.0, 9.0)]) == 4
    assert limits == [9.0, 1.0, 1.0, 1.0]


def test_an_answer_is_kept_and_what_is_no_answer_is_none(tmp_path):
    kept, foreseen = Kept(tmp_path / "predicted"), predicted(1e5)
    key = key_of("a program", "inputs")
    assert key != key_of("another program", "inputs")
    assert kept.get(key) is None
    kept.put(key, foreseen)
    assert kept.get(key) == foreseen
    next(tmp_path.rglob("*.json")).write_text('{"sequel": {"lab')
    assert kept.get(key) is None
    kept.put(key, "it does not compile")
    assert kept.get(key) == "it does not compile"


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path):
    (tmp_path / "predicted").write_text("a file")
    kept = Kept(tmp_path / "predicted")
    kept.put("ab", "no")
    assert kept.get("ab") is None


def test_predictions_lie_beside_the_store(monkeypatch, tmp_path):
    monkeypatch.setenv(STORE.name, str(tmp_path / "mine.sqlite"))
    assert beside_store().folder == tmp_path / "predicted"
    monkeypatch.setenv(STORE.name, "sqlite://")
    assert beside_store() is None


def test_inputs_come_to_another_process_as_they_are(tmp_path):
    inputs = {
        "x": np.arange(6, dtype=np.float32).reshape(2, 3).T,
        "b": np.arange(5).astype(dtype_of("bfloat16")),
        "none": np.zeros((0, 3)),
        "y": Empty((4,), "float16"),
        "n": 3,
        "alpha": 0.5,
    }
    written(inputs, tmp_path)
    found = loaded(tmp_path)
    assert digest_of(found) == digest_of(inputs)
    assert {n: v.dtype for n, v in found.items() if n in "xb"} == {n: inputs[n].dtype for n in "xb"}
    assert (found["n"], found["alpha"], found["y"]) == (3, 0.5, inputs["y"])
    assert digest_of(inputs | {"x": inputs["x"] + 1}) != digest_of(inputs)


@pytest.fixture
def small(monkeypatch, tmp_path):
    monkeypatch.setenv(STORE.name, str(tmp_path / "store.sqlite"))
    spec = parse("reduction")
    problem = Problem("reduction", Record({**spec.kernel.problem.sizes, "rows": 8, "columns": 64}))
    return lambda: bench(spec.kernel, spec.chosen, problem, "gfx942", kept=beside_store()), spec.chosen.start


def test_a_process_predicts_what_this_one_does_and_the_second_time_none_is_needed(small):
    made, start = small
    first = made()
    first.kept = None
    alone = first.candidate(start)
    second = made()
    crew = second.staffed(30.0)
    try:
        apart = second.candidate(start)
    finally:
        crew.close()
    assert apart == alone
    assert apart.prediction is not None
    third = made()
    third.staffed(30.0)
    assert third.candidate(start) == alone
    assert not third.crew._all


def test_what_takes_too_long_or_dies_ends_one_prediction(small):
    made, start = small
    one = made()
    crew = one.staffed(1e-3)
    try:
        late = one.candidate(start)
        assert late.prediction is None
        assert "processor time" in late.why_not
        (child,) = crew._all
        crew.limit_s = 30.0
        assert one.candidate(start).prediction is not None
        assert crew._all == [child]
        os.kill(child.pid, 9)
        with pytest.raises(UnfinishedError, match="ended"):
            crew.predict(one._program(start))
        assert not crew._all
    finally:
        crew.close()
    with pytest.raises(UnfinishedError, match="over"):
        crew.predict(one._program(start))


def test_refusals_are_sentences_and_kept(small, monkeypatch):
    made, start = small
    one = made()
    monkeypatch.setattr(type(one), "_made", lambda *_: (_ for _ in ()).throw(UsageError("it does not compile")))
    assert one.candidate(start).why_not == "it does not compile"
    two = made()
    monkeypatch.setattr(type(one), "_made", lambda *_: pytest.fail("asked again"))
    assert two.candidate(start).why_not == "it does not compile"


def test_a_users_function_that_never_returns_ends_in_its_time():
    bench, went = Bench(), []

    def candidate(config):
        try:
            with deadline.within(0.1):
                end_s = time.monotonic() + 5.0
                while time.monotonic() < end_s:
                    time.sleep(0.01)
            went.append("on")
        except deadline.OverdueError:
            went.append("overdue")
        return Ranked(config=config, prediction=None, why_not="")

    bench.candidate = candidate
    assert len([*abreast.told(bench, Counting(1), lambda: True, 1.0)]) == 1
    assert went == ["overdue"]
    search = abreast.told(bench, Counting(2), lambda: True, 1.0)
    next(search)
    search.close()  # as Ctrl-C does
    assert went == ["overdue"] * 3


def test_who_is_still_at_work_when_the_time_is_over_gets_the_time_of_one_prediction():
    made, closed, end_s = Bench(), threading.Event(), time.monotonic() + 0.1
    staff = SimpleNamespace(close=closed.set, end_s=float("inf"), limit_s=0.1)
    made.staffed = lambda _: staff
    made.candidate = lambda config: Ranked(config=config, prediction=None, why_not=str(config and closed.wait(10.0)))
    began_s = time.monotonic()
    told = [*abreast.told(made, Counting(2), lambda: time.monotonic() < end_s, 0.1)]
    assert [one.why_not for one in told] == ["0", "True"]
    assert time.monotonic() - began_s < 5.0


@pytest.mark.parametrize(
    ("result", "kind"),
    [(TimedOut("build", 1.0), UnbuiltError), (Crashed("build", 9), UnbuiltError), (CompileFailed("no"), UsageError)],
)
def test_a_compiler_that_was_cut_short_is_asked_again(small, monkeypatch, result, kind):
    begun, start = small
    one = begun()
    with pytest.raises(kind) as told:
        made(result, "k.cl", Target.parse("gfx942"))
    assert type(told.value) is kind
    monkeypatch.setattr(type(one), "_made", lambda *_: made(result, "k.cl", one.target))
    assert one.candidate(start).prediction is None
    assert bool([*one.kept.folder.rglob("*.json")]) == (kind is UsageError)


def test_an_answer_names_who_asked(small, monkeypatch):
    begun, start = small
    one = begun()
    one.candidate(start)
    two = begun()
    two.implementation = replace(two.implementation, name="twin")
    monkeypatch.setattr(type(one), "_program", lambda *_: program)
    program = one.kernel.implementation(one.implementation.name).plan(one.problem, start, one.device)
    assert two.candidate(start).prediction.label == "twin"


def test_inputs_that_no_disk_takes_are_a_reason(small, monkeypatch):
    begun, start = small
    one = begun()
    one.kept = None
    full = OSError(28, "No space left on device")
    monkeypatch.setattr(crew, "written", lambda *_: (_ for _ in ()).throw(full))
    staff = one.staffed(1.0)
    try:
        assert "No space left on device" in one.candidate(start).why_not
    finally:
        staff.close()


def test_an_answer_that_nests_without_end_is_none(tmp_path):
    place = Kept(tmp_path)
    place.put("abc", "no")
    next(tmp_path.rglob("*.json")).write_text("[" * 200_000)
    assert place.get("abc") is None


def test_an_extra_that_a_process_lacks_is_told_as_one():
    with pytest.raises(
        MissingExtraError, match=r"a compiler needs an optional dependency: pip install 'hotloop\[amd\]'"
    ):
        crew._sequel({"needs": ["a compiler", "amd"]})


NEUTRAL = {
    "app", "app/fresh", "app/hint", "app/imported", "app/patience", "app/spec", "app/userfile", "errors", "host", "host/deadline",
    "host/guardian", "host/process", "host/profiling", "host/scratch", "host/settings", "host/strays", "raised", "registry", "report", "report/plain", "units",
    "verify", "version",
}  # fmt: skip
"""What predictions use and do not follow from: files that are read and written, errors, words."""


def test_all_code_that_decides_what_is_predicted_is_part_of_the_key():
    asked = "import sys, hotloop.app.predict.helper, hotloop.app.emulate.compiled, hotloop.app.predict.answer; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    root, hashed = Path(hotloop.__file__).parent, set()
    for path in kept._texts(root):
        hashed.add(path.relative_to(root).with_suffix("").as_posix().removesuffix("/__init__"))
    loaded_ = {
        name.removeprefix("hotloop.").replace(".", "/") for name in ran.stdout.split() if name.startswith("hotloop.")
    }
    assert loaded_ - hashed - NEUTRAL == set()
