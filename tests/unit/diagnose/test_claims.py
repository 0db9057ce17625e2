"""What rules say of their own shares: limits are told as limits, one wait counts once, singular and plural agree."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.diagnose.engine import rules
from hotloop.diagnose.example import Example
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.model.evidence import Evidence, Fact, Provenance

BY_NAME = {rule.name: rule for rule in rules()}
# "70 of 1 instructions" cannot be: what is set to one there is a total
PLURAL_ONE = re.compile(
    r"(?<!of )(?<![\d.,/] )(?<![\d.,/])\b1 (?!of\b)(?:[a-z-]+ ){0,2}?(?:are\b|(?!(?:was|is|has|as|its|less|access)\b)[a-z-]+[^s\W]s\b)(?! \d)"
)


def evidence(facts):
    return Evidence(tuple(Fact(name, float(value), "", Provenance.STATIC, "test") for name, value in facts.items()))


def finding(name, **facts):
    return BY_NAME[name].apply(evidence({key.replace("__", "."): value for key, value in facts.items()}))


def test_a_share_that_is_cut_off_says_so_and_another_does_not():
    made = Rule(
        name="made", text=BY_NAME["static-barriers"].text, needs=(), evaluate=lambda _: Symptom(0.7, "much", 0.2)
    )
    assert made.apply(Evidence()).message == "much (the estimate is larger: 20.0 % is the most that this rule claims)"
    assert made.apply(Evidence()).share == 0.2
    below = replace(made, evaluate=lambda _: Symptom(0.1, "little", 0.2))
    assert (below.apply(Evidence()).message, below.apply(Evidence()).share) == ("little", 0.1)


MATRIX_LOOP = {
    "static.matrix_per_iteration": 16, "static.global_load_cover": 0.0, "static.local_drains_per_matrix": 0.125,
    "isa.iteration_cycles": 976, "isa.unit_cycles": 256, "isa.occupancy_waves": 3,
}  # fmt: skip
"""The Gluon product with asynchronous copies on gfx950, own compilation."""


def test_exposed_loads_of_a_matrix_loop_are_weighed_by_its_timeline_and_not_by_a_constant():
    shares = [
        BY_NAME["exposed-loop-loads"].apply(
            evidence({**MATRIX_LOOP, "isa.global_stall_share": stall, "isa.stall_share": stall, "isa.iteration_cycles": cycles})
        ).share
        for stall, cycles in ((0.3, 976), (0.49, 976), (0.49, 1200))
    ]  # fmt: skip
    assert len(set(shares)) == 2, "what is idle does not depend on the stall where that is the only one"
    assert shares[1] < shares[2] == pytest.approx(1 - 3 * 256 / 1200)


@pytest.mark.parametrize(("stall", "cycles", "found"), [(0.056, 496, False), (0.5, 1292, True)])
def test_drained_reads_that_are_there_already_are_no_finding(stall, cycles, found):
    facts = {**MATRIX_LOOP, "isa.lds_stall_share": stall, "isa.stall_share": stall, "isa.iteration_cycles": cycles}
    assert (BY_NAME["exposed-local-reads"].apply(evidence(facts)) is not None) is found


def test_a_matrix_loop_whose_local_memory_the_launch_brings_is_not_reckoned_with_all_waves_of_the_registers():
    facts = {**MATRIX_LOOP, "isa.occupancy_waves": 5, "isa.global_stall_share": 0.4, "isa.stall_share": 0.4}
    rule = BY_NAME["exposed-loop-loads"]
    assert rule.apply(evidence(facts)) is None
    opened = rule.apply(evidence({**facts, "isa.occupancy_open": 1}))
    assert "with 2 resident waves" in opened.message
    assert opened.share == pytest.approx(0.4), "cut off"


@given(
    st.floats(0.01, 1), st.floats(0, 1), st.integers(0, 40), st.integers(0, 60), st.integers(1, 16),
    st.floats(10, 1e5), st.floats(0, 1e5), st.floats(0, 1e5), st.sampled_from([0, 16]),
)  # fmt: skip
def test_one_wait_is_not_reported_twice(stall, part, serial, loads, waves, cycles, unit, memory, matrices):
    facts = evidence(
        {
            "isa.stall_share": stall, "isa.global_stall_share": stall * part, "isa.lds_stall_share": stall * (1 - part),
            "isa.serial_loads": serial, "isa.global_loads": loads, "isa.occupancy_waves": waves, "isa.iteration_cycles": cycles,
            "isa.unit_cycles": unit, "isa.memory_cycles": memory, "static.matrix_per_iteration": matrices,
            "static.global_load_cover": 0.0, "static.local_drains_per_matrix": 0.5,
        }
    )  # fmt: skip
    matrix_rules = ("exposed-loop-loads", "exposed-local-reads")
    names = ("static-serial-loads", *(matrix_rules if matrices else ("static-exposed-loads", "static-exposed-local")))
    shares = [found.share for name in names if (found := BY_NAME[name].apply(facts))]
    assert sum(shares) <= 1 - min(1, waves * max(unit, memory) / cycles) + 1e-9, "more than what is idle at all"
    assert sum(shares) <= stall + 1e-9, "more than a wave stands"


def test_a_few_loads_waited_for_one_by_one_do_not_take_the_waiting_for_all_others():
    waiting = {
        "isa__global_stall_share": 0.9,
        "isa__stall_share": 0.9,
        "isa__occupancy_waves": 1,
        "isa__serial_loads": 2,
    }
    few = finding("static-serial-loads", **waiting, isa__global_loads=30)
    rest = finding("static-exposed-loads", **waiting, isa__global_loads=30, static__matrix_per_iteration=0)
    assert few.share == pytest.approx(0.03)
    assert rest.share == pytest.approx(0.87)


def test_the_memory_as_the_bound_names_the_waves_that_it_takes_where_the_launch_decides_them():
    facts = {
        "isa__memory_cycles": 2509, "isa__moved_bytes": 4096, "isa__unit_cycles": 600, "isa__latency_cycles": 738,
        "isa__iteration_cycles": 11811, "isa__occupancy_waves": 16,
    }  # fmt: skip
    assert "fewer" not in finding("static-memory-bound", **facts).message
    opened = finding("static-memory-bound", **facts, isa__occupancy_open=1).message
    assert opened.endswith("leaves fewer than 5 of 16 resident waves: then the latency is the bound")
    few = {**facts, "isa__iteration_cycles": 2000}
    assert "fewer" not in finding("static-memory-bound", **few, isa__occupancy_open=1).message


def singles():
    """Every firing example, with each of its counts set to one."""
    for rule in rules():
        for example in rule.examples.fires:
            for name, value in example.facts:
                if float(value).is_integer() and value > 1:
                    yield rule, replace(example, facts=tuple((n, 1.0 if n == name else v) for n, v in example.facts))


@pytest.mark.parametrize(("rule", "example"), list(singles()))
def test_one_of_a_thing_is_no_plural(rule: Rule, example: Example):
    found = rule.apply(example.evidence())
    assert found is None or not PLURAL_ONE.search(found.message), found.message


@pytest.mark.parametrize("text", ["1 vector registers are spilled", "calls 1 functions", "with 1 resident waves"])
def test_the_pattern_finds_what_it_is_for(text):
    assert PLURAL_ONE.search(text)


def test_a_waste_that_is_only_a_lower_bound_says_so():
    """Row sums of a square matrix on an RTX 30, published: each lane of 32 touches a sector of its own."""
    bound = finding("uncoalesced", gpu__wasted_sectors=1 - 16 / 32, gpu__load_sectors=32, gpu__l1_utilization=0.407)
    counted = finding("uncoalesced", gpu__wasted_sectors=0.882, gpu__load_sectors=32, gpu__l1_utilization=0.407)
    assert bound.message.startswith("at least 50")
    assert counted.message.startswith("88")


@pytest.mark.parametrize(
    ("rule", "facts"),
    [
        ("exposed-local-reads", {"static.local_drains_per_matrix": 0.5, "isa.lds_stall_share": 0.2}),
        ("exposed-loop-loads", {"static.global_load_cover": 0.1, "static.matrix_per_iteration": 4.0, "isa.global_stall_share": 0.2}),
    ],
)  # fmt: skip
def test_a_part_of_the_waiting_without_the_whole_is_no_timeline(rule, facts):
    """Then how much of it others cover is not known, and the code alone says what it may cost."""
    found, without = (BY_NAME[rule].apply(evidence(known)) for known in (facts, dict(list(facts.items())[:-1])))
    assert found is not None
    assert without is not None
    assert found.share == without.share


@pytest.mark.parametrize(("flops", "known"), [(1e6, True), (0.0, False)])
def test_a_kernel_whose_operations_nobody_counts_is_not_said_to_have_few(flops, known):
    found = finding("memory-bound-streaming", roof__memory_bound=1, roof__bytes_share=0.05, work__flops=flops)
    assert ("little arithmetic" in found.message) == known
