"""How sure a finding is that may be the symptom of a full memory."""

import pytest

from hotloop.diagnose.engine import diagnose, rules
from hotloop.explain.doubt import LOW, confidence
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
