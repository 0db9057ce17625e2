import pytest

from hotloop.errors import UnknownNameError, UsageError
from hotloop.profilers.collector import Vendor, Wanted, collector, collectors, matches, selected
from hotloop.profiles.profile import Dispatch

PROGRAM = ("python", "x.py", "--", "-v")


def runs(tool, **changes):
    return collector(tool).runs(Wanted(command=PROGRAM, **changes), "/r")


def test_tools_of_each_vendor_in_the_order_of_preference():
    found = {vendor: [one.name for one in collectors() if one.vendor == vendor] for vendor in Vendor}
    assert found == {"amd": ["rocprofv3", "rocprofv2", "rocprof"], "nvidia": ["ncu"], "cpu": ["perf"]}
    with pytest.raises(UnknownNameError, match="'nsys'; known: ncu, perf, rocprof, rocprofv2, rocprofv3"):
        collector("nsys")


def test_ncu_selects_the_kernel_and_leaves_warm_up_and_clocks_alone():
    (run,) = runs("ncu", kernel="ns::gemm<float>(int)", skip=3, count=2)
    line = " ".join(run.arguments)
    assert "--set full --csv --page raw --clock-control none" in line
    assert "--kernel-name gemm --launch-skip 3 --launch-count 2" in line
    assert run.arguments[-len(PROGRAM) :] == PROGRAM
    assert run.filtered


def test_ncu_takes_patterns_and_single_metrics():
    (run,) = runs("ncu", kernel="regex:gemm.*", counters=("a.sum", "b.max"))
    line = " ".join(run.arguments)
    assert "--metrics a.sum,b.max" in line
    assert "--set" not in line
    assert "--kernel-name regex:gemm.*" in line
    assert "--launch-skip" not in line
    assert "--launch-count 100" in line  # a program may launch millions


def test_rocprofv3_measures_times_undisturbed_then_one_run_a_pass():
    times, *passes = runs("rocprofv3", kernel="gemm", skip=3, count=5, architecture="gfx942",
                          counters=("TCC_HIT_sum", *(f"SQ_INSTS_VALU_{t}" for t in ("ADD_F16", "ADD_F32", "ADD_F64", "MUL_F16", "MUL_F32", "MUL_F64", "CVT", "INT32"))))  # fmt: skip
    assert "--pmc" not in times.arguments
    assert not times.filtered  # the kernel trace is never filtered
    assert [run.name for run in passes] == ["pass 1 of 2", "pass 2 of 2"]
    for run in passes:
        line = " ".join(run.arguments)
        assert run.counters[0] == "SQ_WAVES"
        assert f"--pmc {' '.join(run.counters)} --kernel-include-regex" in line
        assert r"\bgemm\b --kernel-iteration-range [4-8]" in line  # counted from 1
        assert run.arguments[run.arguments.index("--") + 1 :] == PROGRAM
    assert {run.results[0] for run in passes} == {f"**/pass{n}_*_counter_collection.csv" for n in (1, 2)}
    assert {run.arguments[run.arguments.index("-o") + 1] for run in passes} == {"pass1_%pid%", "pass2_%pid%"}, (
        "a file a process"
    )


def test_rocprofv3_refuses_what_it_cannot_collect():
    with pytest.raises(UsageError, match="ask for NAME_sum"):
        runs("rocprofv3", counters=("TCC_HIT[3]",), architecture="gfx942")
    with pytest.raises(UsageError, match="give --target, such as --target gfx942"):
        runs("rocprofv3", counters=("SQ_WAVES",))


@pytest.mark.parametrize("tool", ["rocprof", "rocprofv2"])
def test_older_tools_read_an_input_file_a_pass(tool):
    (run,) = runs(tool, kernel="gemm", counters=("SQ_WAVES", "TCC_HIT_sum"), architecture="gfx90a")
    assert run.files[0].text == "pmc: SQ_WAVES TCC_HIT_sum\nkernel: gemm\n"
    assert f"/r/{run.files[0].name}" in run.arguments
    assert run.arguments[-len(PROGRAM) :] == PROGRAM
    (pattern,) = runs(tool, kernel="regex:g.*m", counters=("SQ_WAVES",), architecture="gfx90a")
    assert "kernel:" not in pattern.files[0].text  # their filter knows no patterns: chosen when results are read


