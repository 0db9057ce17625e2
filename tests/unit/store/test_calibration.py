from __future__ import annotations

from hotloop.model.finding import Gain
from hotloop.store import Calibration

ROW = Calibration(
    technique="vectorize",
    rule="narrow_vectors",
    target="x86-64-avx2",
    predicted=Gain(1.2, 3.0),
    measured=2.5,
    verdict="FASTER",
    created="2030-01-01T00:00:00+00:00",
)


def test_predictions_come_back_oldest_first_and_once(store):
    refused = Calibration(
        technique="unroll",
        rule="",
        target="gfx942",
        predicted=Gain(0.9, 1.1),
        measured=None,
        verdict="REFUSED",
        created="x",
    )
    for row in (ROW, refused, ROW):
        store.add_calibration(row)
    assert store.calibration() == (ROW, refused)
    assert store.calibration(technique="vectorize") == (ROW,)
    assert store.calibration(target="gfx942", rule="") == (refused,)
    assert store.calibration(technique="vectorize", target="gfx942") == ()


def test_the_same_prediction_in_two_runs_counts_twice(store):
    for _ in range(2):
        run = store.begin_run("optimize", "{}", "t")
        store.add_calibration(
            Calibration(
                technique="unroll",
                rule="",
                target="t",
                predicted=Gain(1, 2),
                measured=1.5,
                verdict="FASTER",
                run=run.id,
            )
        )
    assert len(store.calibration(technique="unroll")) == 2
