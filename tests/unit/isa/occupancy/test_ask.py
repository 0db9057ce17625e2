"""The use case behind `hotloop occupancy`: cliffs, joint bounds, staircases."""

from dataclasses import replace

import pytest

from hotloop.errors import UsageError
from hotloop.isa.occupancy.ask import Question, ask, staircase, value_of


def cliff(answer, resource, which="cliffs"):
    return next(c for c in getattr(answer, which) if c.resource == resource)


def test_two_registers_too_many_cost_a_quarter_of_the_waves():
    found = cliff(ask(Question(target="gfx942", vgprs=130)), "vgpr")
    assert (found.figure, found.fewer, found.better.figure, found.better.most) == (3, 2, 4, 128)
    assert (found.last, found.worse) == (168, 2)


def test_one_register_too_many_costs_a_fifth():
    found = cliff(ask(Question(target="gfx942", vgprs=97)), "vgpr")
    assert (found.figure, found.fewer, found.better.figure) == (4, 1, 5)


def test_no_register_helps_where_local_memory_limits():
    answer = ask(Question(target="gfx942", vgprs=124, lds_bytes=23 << 10))
    assert answer.occupancy.limiting == ("lds",)
    assert cliff(answer, "vgpr").better is None
    assert (cliff(answer, "lds").fewer, cliff(answer, "lds").better.figure) == (2048, 3)


def test_ties_need_both_to_fall():
    answer = ask(Question(target="gfx950", vgprs=99, lds_bytes=32576))
    assert answer.occupancy.limiting == ("vgprs", "lds")
    assert all(c.better is None for c in answer.cliffs)
    assert answer.together.waves == 5
    bounds = dict(answer.together.bounds)
    assert bounds == {"vgpr": 96, "lds": 32000}
    better = ask(Question(target="gfx950", vgprs=bounds["vgpr"], lds_bytes=bounds["lds"]))
    assert better.occupancy.waves == 5


def test_whole_groups_have_cliffs_of_their_own():
    answer = ask(Question(target="gfx950", vgprs=86, workgroup=1024))
    assert cliff(answer, "vgpr").better.most == 80  # for 6 waves by LLVM's convention
    assert cliff(answer, "vgpr", "group_cliffs").better.most == 64  # for a second group of 16 waves


def test_nvidia_has_registers_and_shared_memory():
    answer = ask(Question(target="sm_90", vgprs=168, lds_bytes=100 << 10, workgroup=384))
    assert {c.resource for c in answer.cliffs} == {"vgpr", "lds"}
    assert (cliff(answer, "vgpr").better.most, cliff(answer, "vgpr").worse) == (80, 0)
    assert answer.group_cliffs == ()


def test_staircases():
    question = Question(target="gfx942", vgprs=124)
    assert [(s.figure, s.most) for s in staircase(question, "vgpr")][:3] == [(8, 64), (7, 72), (6, 80)]
    assert staircase(question, "sgpr")[0].figure == 4
    assert staircase(replace(question, vgprs=64), "agpr")[0].most == 0
    with pytest.raises(UsageError, match="agpr never limits on gfx1100"):
        staircase(Question(target="gfx1100", vgprs=3), "agpr")


def test_dynamic_memory_belongs_to_the_resource():
    assert value_of(Question(target="gfx942", vgprs=1, lds_bytes=10, dynamic_lds_bytes=5), "lds") == 15


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"target": "sm_90", "agprs": 4}, "for AMD targets"),
        ({"target": "sm_90", "wave": 64}, "warps of 32"),
        ({"target": "sm_90", "workgroup_min": 64}, "one number"),
        ({"target": "gfx942", "barriers": 4}, "for NVIDIA targets"),
    ],
)
def test_options_of_the_other_vendor_are_refused(options, words):
    with pytest.raises(UsageError, match=words):
        ask(Question(vgprs=32, **options))


def test_json_has_everything_with_sources():
    data = ask(Question(target="gfx942", vgprs=130)).as_json()
    assert (data["waves"], data["limiting"], data["launches"]) == (3, ("vgprs",), True)
    assert data["cliffs"][0]["fewer"] == 2
    assert all(fact["source"] for fact in data["facts"])
