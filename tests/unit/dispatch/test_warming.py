"""`ops.warm` and glances at a first call: rivals are verified, timed beside PyTorch, remembered; what is wrong, slower or unclear never runs."""

from __future__ import annotations

import itertools
import json
import threading
from dataclasses import replace
from typing import NamedTuple

import pytest

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.filterwarnings("ignore")

from hotloop import ops  # noqa: E402
from hotloop.dispatch import glance, measured, remembered, warming, watching  # noqa: E402
from hotloop.dispatch.choice import Candidate, Origin  # noqa: E402
from hotloop.dispatch.measured import Measured  # noqa: E402
from hotloop.dispatch.operator import Operator  # noqa: E402
from hotloop.dispatch.select import PEER, Asked, own, select  # noqa: E402
from hotloop.errors import BadArrayError, StoreError, UnknownNameError  # noqa: E402
from hotloop.model.device import Device  # noqa: E402
from hotloop.model.problem import Problem  # noqa: E402
from hotloop.model.record import Record  # noqa: E402
from hotloop.model.space import Config  # noqa: E402
from hotloop.ops import kept  # noqa: E402

DEVICE = Device(name="Fake", kind="gpu", backend="torch", runtime="Fake 1", runtime_key="fake")
ASKED = Asked(problem=Problem("doubled", Record(n=5)), device=DEVICE, function="torch.add")
TIMES = {
    PEER: 100.0,
    "fast": 50.0,
    "slow": 130.0,
    "near": 99.5,
    "wrong": 10.0,
    "far": 10.0,
    "broken": 10.0,
    "brief": 84.0,
    "lasting": 86.0,
}
LONG = {"brief": 105.0, "lasting": 91.0}
"""Where graphs of many calls show others."""
RAN: list[str] = []


class Call(NamedTuple):
    x: torch.Tensor


def chosen(kernels):
    tried = [
        Candidate(origin=Origin.START, implementation=one, config=Config(a=1), sizes=Record(), source=one)
        for one in kernels
    ]
    return tuple(select(ASKED, (), one, lambda each: each.config) for one in tried)


class Doubled(Operator):
    """Adds a tensor to itself; its kernels are numbers of TIMES."""

    arguments = Call
    operands = 1
    kernels: tuple[str, ...] = ()

    def check(self, call):
        pass

    def described(self, call, *, gradient):
        return ("doubled", tuple(call.x.shape), gradient)

    def function(self, described):
        return "torch.add"

    foreseen: tuple[str, ...] = ()

    def choose(self, described, like):
        return own(ASKED, "nobody measured")

    def unsure(self, described, like, usual):
        return chosen(self.foreseen)

    def alternatives(self, described, like):
        return chosen(self.kernels)

    def program(self, call, choice):
        raise NotImplementedError

    def arrays(self, call, made):
        raise NotImplementedError

    def fake(self, call):
        return torch.empty_like(call.x)

    def own(self, call):
        RAN.append(PEER)
        return call.x + call.x

    def run(self, call, answer, made=None):
        RAN.append(answer.choice.implementation)
        if answer.choice.implementation == "broken":
            from hotloop.ports import BuildError

            raise BuildError("error: no such instruction\nmore")
        return call.x * {"wrong": 2.02, "far": 2.1}.get(answer.choice.implementation, 2)


DOUBLED = Doubled("tests_doubled", "(Tensor x) -> Tensor")


class Table:
    """Gives each rival the time that stands in TIMES, and noise."""

    def __init__(self, noise=0.001):
        self._noise = itertools.cycle((-noise, noise, 0.0, 2 * noise, -2 * noise))

    def timed(self, run, *, long=False):
        run()
        name = RAN[-1]
        return lambda: (LONG if long else {}).get(name, TIMES[name]) * (1 + next(self._noise))


@pytest.fixture(autouse=True)
def fresh(tmp_path, monkeypatch):
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "store.sqlite"))
    monkeypatch.setattr(measured, "_keepers", [kept])
    for forget in (measured.forget, remembered.forget):
        forget()
    yield
    for forget in (measured.forget, remembered.forget):
        forget()


