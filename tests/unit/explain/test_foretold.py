"""A prediction beside measured facts: the table, the verdict, and what is blamed."""

from tests.unit.predict.test_model import CARD, NOTHING, flow, work

from hotloop.explain.foretold import foretold
from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.predict.model import predict

FOUND = predict(work(304 * 8), flow(1e9), NOTHING, CARD)


def facts(**values):
    named = {name.replace("_", ".", 1): value for name, value in values.items()}
    return Evidence(tuple(Fact(n, v, Provenance.MEASURED, "a profile") for n, v in named.items()))


def test_amounts_that_agree_leave_rates_to_blame():
    slow = 20 * (FOUND.time_ns - FOUND.launch_ns)
    told = foretold(
        FOUND, facts(gpu_duration_ns=slow, gpu_waves=FOUND.waves, gpu_insts_per_wave=FOUND.wave_instructions)
    )
    assert "outside the interval" in told.notes[0]
    assert "rates or overlap" in told.notes[0]
    assert told.table.rows[1].cells[3] == "1.00"


def test_amounts_that_differ_are_blamed_first():
    told = foretold(FOUND, facts(gpu_duration_ns=FOUND.time_ns - FOUND.launch_ns, gpu_waves=3 * FOUND.waves))
    assert "its amounts differ" in told.notes[0]
    assert any("prediction of waves is off by a factor 3.00" in note for note in told.notes)


def test_what_was_not_counted_is_not_zero():
    told = foretold(FOUND, facts(gpu_duration_ns=FOUND.time_ns - FOUND.launch_ns))
    assert [row.cells[2] for row in told.table.rows[1:]] == ["not counted"] * 6
    assert len(told.notes) == 1
