"""The JSON form is plain, complete and strict."""

from __future__ import annotations

import dataclasses
import json

from hotloop.model.problem import Work
from hotloop.report.run import json as report_json
from hotloop.report.view import build


def test_it_is_json_and_has_the_numbers(record):
    data = report_json.render(build(record))
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert data["headline"]["speedup"]["basis"] == "chained"
    assert data["steps"][8]["failure"].startswith("does not compile at line 41")
    assert data["steps"][1]["facts"][0]["provenance"] == "measured"
    assert data["roofline"]["points"][0]["role"] == "baseline"
    assert data["search"]["curve"][0] == [0, 27.1e6]


def test_infinite_numbers_are_null(record):
    steps = tuple(
        dataclasses.replace(s, comparison=dataclasses.replace(s.comparison, high=float("inf"))) if s.comparison else s
        for s in record.steps
    )
    data = report_json.render(build(dataclasses.replace(record, steps=steps, work=Work(flops=1.0, bytes=0.0))))
    assert data["steps"][1]["measured"]["high"] is None
    json.dumps(data, allow_nan=False)
