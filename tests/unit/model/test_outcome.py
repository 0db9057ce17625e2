import pytest

from hotloop.model.outcome import CompileFailed, Conditions, Measured, Sample, describe


def measured(clock, device_ns=(2e5, 4e5, 3e5)):
    samples = tuple(
        Sample(wall_ns=wall_ns, calls=2, device_ns=own) for wall_ns, own in zip((9e5, 8e5, 7e5), device_ns, strict=True)
    )
    return Measured(samples=samples, conditions=Conditions("f", clock=clock))


@pytest.mark.parametrize(("clock", "median_ns", "best_ns"), [("wall", 4e5, 3.5e5), ("device", 1.5e5, 1e5)])
def test_times_are_those_of_the_clock_that_decides(clock, median_ns, best_ns):
    """In cold mode a GPU's wall time holds how long the caches take to be emptied."""
    assert measured(clock).call_ns == median_ns
    assert measured(clock).best_ns == best_ns
    assert measured(clock).device_ns == 1.5e5


def test_wall_time_counts_where_the_device_told_none():
    assert measured("device", (2e5, None, 3e5)).call_ns == 4e5


@pytest.mark.parametrize(
    ("log", "told"),
    [
        ("Compilation failed\nUnrecognized build options: --bogus \n", "Unrecognized build options: --bogus"),
        ("Compilation failed\n", "Compilation failed"),
        ("Compilation started\n1:2:3: error: no\nCompilation failed\n", "1:2:3: error: no"),
        ("", "the compiler says nothing"),
    ],
)
def test_a_failed_compilation_is_told_by_the_line_that_names_its_cause(log, told):
    assert describe(CompileFailed(log, None)) == f"does not compile: {told}"


def test_of_triton_s_message_the_reason_is_told_and_not_only_the_place():
    log = "CompilationError: at 5:23:\ndef product(a):\n    x = a.load([i, step])\n        ^\nexpected 1 offsets, but got 2\nAssertionError: expected"
    assert (
        describe(CompileFailed(log, 5)) == "does not compile at line 5: CompilationError: expected 1 offsets, but got 2"
    )
    assert describe(CompileFailed("CompilationError: at 5:23:", 5)).endswith("at 5:23:")
