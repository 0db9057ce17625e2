import pytest

from hotloop.targets import data
from hotloop.targets.cpus import of_machine
from hotloop.targets.target import Target


def test_there_are_enough_facts():
    rows = [fact for name in data.names("cpu") for fact in Target(name).facts]
    assert len(rows) >= 12
    assert [fact for fact in rows if isinstance(fact.value, int) and fact.value <= 0] == []
    assert [name for name in data.names("cpu") if not Target.of(name).cpu] == [], "the first [[trait]] of cpu.toml"


@pytest.mark.parametrize(
    ("name", "bits", "registers"),
    [
        ("x86-64", 128, 16),
        ("x86-64-avx2", 256, 16),
        ("x86-64-avx512", 512, 32),
        ("aarch64", 128, 32),
        ("ppc64le", 128, 64),
    ],
)
def test_register_files(name, bits, registers):
    target = Target.of(name)
    assert (target.cpu, target.number("vector_bits"), target.number("vector_registers")) == (True, bits, registers)


def test_an_unknown_fact_is_absent_and_so_is_all_of_an_unknown_target():
    assert Target.of("aarch64").number("fma_units") is None
    assert Target.of("z80").facts == ()
    assert of_machine("z80", frozenset()) == ""


def test_machines_without_flags():
    assert [of_machine(name, frozenset()) for name in ("ppc64le", "arm64", "amd64")] == ["ppc64le", "aarch64", "x86-64"]
