"""Preconditions: decided only where something is known, and with a reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.model.finding import Finding
from hotloop.targets import data
from hotloop.targets.target import Target
from hotloop.techniques.moves import answering, answers, techniques
from hotloop.techniques.needs import (
    DIRECT_COPY,
    MATRIX_UNIT,
    Place,
    at_least,
    below,
    gpu,
    having,
    local_room,
    register_room,
)

ALL = sorted(data.gpus())


def place(target="", machine=True, **facts) -> Place:
    rows = tuple(Fact(n.replace("_", ".", 1), v, "", Provenance.MEASURED) for n, v in facts.items())
    return Place(target, Evidence(rows), Target.of(target).machine if machine and target else None)


def test_an_unknown_target_forbids_nothing():
    assert having("matrix unit").unmet(Place()) == ""


def test_another_architecture_is_named_with_what_it_lacks():
    need = having("matrix instructions of 16 blocks of 4×4×4")
    assert need.unmet(place("gfx942")) == ""
    assert need.unmet(place("gfx1100")) == (
        "gfx1100 has no matrix instructions of 16 blocks of 4×4×4 (only gfx90a*, gfx94*, gfx95*)"
    )
    assert need.architectures == ("gfx90a", "gfx94", "gfx95")
    assert gpu("lanes").unmet(Place("x86-64-avx512")).startswith("x86-64-avx512 has no lanes")


@pytest.mark.parametrize(("need", "missing", "having"), [
    (MATRIX_UNIT, {"gfx906", "gfx1010", "gfx1012", "gfx1030"}, {"gfx908", "gfx942", "gfx1100", "gfx1201", "sm_75", "sm_90"}),
    (DIRECT_COPY, {"gfx1030", "gfx1100", "gfx1151", "gfx1201", "sm_75"}, {"gfx906", "gfx942", "gfx950", "gfx1012", "sm_80"}),
])  # fmt: skip
def test_processors_without_a_unit(need, missing, having):
    assert missing | having <= set(ALL)
    assert {name for name in missing | having if need.unmet(Place(name))} == missing


def test_facts_are_compared_where_they_are_known():
    assert at_least("gpu.groups", 8, "groups to share out").unmet(place()) == ""
    assert "gpu.groups is 4, below 8" in at_least("gpu.groups", 8, "groups").unmet(place(gpu_groups=4.0))
    busy = below("gpu.matrix_utilization", 0.85, "matrix units that wait")
    assert busy.unmet(place(gpu_matrix_utilization=0.5)) == ""
    assert busy.unmet(place(gpu_matrix_utilization=0.9)).startswith(
        "matrix units that wait: gpu.matrix_utilization is 0.9"
    )


def test_a_second_buffer_must_fit_into_local_memory():
    need = local_room(2)
    assert need.unmet(place("gfx942", gpu_local_bytes=32768.0)) == ""
    assert "more than the 65536 B" in need.unmet(place("gfx942", gpu_local_bytes=40960.0))
    assert need.unmet(place("gfx950", gpu_local_bytes=40960.0)) == "", "gfx950 has 160 KiB"
    assert need.unmet(place("gfx942", machine=False, gpu_local_bytes=40960.0)) == "", "sizes are not known"


def test_registers_must_fit():
    need = register_room(45)
    assert need.unmet(place("gfx942", gpu_vgprs=200.0)) == ""
    assert "the 256 of a work-item on gfx942" in need.unmet(place("gfx942", gpu_vgprs=230.0))
    assert "the 255 of a work-item on sm_90" in need.unmet(place("sm_90", gpu_vgprs=230.0))


def test_an_unmet_precondition_silences_the_technique_in_the_loop():
    technique = techniques()["warp-group-matrix"]
    situation = technique.cases[0].situation(technique.name)
    assert technique.proposals(situation)
    for target in ("sm_80", "gfx942"):
        assert technique.proposals(replace(situation, device=replace(situation.device, target=target))) == ()


def test_techniques_that_name_a_rule_come_after_those_that_it_names():
    finding = Finding(rule="lds-bound", message="", share=0.5, evidence=(), suggests=("swizzle",))
    names = answering(finding)
    assert names[0] == "swizzle"
    assert {"bypass-local", "chain-in-registers", "stagger-waves"} <= set(names[1:])
    assert len(set(names)) == len(names)


def test_a_family_that_carries_a_label_that_no_rule_names_is_moved():
    technique = techniques()["chain-in-registers"]
    situation = technique.cases[0].situation(technique.name)
    asked = replace(situation, finding=Finding(rule="lds-bound", message="m", share=0.5, evidence=(), suggests=()))
    assert [(m.technique, m.change) for m in answers(asked)] == [("chain-in-registers", "P_IN_REGISTERS 0 → 1")]


@pytest.mark.parametrize("name", ["prefetch", "async-copy"])
def test_a_wave_that_loads_once_has_nothing_to_load_ahead(name):
    (why,) = techniques()[name].unmet(place("gfx942", gpu_vmem_per_wave=2.0))
    assert "gpu.vmem_per_wave is 2, below 4" in why
    assert techniques()[name].unmet(place("gfx942", gpu_vmem_per_wave=96.0)) == ()
