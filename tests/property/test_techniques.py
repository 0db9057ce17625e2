"""Whatever the space, the findings and the evidence: moves are valid, new and predicted soberly."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hotloop.diagnose.engine import diagnose, rules
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.model.finding import Finding
from hotloop.model.kernel import Implementation, Variant
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.record import Record
from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.techniques.case import avx512
from hotloop.techniques.menu import rank
from hotloop.techniques.moves import techniques

LABELS = (*techniques(), "", "mine")
SCALARS = st.one_of(
    st.lists(st.integers(0, 64), min_size=1, max_size=4, unique=True).map(lambda v: tuple(sorted(v))),
    st.lists(st.sampled_from(["none", "a", "b", "c"]), min_size=1, max_size=3, unique=True).map(tuple),
    st.just((False, True)),
)


@st.composite
def spaces(draw) -> tuple[Space, Config]:
    """Draw a space with a constraint that its start meets."""
    count = draw(st.integers(1, 4))
    parameters = tuple(
        Parameter(f"P{i}", draw(SCALARS), draw(st.sampled_from(LABELS)), ordinal=draw(st.booleans()))
        for i in range(count)
    )
    start = Config({p.name: draw(st.sampled_from(p.values)) for p in parameters})
    numbers = [p.name for p in parameters if all(isinstance(v, int) for v in p.values)]
    limit = max(sum(int(start[n]) for n in numbers), draw(st.integers(0, 100)))
    at_most = Constraint("sum", lambda c: sum(int(c[n]) for n in numbers) <= limit, tuple(numbers))
    return Space(parameters, (at_most,) if numbers else ()), start


def facts(values: dict[str, float]) -> Evidence:
    return Evidence(tuple(Fact(name, value, "", Provenance.MEASURED) for name, value in values.items()))


EVIDENCE = st.dictionaries(
    st.sampled_from(sorted(BY_NAME)),
    st.floats(0, 1e12) | st.sampled_from([0.0, 0.5, 1.0, 16.0, 512.0]),
    max_size=len(BY_NAME),
).map(facts)


@given(spaces(), EVIDENCE, st.floats(0.01, 1.0), st.lists(st.sampled_from(LABELS[:-2]), max_size=4, unique=True))
@settings(max_examples=150, deadline=None)
def test_moves_are_valid_new_and_sober(drawn, evidence, share, suggests):
    space, start = drawn
    traits = {"config.accumulator_registers": 4.0, "config.working_set_bytes": 1e5}
    kernel = Implementation("i", "null", space, start, lambda _p, _c, _d: Program("null", ""), traits=lambda *_: traits)
    asked = (Finding(rule="r", message="m", share=share, evidence=(), suggests=tuple(suggests)),)
    moves = rank(
        asked, variant=Variant(kernel, start), problem=Problem("p", Record(n=1)), device=avx512(), evidence=evidence
    )
    seen = {start}
    for move in moves:
        config = move.variant.config
        assert space.violation(config) is None
        assert config not in seen
        seen.add(config)
        assert 0 < move.gain.low <= move.gain.high <= 100
        assert move.gain.low < 2, "the low end stays humble"
        assert all(name in move.change for name in start.changes_to(config))


@given(EVIDENCE)
@settings(max_examples=200, deadline=None)
def test_diagnosis_is_total_ranked_and_bounded(evidence):
    diagnosis = diagnose(evidence)
    shares = [finding.share for finding in diagnosis.findings]
    assert shares == sorted(shares, reverse=True)
    limit = 1.0 - min(1.0, evidence.get("roof.fraction") or 0.0)
    assert all(0 < share <= limit + 1e-12 for share in shares)
    spoken = {finding.rule for finding in diagnosis.findings}
    skipped = {entry.rule for entry in diagnosis.skipped}
    assert not spoken & skipped
    for rule in rules():
        assert (rule.name in skipped) == any(name not in evidence for name in rule.needs)
