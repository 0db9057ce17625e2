"""How a reader sees a fact."""

import pytest

from hotloop.explain.words import value
from hotloop.metrics.vocabulary import TERMS
from hotloop.model.evidence import Fact, Provenance


@pytest.mark.parametrize(
    ("name", "number", "unit", "shown"),
    [
        ("gpu.local_bytes", 68020.0, "B", "66.4 KiB"),
        ("gpu.hbm_bytes", 1.08e9, "B", "1.01 GiB"),
        ("gpu.duration_ns", 430_600_000.0, "ns", "431 ms"),
        ("gpu.waves", 2_097_152.0, "wave", "2097152 wave"),
        ("gpu.occupancy", 0.336, "1", "0.336"),
    ],
)
def test_amounts_have_units_that_people_read(name, number, unit, shown):
    assert value(Fact(name, number, unit, Provenance.MEASURED)) == shown


@pytest.mark.parametrize("unit", sorted({term.unit for term in TERMS}))
def test_no_unit_is_shown_with_a_power_of_ten(unit):
    for number in (0.0, 1.0, 68020.0, 123_456_789.0):
        assert "e+" not in value(Fact("x", number, unit, Provenance.DERIVED))