def warmed(*kernels, noise=0.001):
    DOUBLED.kernels = kernels
    return warming.warm(DOUBLED, Call(torch.arange(5.0)), Table(noise))


def runs():
    RAN.clear()
    assert torch.equal(DOUBLED(Call(torch.arange(5.0))), 2 * torch.arange(5.0))
    return RAN[-1]


def test_the_fastest_right_kernel_runs_from_then_on_in_other_processes_too():
    assert runs() == PEER
    made = warmed("slow", "wrong", "fast", "broken")
    assert made.runs == "fast"
    assert "2.00 times PyTorch's speed" in made.source
    assert "its largest error" in made.refused["wrong a=1"]
    assert "no such instruction" in made.refused["broken a=1"]
    assert runs() == "fast"
    measured.forget()  # what another process would know
    remembered.forget()
    assert runs() == "fast"
    choice = DOUBLED.explain(Call(torch.arange(5.0)))
    assert (choice.origin, choice.exact) == (Origin.STORE, True)
    assert "ops.warm" in choice.source


@pytest.mark.parametrize(
    ("kernels", "said"),
    [(("slow",), "1.30 times as long"), (("near",), "is SAME"), (("wrong", "broken"), "none of 2 kernels is right")],
)
def test_otherwise_pytorch_runs_and_that_is_remembered(kernels, said):
    made = warmed(*kernels)
    assert made.runs == PEER
    assert said in made.source
    RAN.clear()
    assert warmed("fast").runs == PEER  # not measured again
    assert not RAN
    assert runs() == PEER


def test_what_cannot_be_told_stays_pytorchs():
    assert warmed("near", noise=0.3).runs == PEER


def test_another_shape_is_another_measurement():
    warmed("fast")
    RAN.clear()
    DOUBLED(Call(torch.arange(6.0)))
    assert RAN == [PEER]


def test_without_rivals_nothing_is_measured():
    made = warmed()
    assert (made.runs, made.times_ns) == (PEER, {})
    assert "nothing to compare" in made.source


def test_tf32_is_off_for_references_and_its_flags_are_as_before():
    from hotloop.dispatch import arguments

    matmul = torch.backends.cuda.matmul
    if not hasattr(matmul, "fp32_precision"):
        pytest.skip("this PyTorch has the older names alone")
    before = matmul.fp32_precision
    matmul.fp32_precision = "tf32"
    try:
        assert arguments.fast32()
        with warming._in_full():
            assert matmul.fp32_precision == "ieee"
            assert not arguments.fast32()
        assert arguments.fast32()
    finally:
        matmul.fp32_precision = before


def test_lines_that_are_no_measurements_are_left_out(caplog):
    kept.write("a", Measured("fast", Config(b=2), "said"))
    path = kept.path()
    path.write_text(path.read_text() + "{\n" + json.dumps({"key": 1}) + "\n")
    with caplog.at_level("WARNING", logger="hotloop.ops"):
        assert kept.read() == {"a": Measured("fast", Config(b=2), "said")}
    assert len(caplog.records) == 2


