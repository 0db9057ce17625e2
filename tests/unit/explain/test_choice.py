"""Which of several kernels is explained where nobody says."""

from hotloop.explain.material import Material, choose
from hotloop.profiles.profile import KernelProfile, Profile, Tally

FILL, OWN, OTHER = "__amd_rocclr_fillBufferAligned", "step", "probe(int*)"


def chosen(*kernels):
    rows = tuple(
        KernelProfile(
            kernel=name, dispatches=count, counters={c: Tally(count, count * v, v, v) for c, v in counters.items()}
        )
        for name, count, counters in kernels
    )
    return choose(Material((Profile(tool="rocprof", source="s", kernels=rows),), (), ()))


def test_clocks_go_before_bytes():
    choice = chosen(
        (FILL, 70, {"GRBM_GUI_ACTIVE": 9.0, "FETCH_SIZE": 5e6}), (OWN, 1, {"GRBM_GUI_ACTIVE": 5e6, "FETCH_SIZE": 3.0})
    )
    assert (choice.name, "most clocks" in choice.why) == (OWN, True)


def test_bytes_go_before_launches():
    choice = chosen((FILL, 70, {"FETCH_SIZE": 33.0}), (OTHER, 1, {"FETCH_SIZE": 24.0}), (OWN, 1, {"FETCH_SIZE": 2e7}))
    assert (choice.name, "most bytes" in choice.why) == (OWN, True)


def test_a_counter_that_not_all_have_decides_nothing():
    choice = chosen((FILL, 70, {"SQ_WAVES": 1.0}), (OTHER, 3, {"FETCH_SIZE": 24.0}), (OWN, 2, {"SQ_WAVES": 2.0}))
    assert choice.name == OTHER
    assert "but for the runtime's own" in choice.why
