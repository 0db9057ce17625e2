"""How sure a finding is that may be the symptom of a full memory."""

import pytest

from hotloop.diagnose.engine import diagnose, rules
from hotloop.explain.doubt import LOW, confidence
from hotloop.metrics.catalogue import derived
from hotloop.metrics.counters import Counts
from hotloop.model.evidence import Evidence, Fact, Provenance

CACHES = {"gpu.l2_utilization": 0.45, "gpu.l1_utilization": 0.3}
UNITS = {"gpu.valu_utilization": 0.1, "gpu.issue_utilization": 0.1, "gpu.unit_utilization": 0.2}


@pytest.mark.parametrize(
    ("rule", "facts"),
    [
        ("exposed-global-latency", {"gpu.global_wait_share": 0.8, **UNITS}),
        ("barrier-stalls", {"gpu.barrier_wait_share": 0.5, **UNITS}),
        ("low-matrix-utilisation", {"gpu.matrix_utilization": 0.2}),
        ("occupancy-limited", {"gpu.occupancy": 0.2, "gpu.occupancy_limit": 0.25, "gpu.global_wait_share": 0.8}),
    ],
)
def test_waiting_is_a_guess_where_device_memory_was_not_counted_though_its_caches_were(rule, facts):
    """Drawn: a kernel at 88 % of device memory's peak whose page lacked that line; the caches before it were half full."""

    def words(**more):
        known = {**facts, **CACHES, **more}
        evidence = Evidence(tuple(Fact(n, v, "1", Provenance.MEASURED, "page") for n, v in known.items()))
        finding = next(finding for finding in diagnose(evidence).findings if finding.rule == rule)
        return confidence(finding, next(row for row in rules() if row.name == rule), evidence, "sm_80")

    assert words().word == LOW
    assert "it may be the symptom of another limit: gpu.hbm_utilization is not known" in words().doubts
    assert words(**{"gpu.hbm_utilization": 0.2}).word != LOW


@pytest.mark.parametrize(("upper", "doubted"), [(True, True), (False, False)])
def test_what_is_an_upper_bound_is_said_by_the_fact_and_not_by_its_sentence(upper, doubted):
    fact = Fact("gpu.global_wait_share", 0.8, "1", Provenance.DERIVED, "at most an upper bound", upper)
    evidence = Evidence((fact, *(Fact(n, v, "1", Provenance.MEASURED) for n, v in UNITS.items())))
    finding = next(f for f in diagnose(evidence).findings if f.rule == "exposed-global-latency")
    found = confidence(finding, next(row for row in rules() if row.name == finding.rule), evidence, "sm_80")
    assert ("gpu.global_wait_share is an upper bound" in found.doubts) is doubted


def test_metrics_hand_on_that_their_values_are_upper_bounds():
    values = {"SQ_WAIT_ANY": 80.0, "SQ_WAIT_INST_LDS": 10.0, "SQ_WAVE_CYCLES": 100.0}
    found = derived(Counts(architecture="gfx942", values=values))
    assert [fact.name for fact in found.facts if fact.upper] == ["gpu.global_wait_share"]