def test_a_file_that_cannot_be_written_is_said(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOTLOOP_STORE", str(tmp_path / "file" / "store.sqlite"))
    with pytest.raises(StoreError, match="this process remembers it"):
        kept.write("a", Measured("fast", Config(), "said"))


def test_names_models_and_functions_are_taken_and_nothing_else():
    x = torch.randn(3, 7)
    (made,) = ops.warm("softmax", x).results
    assert (made.name, made.runs) == ("softmax", PEER)
    assert ops.warm(lambda given: given + 1, x, background=True).results == []
    assert not watching.FORMS
    with pytest.raises(UnknownNameError):
        ops.warm("sofmax", x)
    with pytest.raises(BadArrayError, match="cannot be called"):
        ops.warm(3)


@pytest.fixture
def glanced(monkeypatch):
    """Return what runs after a first call that could be measured, unsure of some kernels."""

    def run(*kernels):
        def settled(operator, call, choice):
            return glance.fastest(operator, call, choice, Table())

        monkeypatch.setattr(Doubled, "foreseen", kernels)
        monkeypatch.setattr(glance, "settled", settled)
        x = torch.arange(5.0)
        assert torch.equal(DOUBLED(Call(x)), 2 * x)
        RAN.clear()
        assert torch.equal(DOUBLED(Call(x)), 2 * x)
        assert len(RAN) == 1  # a second call is not measured
        return DOUBLED.explain(Call(x))

    return run


@pytest.mark.parametrize(
    ("kernels", "runs", "said"),
    [
        (("slow", "fast"), "fast", "2.00 of PyTorch's speed"),
        (("slow",), PEER, "1.30 times as long"),
        (("near",), PEER, "took 0.99 times as long"),
        (("far", "broken"), PEER, "no kernel that might be faster is right here"),
        (("far", "fast"), "fast", "2.00 of PyTorch's speed"),
        (("brief",), PEER, "took 1.05 times as long"),  # faster in short graphs only
        (("brief", "lasting"), "lasting", "1.10 of PyTorch's speed"),
    ],
)
def test_a_first_call_shows_what_is_fastest(glanced, kernels, runs, said):
    choice = glanced(*kernels)
    assert (choice.implementation, RAN, choice.unsure) == (runs, [runs], ())
    assert said in choice.source


def test_kernels_of_a_first_call_are_compiled_side_by_side_and_may_fail(glanced, monkeypatch):
    RAN.clear()
    both, made = threading.Barrier(2), []

    def prepare(_operator, _call, answer):
        both.wait(60)  # one that waited for the other would end here
        made.append((answer.choice.implementation, torch.is_grad_enabled(), list(RAN)))
        raise RuntimeError("no compiler")

    monkeypatch.setattr(Doubled, "prepare", prepare)
    assert glanced("slow", "fast").implementation == "fast"
    assert sorted(made) == [("fast", False, [PEER]), ("slow", False, [PEER])]


def test_kernels_are_glanced_at_once_for_calls_that_differ_in_what_decides_nothing(glanced):
    assert glanced("fast").implementation == "fast"
    RAN.clear()
    apart = torch.arange(10.0)[::2].clone().as_strided((5,), (1,))
    assert torch.equal(DOUBLED(Call(apart)), 2 * apart)
    other = torch.zeros(20)[1:6]  # another alignment: another key, the same form
    DOUBLED(Call(other))
    assert RAN == ["fast", "fast"]


@pytest.mark.parametrize("kernel", ["slow", "fast"])
def test_what_cannot_be_glanced_at_runs_as_foreseen(monkeypatch, kernel):
    def settled(operator, call, choice):
        choice = replace(chosen((kernel,))[0], unsure=chosen((kernel,)))
        return real(operator, call, choice)

    real = glance.settled
    monkeypatch.setattr(Doubled, "foreseen", (kernel,))
    monkeypatch.setattr(glance, "settled", settled)
    assert runs() == kernel  # on the processor nothing is measured
    assert DOUBLED.explain(Call(torch.arange(5.0))).implementation == kernel


def test_a_kernel_runs_unmeasured_where_pytorch_cannot_compute_the_call(monkeypatch):
    def refused(_operator, _call):
        raise RuntimeError("not implemented for these strides")

    monkeypatch.setattr(Doubled, "peer", refused)
    choice = replace(chosen(("fast",))[0], unsure=chosen(("fast",)))
    kept = glance.fastest(DOUBLED, Call(torch.arange(5.0)), choice, Table())
    assert (kept.choice, kept.measured) == (replace(choice, unsure=()), False)


def test_a_captured_call_is_not_measured_and_a_later_one_is(glanced, monkeypatch):
    monkeypatch.setattr(Doubled, "foreseen", ("fast",))
    monkeypatch.setattr(glance, "settled", lambda *_: None)
    assert [runs(), runs()] == [PEER, PEER]
    assert DOUBLED.explain(Call(torch.arange(5.0))).unsure
    assert glanced("fast").implementation == "fast"


def test_programs_whose_shapes_never_repeat_are_not_measured_for_ever():
    allowance = glance.Allowance(at_once_s=1.0, share=0.03)
    assert allowance.left()
    allowance.spent_s = 1.5
    assert not allowance.left()
    allowance.began_s -= 60.0
    assert allowance.left()
