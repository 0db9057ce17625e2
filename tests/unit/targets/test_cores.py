import pytest

from hotloop.errors import UnknownNameError
from hotloop.targets.cores import target, targets


def test_every_number_has_a_unit_and_a_source():
    rows = [(t.name, name, datum) for t in targets() for name, datum in t.data]
    assert len(rows) >= 12
    assert [row for row in rows if not row[2].unit or len(row[2].source) < 20 or row[2].value <= 0] == []


@pytest.mark.parametrize(
    ("name", "bits", "registers"),
    [("x86-64", 128, 16), ("x86-64-avx2", 256, 16), ("x86-64-avx512", 512, 32), ("aarch64", 128, 32)],
)
def test_register_files(name, bits, registers):
    assert target(name).integer("vector_bits") == bits
    assert target(name).integer("vector_registers") == registers


def test_an_unknown_fact_is_none_and_an_unknown_target_an_error():
    assert target("aarch64").get("fma_units") is None
    with pytest.raises(UnknownNameError, match="x86-64-avx2"):
        target("z80")
    with pytest.raises(UnknownNameError, match="cpu"):
        targets("toaster")