def test_default_counters_are_those_that_metrics_need():
    _, *passes = runs("rocprofv3", architecture="gfx942")
    asked = {name for run in passes for name in run.counters}
    assert {"SQ_WAIT_ANY", "TCC_EA0_RDREQ_sum", "SQ_VALU_MFMA_BUSY_CYCLES"} <= asked
    assert len(passes) <= 8


def test_perf_counts_everything_or_what_the_program_says():
    (whole,) = runs("perf")
    assert not any(a.startswith(("--delay", "--control")) for a in whole.arguments)
    (chosen,) = runs("perf", control=True, counters=("cycles", "page-faults"))
    assert "--delay=-1" in chosen.arguments
    assert "--control=fifo:/r/control,/r/answer" in chosen.arguments
    assert "cycles,page-faults" in chosen.arguments


MESSAGES = {
    "ncu": {
        "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0.": "NVreg_RestrictProfilingToAdminUsers=0",
        "==ERROR== Failed to initialize the profiler: LibraryNotLoaded": "whole driver",
        "==ERROR== Failed to profile \"k\": the driver resource was unavailable. Ensure that no other tool (like DCGM) ...": "dcgmi profile --pause",
        "==WARNING== No kernels were profiled.": "OpenCL is not seen",
    },
    "perf": {
        "Error:\nAccess to performance monitoring and observability operations is limited.\nConsider adjusting /proc/sys/kernel/perf_event_paranoid setting": "sysctl kernel.perf_event_paranoid=1",
        "Error:\nNo permission to enable cycles event.": "sysctl kernel.perf_event_paranoid=1",
        "event syntax error: 'no-such'": "perf list",
    },
    "rocprofv3": {
        "Unable to open /dev/kfd read-write: Permission denied": "usermod -aG render,video",
        "Unable to open /dev/kfd read-write: No such file or directory": "modprobe amdgpu",
        "Could not construct profile cfg failed with error code 38: Request exceeds the capabilities of the hardware to collect": "--counters",
        "Invalid counter name SQ_FOO": "rocprofv3-avail list --pmc",
    },
}  # fmt: skip


@pytest.mark.parametrize(("tool", "text"), [(tool, text) for tool, texts in MESSAGES.items() for text in texts])
def test_refusals_name_what_mends_them(tool, text):
    refusal = collector(tool).refusal(f"something before\n{text}\n")
    assert refusal is not None
    assert MESSAGES[tool][text] in refusal.remedy
    assert str(refusal).count("\n") == 0


@pytest.mark.parametrize("tool", [one.name for one in collectors()])
def test_ordinary_output_is_no_refusal(tool):
    text = "Iteration 3: loss 0.25\n==PROF== Connected to process 12\nTraceback: ValueError: counter\nPASSED\n"
    assert collector(tool).refusal(text) is None
    assert collector(tool).missing.remedy


def launches(*names):
    return [Dispatch(kernel=name, dispatch_id=n) for n, name in enumerate(names)]


def test_warm_up_of_each_kernel_is_left_out():
    listed = launches("a", "b", "a", "b.kd", "a", "a", "b.kd")
    wanted = Wanted(command=(), kernel="a", skip=1, count=2)
    assert [d.dispatch_id for d in selected(listed, wanted, filtered=False)] == [2, 4]
    assert [d.dispatch_id for d in selected(listed, wanted, filtered=True)] == [0, 2]
    every = Wanted(command=(), skip=1)
    assert [d.dispatch_id for d in selected(listed, every, filtered=False)] == [2, 4, 5, 6]


@pytest.mark.parametrize(
    ("kernel", "wish", "right"),
    [("void ns::gemm<float>(float*)", "gemm", True), ("gemm.kd", "gemm", True), ("gemm2", "gemm", False),
     ("gemm2", "regex:gemm", True), ("anything", "", True), ("ns::gemm(int)", "ns::gemm", True), ("my_gemm", "gemm", False)],
)  # fmt: skip
def test_kernels_are_named_as_people_do(kernel, wish, right):
    assert matches(kernel, wish) is right


def test_a_broken_pattern_is_refused():
    with pytest.raises(UsageError, match="is no regular expression"):
        matches("k", "regex:(")
