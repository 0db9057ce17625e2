"""How sure a verdict is of counts whose events shared a hardware counter with others, in every form that tells the share."""

import pytest

from hotloop.app.explain.answer import Request, explain

SLOTS = {"topdown-retiring": 12, "topdown-bad-spec": 3, "topdown-fe-bound": 9, "topdown-be-bound": 36}
NODES = {"Frontend_Bound": 15.0, "Bad_Speculation": 5.0, "Backend_Bound": 60.0, "Retiring": 20.0}


def printed(percent):
    rows = "".join(f"    {n:>3},000,000,000      {event}   ({percent:.2f}%)\n" for event, n in SLOTS.items())
    return f" Performance counter stats for './a':\n\n{rows}\n       2.500000000 seconds time elapsed\n"


def separated(percent):
    return "".join(f"{n}000000000,,{event},2500000,{percent:.2f},,\n" for event, n in SLOTS.items())


def lines_of_json(percent):
    row = '{{"counter-value" : "{}000000000.0", "unit" : "", "event" : "{}", "event-runtime" : 25, "pcnt-running" : {:.2f}}}\n'
    return "".join(row.format(n, event, percent) for event, n in SLOTS.items())


def metrics(percent):
    names = {"backend_bound": 60.0, "frontend_bound": 15.0, "bad_speculation": 5.0, "retiring": 20.0}
    rows = "".join(
        f"   6,000,000,000  SLOTS  # {n:7.1f} %  tma_{name}  ({percent:.2f}%)\n" for name, n in names.items()
    )
    return f" Performance counter stats for './a':\n\n{rows}\n       2.500000000 seconds time elapsed\n"


def nodes(percent):
    return "".join(f"BE   {name:40} % Slots   {n:10.1f}   [{percent:5.1f}%]\n" for name, n in NODES.items())


def columns(percent):
    head = "CPUs,Area,Value,Unit,Description,Sample,Stddev,Multiplex,Bottleneck,Idle\n"
    return head + "".join(f"C0,{name},{n},% Slots,,,0.0,{percent:.1f},,\n" for name, n in NODES.items())


@pytest.mark.parametrize("form", [printed, separated, lines_of_json, metrics, nodes, columns])
def test_confidence_falls_with_the_share_of_the_run_that_was_counted(form, tmp_path):
    """Five per cent counted were told as surely as the whole run."""
    words = {}
    for percent in (100, 96, 60, 26, 20, 5, 0.4):
        path = tmp_path / f"{percent}.txt"
        path.write_text(form(percent))
        first = explain(Request(inputs=(str(path),))).findings[0]
        assert first.rule == "backend-bound"
        words[percent] = first.confidence
        assert ("extrapolated" in " ".join(first.doubts)) is (percent < 95)
    assert words == {100: "high", 96: "high", 60: "medium", 26: "medium", 20: "low", 5: "low", 0.4: "low"}
