"""Properties of the calculators: monotone, minimal, and the same however one asks."""

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from hotloop.isa.banks.conflict import conflicts
from hotloop.isa.banks.layout import Layout, Swizzle, injective
from hotloop.isa.occupancy import amd, nvidia
from hotloop.isa.occupancy.ask import Question, ask
from hotloop.targets import banks, data
from hotloop.targets.machine import AmdMachine
from hotloop.targets.target import Target

AMD = [name for name in data.gpus() if isinstance(Target.of(name).machine, AmdMachine)]


@st.composite
def requests(draw):
    target = Target.of(draw(st.sampled_from(AMD))).machine
    file, unit = draw(st.sampled_from(target.files)), draw(st.sampled_from(target.units))
    return target, amd.AmdRequest(
        vgprs=draw(st.integers(1, 256)),
        lds_bytes=draw(st.integers(0, target.lds_workgroup_bytes)),
        workgroup=draw(st.integers(1, 1024)),
        sgprs=draw(st.none() | st.integers(0, 100)),
        wave_size=file.wave_size,
        mode=unit.mode,
    )


@given(requests(), st.integers(1, 64))
def test_more_of_anything_never_gives_more_waves(pair, more):
    target, request = pair
    here = amd.evaluate(target, request)
    for name, most in (("vgprs", 256), ("lds_bytes", target.lds_workgroup_bytes)):
        there = amd.evaluate(target, replace(request, **{name: min(most, getattr(request, name) + more)}))
        assert (there.waves, there.groups) <= (here.waves, here.groups)


@given(requests())
def test_figures_stay_within_the_machine(pair):
    target, request = pair
    found = amd.evaluate(target, request)
    assert 1 <= found.waves <= target.max_waves
    assert found.groups * found.group_waves <= target.max_waves * found.simds
    assert (
        found.groups * amd.align(request.lds_bytes, target.lds_hardware_granule_bytes)
        <= target.unit(request.mode).lds_bytes
    )
    assert found.launches or found.why_not
    assert found.waves == target.max_waves or found.limiting


@settings(max_examples=30)
@given(st.sampled_from(AMD), st.integers(1, 256), st.integers(0, 64 << 10), st.sampled_from([64, 128, 256, 512]))
def test_cliffs_are_exact(target, vgprs, lds, workgroup):
    question = Question(target=target, vgprs=vgprs, lds_bytes=lds, workgroup=workgroup)
    for found in ask(question).cliffs:
        if found.resource != "vgpr":
            continue
        waves = [ask(replace(question, vgprs=v)).occupancy.waves for v in (found.value, found.last)]
        assert waves == [found.figure, found.figure]
        if found.worse is not None:
            assert ask(replace(question, vgprs=found.last + 1)).occupancy.waves == found.worse < found.figure
        if found.better:
            assert ask(replace(question, vgprs=found.better.most)).occupancy.waves == found.better.figure > found.figure
            assert ask(replace(question, vgprs=found.better.most + 1)).occupancy.waves == found.figure


@given(st.sampled_from(data.names("nvidia")), st.integers(1, 255), st.integers(0, 99 << 10), st.integers(1, 1024))
def test_blocks_fit_into_an_sm(name, registers, shared, block):
    target = Target.of(name).machine
    found = nvidia.evaluate(
        target,
        nvidia.NvidiaRequest(registers=registers, shared_bytes=min(shared, target.shared_block_bytes), block=block),
    )
    assert found.waves <= target.warps
    assert found.groups * found.group_waves * 32 * registers <= target.registers


@given(
    st.lists(st.integers(0, 1 << 16), min_size=64, max_size=64), st.sampled_from([32, 64, 128]), st.integers(0, 1 << 10)
)
def test_conflicts_are_bounded_and_survive_a_shift_by_all_banks(addresses, bits, shift):
    model = banks.model("gfx942", "read", bits)
    aligned = [a // (bits // 8) * (bits // 8) for a in addresses]
    found = conflicts(model, aligned)
    assert len(model.phases) <= found.ideal_cycles <= found.cycles
    assert all(p.degree <= len(p.lanes) for p in found.phases)
    assert conflicts(model, [a + 128 * shift for a in aligned]).cycles == found.cycles


@given(st.sampled_from([1, 2, 4, 8]), st.sampled_from([1, 2, 4]), st.sampled_from([1, 2, 4, 8]), st.integers(1, 40))
def test_a_swizzle_within_the_row_is_injective(vec, per_phase, max_phase, rows):
    assert injective(Layout(element_bytes=2, leading=64, swizzle=Swizzle(vec, per_phase, max_phase)), rows)
