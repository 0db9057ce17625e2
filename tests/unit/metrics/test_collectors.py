"""Every collector speaks the vocabulary: its names, its units, a reason for what is missing."""

import pytest

from hotloop.metrics.device import device_facts
from hotloop.metrics.fact import absent, fact
from hotloop.metrics.launch import launch, launch_share
from hotloop.metrics.roofline import roofline
from hotloop.metrics.timing import timing
from hotloop.metrics.vocabulary import BY_NAME, TERMS
from hotloop.model.device import Ceilings, Device
from hotloop.model.evidence import Provenance
from hotloop.model.outcome import Conditions, Measured, Sample
from hotloop.model.problem import Work
from hotloop.model.program import Launch, Program

CPU = Device(name="cpu", kind="cpu", backend="null", runtime="r", runtime_key="null", compute_units=2, vector_bits=256)
CEILINGS = Ceilings(flops_per_s=100e9, bytes_per_s=10e9)
PROGRAM = Program("null", "", launches=(Launch("k", (), (64,), (8,)),))
MEASURED = Measured(samples=(Sample(wall_ns=100.0, calls=2, device_ns=80.0, cpu_ns=150.0),), conditions=Conditions("x"))
NOTHING = Measured(samples=(Sample(wall_ns=100.0, calls=2),), conditions=Conditions("x"))

COLLECTED = {
    "roofline": roofline(Work(1e6, 1e3), CEILINGS, 1e5),
    "roofline without work": roofline(Work(0, 0), CEILINGS, 1e5),
    "roofline without time": roofline(Work(1e6, 1e3), CEILINGS, None),
    "launch": launch(PROGRAM, CPU),
    "launch without local size": launch(Program("null", "", launches=(Launch("k", (), (64,)),)), CPU),
    "no launch": launch(Program("null", ""), CPU),
    "launch share": launch_share(PROGRAM, 10.0, 100.0),
    "launch share without launch time": launch_share(PROGRAM, None, 100.0),
    "timing": timing(MEASURED, {"main": 30.0, "pack": 10.0}, 5.0, 2),
    "timing of nothing else": timing(NOTHING, {}, None),
    "device": device_facts(CPU),
}
FAMILIES = {"work", "roof", "launch", "time", "device"}


@pytest.mark.parametrize("name", sorted(COLLECTED))
def test_names_units_and_reasons(name):
    found = COLLECTED[name]
    assert found.facts or found.absent
    for known in found.facts:
        assert known.unit == BY_NAME[known.name].unit
        assert isinstance(known.value, float)
        assert known.source
    for missing in found.absent:
        assert missing.name in BY_NAME
        assert missing.reason


@pytest.mark.parametrize(
    ("full", "poor"),
    [
        ("roofline", "roofline without work"),
        ("roofline", "roofline without time"),
        ("launch", "launch without local size"),
        ("launch", "no launch"),
        ("launch share", "launch share without launch time"),
        ("timing", "timing of nothing else"),
    ],
)
def test_nothing_is_silently_left_out(full, poor):
    def names(key):
        found = COLLECTED[key]
        return {f.name for f in found.facts} | {a.name for a in found.absent}

    assert names(full) == names(poor)
    assert COLLECTED[poor].absent


def test_the_collectors_together_cover_their_part_of_the_vocabulary():
    given = {f.name for found in COLLECTED.values() for f in found.facts} | {a.name for a in COLLECTED["device"].absent}
    assert given == {term.name for term in TERMS if term.name.partition(".")[0] in FAMILIES}


def test_a_name_outside_the_vocabulary_is_refused():
    with pytest.raises(KeyError):
        fact("roof.invented", 1.0, Provenance.DERIVED)
    with pytest.raises(KeyError):
        absent("roof.invented", "because")


def test_device_facts_leave_unknown_registers_absent():
    found = COLLECTED["device"]
    assert found.get("device.vector_bits") == 256
    assert found.get("device.vector_registers") is None
    assert found.get("device.local_dedicated") == 0
    assert found.get("device.compute_units") == 2
