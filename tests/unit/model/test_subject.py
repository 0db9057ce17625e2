from dataclasses import replace

import pytest

from hotloop.backends.null import DEVICE
from hotloop.errors import BadShapeError
from hotloop.model.kernel import Implementation, Peer, Variant
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Launch, Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Space
from hotloop.model.subject import Subject, key

PROBLEM = Problem("sum", Record(n=4))


def plan(source="kernel", label="VW"):
    def made(problem, config, device):
        if config[label] > 8:
            raise ValueError("too wide")
        launch = Launch("sum", (Array("x"),), (problem.sizes["n"],))
        return Program("null", source, (f"-DVW={config[label]}",), (launch,))

    return made


PLAN, NARROW = plan(), Config(VW=1)


def subject(plan=PLAN, config=NARROW, problem=PROBLEM, device=DEVICE):
    return Subject.of(Variant(Implementation("null", "null", Space(()), Config(), plan), config), problem, device)


START = subject()


def test_the_same_question_has_the_same_key():
    assert subject().key("noise") == START.key("noise")
    assert START.key("noise").split()[0] == "noise"


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(subject(plan("changed")), id="source"),
        pytest.param(subject(config=Config(VW=2)), id="configuration"),
        pytest.param(subject(problem=PROBLEM.replace(n=8)), id="launches"),
        pytest.param(subject(problem=Problem("product", Record(n=4))), id="problem of the same launches"),
        pytest.param(subject(device=replace(DEVICE, driver="2")), id="driver"),
        pytest.param(subject(device=replace(DEVICE, runtime="another compiler")), id="compiler"),
        pytest.param(subject(device=replace(DEVICE, target="sm_90")), id="target"),
    ],
)
def test_whatever_decides_the_answer_makes_another_question(other):
    assert other.key("noise") != START.key("noise")


def test_against_whom_is_part_of_the_question():
    wide = subject(config=Config(VW=2))
    assert len({START.key("step"), START.key("step", wide), wide.key("step", START), wide.key("step")}) == 4


def test_what_is_ruled_out_is_known_by_name_and_configuration():
    ruled_out = subject(config=Config(VW=16))
    assert ruled_out.fingerprint == subject(config=Config(VW=16)).fingerprint
    assert ruled_out.fingerprint != subject(config=Config(VW=32)).fingerprint
    with pytest.raises(ValueError, match="too wide"):
        ruled_out.plan(PROBLEM, DEVICE)


def test_who_asks_for_the_program_hears_what_is_wrong():
    def refuse(problem, config, device):
        raise BadShapeError("n=4 does not fit in memory; choose a smaller shape.")

    with pytest.raises(BadShapeError, match="n=4 does not fit"):
        subject(refuse).plan(PROBLEM, DEVICE)


def test_a_peer_that_has_no_program_for_the_problem_is_known_by_name():
    absent, other = (Subject.peer(Peer(name, lambda p, d: None), PROBLEM, DEVICE) for name in ("BLAS", "cuBLAS"))
    assert absent.label == "BLAS"
    assert absent.key("peer") != other.key("peer")


def test_a_changed_peer_is_another_question():
    old, new = (
        Subject.peer(Peer("BLAS", lambda p, d, text=text: Program("blas", text)), PROBLEM, DEVICE) for text in "ab"
    )
    assert old.key("peer", START) != new.key("peer", START)


def test_what_is_asked_about_a_device_names_the_device():
    assert key("ceilings float32", DEVICE.fingerprint) == f"ceilings float32 {DEVICE.fingerprint}"


def test_a_program_is_planned_when_the_key_is_asked_for_and_once():
    asked = []

    def counting(problem, config, device):
        asked.append(config)
        return PLAN(problem, config, device)

    made = subject(counting)
    assert asked == []
    assert made.key("noise") == made.key("noise")
    assert len(asked) == 1


def test_a_peer_that_spreads_infinities_says_so():
    library = Peer("library", lambda _problem, _device: None, spreads=lambda problem: problem == PROBLEM)
    made = Subject.peer(library, PROBLEM, DEVICE)
    assert made.spreads(PROBLEM)
    assert not START.spreads(PROBLEM)
