"""The hierarchical roofline: what is drawn, where, and what it says without being seen."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotloop.metrics.levels import BYTES, NAMES, Flat, Slope, levels, of_run
from hotloop.model.device import Ceilings
from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.report.pages.html import run as html
from hotloop.report.plots import hierarchy
from hotloop.report.plots.canvas import NARROW, WIDE
from hotloop.report.view import build

SLOPES = (Slope("lds", 81.7e12, "sheet", True), Slope("l1", 40.9e12, "sheet", True), Slope("l2", 34.4e12, "sheet", True),
          Slope("hbm", 4.1e12, "measured"), Slope("hbm", 5.3e12, "sheet", True))  # fmt: skip
FLATS = (
    Flat("fp16 matrix", 1.3e15, "sheet", True),
    Flat("bf16 matrix", 1.3e15, "sheet", True),
    Flat("fp32 vector", 163e12, "sheet", True),
)
MOVED = {"lds": 6.4e11, "l1": 2.6e10, "l2": 7.7e9, "hbm": 9e8}


def picture(**changes):
    given = {
        "flops": {"fp16 matrix": 1.1e12},
        "moved_bytes": MOVED,
        "duration_ns": 41.8e6,
        "slopes": SLOPES,
        "flats": FLATS,
    }
    return levels(**{**given, **changes})


def svg(found, width=WIDE):
    return ET.fromstring(hierarchy.draw(found, width))


def test_a_launch_is_a_point_at_each_level_at_one_height():
    found = picture()
    assert [point.level for point in found.points] == list(MOVED)
    assert {point.flops_per_s for point in found.points} == {1.1e12 / 41.8e-3}
    assert found.points[3].intensity == pytest.approx(1.1e12 / 9e8)
    assert found.points[3].used == pytest.approx(9e8 / 41.8e-3 / 4.1e12), "the measured roof comes first"
    assert [flat.used for flat in found.flats] == [True, False, False]


@pytest.mark.parametrize("changes", [
    {"flops": {}}, {"flops": {"fp16 matrix": 0.0}}, {"moved_bytes": {}}, {"moved_bytes": {"hbm": 0.0}}, {"duration_ns": 0.0},
    {"slopes": (), "flats": ()},
])  # fmt: skip
def test_without_operations_bytes_time_or_roofs_there_is_no_picture(changes):
    assert picture(**changes) is None


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_the_drawing_has_all_roofs_with_values_on_hover(width):
    drawn = svg(picture(), width)
    titles = [title.text for title in drawn.iter("title")]
    for words in ("device memory: 4.10 TB/s, measured", "device memory: 5.30 TB/s, sheet", "local memory: 81.7 TB/s",
                  "fp16 matrix: 1300 TFLOP/s, sheet; bf16 matrix: 1300 TFLOP/s", "second-level cache: 143 FLOP/B"):  # fmt: skip
        assert any(words in title for title in titles), (words, titles)
    texts = [text.text for text in drawn.iter("text")]
    assert any("fp16, bf16 matrix" in text for text in texts), "two alike ceilings are one line"
    assert any("FLOP per byte" in text for text in texts)
    assert "FLOP/s" in texts
    assert "local memory 1.7 FLOP/B, 18.7 % of its roof" in drawn.attrib["aria-label"]
    dashed = [line for line in drawn.iter("line") if "sheet" in line.attrib.get("class", "")]
    assert len(dashed) == 5, "four slopes of the sheet and the ceiling in use"


def test_marks_tell_levels_by_shape_too():
    groups = {
        g.attrib["class"]: [child.tag for child in g if child.tag != "title"]
        for g in svg(picture()).iter("g")
        if "mark" in g.attrib.get("class", "")
    }
    assert groups == {"mark lds": ["path"], "mark l1": ["rect"], "mark l2": ["path"], "mark hbm": ["circle"]}


def test_the_caption_says_what_was_estimated():
    found = replace(picture(), note="the time is estimated from clocks")
    assert "the time is estimated from clocks" in hierarchy.caption(found)
    assert "dashed roofs are the data sheet's" in hierarchy.caption(found)
    assert "dashed" not in hierarchy.caption(picture(slopes=SLOPES[3:4], flats=()))


positive = st.floats(min_value=1e-3, max_value=1e18, allow_nan=False)


@settings(max_examples=60, deadline=None)
@given(
    flops=positive,
    spent=positive,
    moved=st.dictionaries(st.sampled_from(list(NAMES)), positive, min_size=1),
    slopes=st.lists(st.builds(Slope, st.sampled_from(list(NAMES)), positive, st.just("s"), st.booleans()), max_size=6),
    flats=st.lists(
        st.builds(Flat, st.sampled_from(["a matrix", "b vector"]), positive, st.just("s"), st.booleans()), max_size=4
    ),
    width=st.sampled_from([WIDE, NARROW]),
)
def test_any_values_stay_within_the_drawing(flops, spent, moved, slopes, flats, width):
    found = levels({"a matrix": flops}, moved, spent, slopes, flats)
    if found is None:
        assert not slopes
        assert not flats
        return
    text = hierarchy.draw(found, width)
    assert "nan" not in text
    assert "inf" not in text
    drawn = ET.fromstring(text)
    height = float(drawn.attrib["viewBox"].split()[3])
    for line in drawn.iter("line"):
        assert all(-1 <= float(line.attrib[key]) <= width + 1 for key in ("x1", "x2")), line.attrib
        assert all(-1 <= float(line.attrib[key]) <= height + 1 for key in ("y1", "y2")), line.attrib
    assert len(re.findall(r'class="mark', text)) == len(found.points)


def test_a_run_has_a_picture_where_its_evidence_has_counters():
    ceilings = Ceilings(flops_per_s=60e12, bytes_per_s=4e12, source="measured on this device")
    values = {"gpu.flops": 1e12, "gpu.duration_ns": 3e7, BYTES["hbm"]: 2e10, BYTES["l2"]: 9e10}
    facts = [Fact(name, value, "", Provenance.DERIVED) for name, value in values.items()]
    found = of_run(facts, ceilings)
    assert [point.level for point in found.points] == ["l2", "hbm"]
    assert of_run(facts, None) is None
    assert of_run(facts[1:], ceilings) is None


def test_the_report_of_a_run_draws_it_where_a_step_has_counters(record):
    plain = html.render(build(record))
    assert "by memory level" not in plain
    values = {"gpu.flops": 2e9, "gpu.duration_ns": 3e7, BYTES["hbm"]: 2e7, BYTES["l2"]: 9e7}
    counted = Evidence(tuple(Fact(name, value, "", Provenance.DERIVED) for name, value in values.items()))
    steps = tuple(
        replace(step, evidence=step.evidence.merged(counted)) if step.index == record.winner else step
        for step in record.steps
    )
    drawn = html.render(build(replace(record, steps=steps)))
    assert "Roofline by memory level at 66.7 GFLOP/s" in drawn
    assert drawn.count('class="mark l2"') == 2, "wide and narrow"
