"""Which device the counters are from."""

import pytest

from hotloop.explain.identity import credible, identified
from hotloop.explain.material import Material
from hotloop.profiles.profile import DeviceFact, KernelProfile, Profile, Tally
from hotloop.targets.chips import Machine, chip

PRODUCT = "Cijk_Ailk_Bljk_HHS_BH_UserArgs_MT256x128x32_MI32x32x1_SN_GLS0_ISA{}_IU1_K1_WS64"


def named(*kernels, architecture=None):
    profile = Profile(
        tool="rocprofv3",
        source="s",
        architecture=architecture,
        kernels=tuple(KernelProfile(kernel=k, dispatches=1) for k in kernels),
    )
    return identified((profile,), Material((profile,), (), ()), "", "")


@pytest.mark.parametrize(("written", "target"), [("90a", "gfx90a"), ("942", "gfx942"), ("1201", "gfx1201")])
def test_a_kernel_of_amds_libraries_names_its_processor(written, target):
    found = named(PRODUCT.format(written), "fill")
    assert found.target == target
    assert "kernel's name" in found.words


def test_what_a_file_says_goes_before_the_name():
    assert named(PRODUCT.format("90a"), architecture="gfx942").target == "gfx942"


@pytest.mark.parametrize(
    "kernels", [("mine_ISA942_x",), (PRODUCT.format("90a"), PRODUCT.format("942")), (PRODUCT.format("999"),)]
)
def test_other_names_and_several_processors_say_nothing(kernels):
    assert "do not name the chip" in named(*kernels).words


def waves(*counts, items=24576, **more):
    counters = {"Wavefronts": Tally(len(counts), sum(counts), min(counts), max(counts)), **more}
    kernel = KernelProfile(kernel="k", dispatches=len(counts), grid_items=items, workgroup_items=256, counters=counters)
    return identified(
        (p := Profile(tool="rocprofv3", source="s", kernels=(kernel,)),), Material((p,), (), ()), "", ""
    ).words


def test_waves_of_32_items_are_no_compute_chips():
    """Recorded on a laptop's RDNA 3.5: 768 waves of 24576 items; the answer asked for counters that a gfx942 has."""
    assert waves(768.0, 768.0).startswith("an AMD RDNA chip")
    for other in (waves(384.0), waves(768.0, 384.0), waves(192.0), waves(768.0, TCC_HIT_sum=Tally(1, 1.0, 1.0, 1.0))):
        assert other.startswith("an AMD chip")


@pytest.mark.parametrize("stated", [{"wave_size": 64}, {"agprs": 4}])
def test_twice_the_waves_are_no_waves_of_32_where_the_file_says_otherwise(stated):
    """Published from a compute chip: 2048 waves of 65536 items beside a wave of 64 and accumulation registers."""
    kernel = KernelProfile(
        kernel="bodyForce",
        dispatches=1,
        grid_items=65536,
        workgroup_items=256,
        counters={"Wavefronts": Tally(1, 2048.0, 2048.0, 2048.0)},
        **stated,
    )
    profile = Profile(tool="rocprof", source="s", kernels=(kernel,))
    assert identified((profile,), Material((profile,), (), ()), "", "").words.startswith("an AMD chip")


@pytest.mark.parametrize(("units", "dies"), [(304, 8), (38, 1)])
def test_a_chip_with_all_its_units_has_all_its_dies(units, dies):
    """An older profiler writes one die for an MI325X: 16 clocks a nanosecond are 2 of each die; a partition has fewer units."""
    assert credible(Machine(compute_units=units, dies=1), chip("MI325X").machine).dies == dies


@pytest.mark.parametrize(
    ("sizes", "chip"), [((228, 228), "MI300A"), ((304, 304), "MI300X"), ((304, 228), None), ((), "MI300X")]
)
def test_peaks_are_no_chips_where_processors_of_different_sizes_are_listed(sizes, chip):
    """Of an MI300X and an MI300A in one list, none named by the kernel, the MI300X's peaks were taken."""
    facts = tuple(DeviceFact(f"Agent {n}", "Cu_Count", str(size)) for n, size in enumerate(sizes, 1))
    profile = Profile(tool="rocprofv3", source="s", architecture="gfx942", facts=facts)
    found = identified((profile,), Material((profile,), (), ()), "", "")
    assert (found.chip and found.chip.name) == chip
    assert ("different sizes" in found.words) is (chip is None)
