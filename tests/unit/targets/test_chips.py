import pytest

from hotloop.targets.chips import chips, named, of_target
from hotloop.targets.target import Target

FP16_PER_UNIT = {"gfx908": 1024, "gfx90a": 1024, "gfx942": 2048, "gfx950": 4096, "gfx1100": 512, "gfx1201": 1024,
                 "gfx1101": 512, "gfx1102": 512, "gfx1150": 512, "gfx1151": 512, "gfx1152": 512, "gfx1200": 1024}  # fmt: skip
"""Matrix operations per clock of a compute unit: CDNA white papers, tables of peak rates; RDNA 3 and 4, product pages."""


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("MI210", "gfx90a"), ("MI250X", "gfx90a"), ("MI300X", "gfx942"), ("MI308X", "gfx942"), ("MI325X", "gfx942"), ("MI300A", "gfx942"),
        ("MI350X", "gfx950"), ("MI355X", "gfx950"), ("RX 6700 XT", "gfx1031"), ("RX 6600 XT", "gfx1032"), ("RX 6600", "gfx1032"),
        ("W6600", "gfx1032"), ("RX 7800 XT", "gfx1101"),
    ],
)  # fmt: skip
def test_cards_are_known_by_name(name, target):
    found = named(f"AMD Instinct {name} OAM")
    assert found is not None
    assert (found.name, found.target) == (name, target)
    assert found.source


@pytest.mark.parametrize(
    "target", ["gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1012", "gfx1030", "gfx1100", "gfx1201"]
)
def test_every_fact_of_a_target_names_its_source(target):
    assert Target.named(target).facts
    assert [fact.name for fact in Target.named(target).facts if len(fact.source) < len("LLVM")] == []


@pytest.mark.parametrize("chip", chips(), ids=lambda chip: chip.name)
def test_peak_rates_follow_from_units_and_clock(chip):
    rates = {roof.name: roof.per_second for roof in chip.arithmetic}
    units, clock_hz = chip.machine.compute_units, chip.machine.clock_hz
    if chip.target in FP16_PER_UNIT:
        assert rates["fp16 matrix"] == pytest.approx(units * clock_hz * FP16_PER_UNIT[chip.target], rel=0.015)
    else:  # RDNA 1 and 2 have no matrix unit: 64 lanes multiply and add
        assert rates["fp32 vector"] == pytest.approx(units * clock_hz * 128, rel=0.01)
    assert chip.machine.compute_units % chip.machine.dies == 0
    assert of_target(chip.target) is not None


@pytest.mark.parametrize("chip", chips(), ids=lambda chip: chip.name)
def test_a_name_means_its_own_chip_and_none_whose_name_it_begins_with(chip):
    assert named(f"AMD {chip.name.replace('Radeon', 'Radeon(TM)')} Graphics") is chip


def test_cards_of_another_maker_are_none_of_amds():
    assert named("NVIDIA GeForce GTX 860M") is None
