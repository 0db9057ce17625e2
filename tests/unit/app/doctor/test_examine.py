"""What `hotloop doctor` says of the processor."""

from __future__ import annotations

from dataclasses import replace

from hotloop.app.doctor import examine
from hotloop.devices import detect


def test_one_core_is_one_core_and_what_keeps_the_others_away_is_told(monkeypatch):
    here = replace(detect.detect(), name="EPYC", cores=1, cores_note="control group quota of 1 processors")
    monkeypatch.setattr(detect, "detect", lambda: here)
    assert ", 1 core (control group quota of 1 processors); OpenBLAS" in examine._processor().detail
