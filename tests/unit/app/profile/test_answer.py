"""Collecting with tools that are scripts: they run the wrapped program, then write what the real ones write, or refuse."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from hotloop.app.profile import answer as profiling
from hotloop.app.profile.plan import counters, passes
from hotloop.app.profile.profiled import Request, choose, results_folder
from hotloop.app.session import Options
from hotloop.cli.main import main
from hotloop.errors import UnknownNameError, UsageError
from hotloop.model.device import Device
from hotloop.profilers.formats.collected.record import Status, read
from hotloop.profilers.reading import read as read_any

HEAD = (
    f"""#!{sys.executable}"""
    """
import os, pathlib, subprocess, sys, time
arguments = sys.argv[1:]
mode = os.environ.get("FAKE", "")
if "--version" in arguments:
    print("fake version 1.2"); sys.exit()
def after(*names):
    return next((arguments[arguments.index(n) + 1] for n in names if n in arguments), "")
if mode == "hang":
    print("working", flush=True)
    time.sleep(600)
"""
)
ROCPROFV3 = (
    HEAD
    + """
place = arguments.index("--")
folder, name, program = pathlib.Path(after("-d")), after("-o").replace("%pid%", "4711"), arguments[place + 1:]
if mode == "denied":
    sys.exit("Unable to open /dev/kfd read-write: Permission denied")
if mode == "hang2" and name == "pass2_4711":
    time.sleep(600)
if mode == "invalid2" and name == "pass2_4711":
    sys.exit("Invalid counter name SQ_FOO")
code = subprocess.run(program).returncode
if code:
    sys.exit(code)
launches = [("fill", 900)] + [("gemm.kd", 5000)] * 3 + [("gemm.kd", 1000), ("gemm.kd", 1010)]
deep = folder  # -d with -o: no folder of the host's name
deep.mkdir(parents=True, exist_ok=True)
(deep / f"{name}_agent_info.csv").write_text('"Node_Id","Logical_Node_Id","Agent_Type","Cu_Count","Name"\\n4,1,"GPU",304,"gfx942"\\n')
if "--pmc" not in arguments:
    rows = ['"Kind","Agent_Id","Queue_Id","Dispatch_Id","Kernel_Name","Start_Timestamp","End_Timestamp",'
            '"Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"']
    for n, (kernel, took) in enumerate(launches):
        rows.append(f'"KERNEL_DISPATCH","Agent 4",1,{n},"{kernel}",{10_000 * n},{10_000 * n + took},256,1,1,4096,1,1')
    (deep / f"{name}_kernel_trace.csv").write_text("\\n".join(rows) + "\\n")
    sys.exit()
pmc = arguments[arguments.index("--pmc") + 1:]
pmc = pmc[:next(i for i, word in enumerate(pmc) if word.startswith("--"))]
first, _, last = after("--kernel-iteration-range").strip("[]").partition("-")
gemms = [(n, took) for n, (kernel, took) in enumerate(launches) if kernel == "gemm.kd"][int(first) - 1:int(last)]
slow = 1.5 if mode == "slow" and name == "pass2_4711" else 1
waves = 128 if mode == "waves" and name == "pass2_4711" else 64
rows = ['"Correlation_Id","Dispatch_Id","Agent_Id","Queue_Id","Process_Id","Thread_Id","Grid_Size","Kernel_Id","Kernel_Name","Workgroup_Size",'
        '"LDS_Block_Size","Scratch_Size","VGPR_Count","Accum_VGPR_Count","SGPR_Count","Counter_Name","Counter_Value","Start_Timestamp","End_Timestamp"']
for n, took in gemms:
    for counter in pmc:
        value = waves if counter == "SQ_WAVES" else 1000 + len(counter)
        rows.append(f'{n},{n},"Agent 4",1,4711,4711,4096,10,"gemm.kd",256,0,0,32,0,16,"{counter}",{value},{10_000 * n},{10_000 * n + int(slow * took)}')
(deep / f"{name}_counter_collection.csv").write_text("\\n".join(rows) + "\\n")
"""
)
NCU = (
    HEAD
    + '''
page = pathlib.Path(after("--log-file"))
if mode == "denied":
    page.write_text("==PROF== Connected to process 5 (python3)\\n==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0. \\n==WARNING== No kernels were profiled.\\n")
    sys.exit(1)
if mode == "nothing":
    page.write_text("==WARNING== No kernels were profiled.\\n")
    sys.exit()
page.write_text("""==PROF== Connected to process 5 (python3)
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","gpu__time_duration.sum","sm__cycles_elapsed.max"
"","","","","","","","","","","","us","cycle"
"0","5","python3","h","%s","1","7","(128, 1, 1)","(1000, 1, 1)","0","9.0","12.5","20,000"
==PROF== Disconnected from process 5
""" % after("--kernel-name"))
if mode == "late":
    time.sleep(600)
'''
)
PERF = (
    HEAD
    + """
if mode == "denied":
    sys.exit("Error:\\nAccess to performance monitoring and observability operations is limited.\\nConsider adjusting /proc/sys/kernel/perf_event_paranoid setting")
code = subprocess.run(arguments[arguments.index("--") + 1:]).returncode
count = "<not supported>;;cycles;0;100.00;;\\n<not supported>;;instructions;0;100.00;;" if mode == "virtual" else "2000;;cycles;9;100.00;;\\n5000;;instructions;9;50.00;;"
pathlib.Path(after("-o")).write_text(f"# started\\n\\n12.5;msec;task-clock;12500000;100.00;;\\n{count}\\n")
sys.exit(code)
"""
)
ROCPROFV2 = (
    HEAD
    + """
words = pathlib.Path(after("-i")).read_text().splitlines()[0].split()[1:]
folder = pathlib.Path(after("-d")) / "pmc_1"  # one for each line with pmc
folder.mkdir(parents=True)
rows = ["Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,"
        "Accum_VGPR,SGPR,Wave_Size,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID," + ",".join(words)]
for n in range(5):
    rows.append(f'{n},0,1,7,7,4096,256,0,0,32,0,16,64,"gemm.kd",{1000 * n},{1000 * n + 500},0,' + ",".join("64" for _ in words))
(folder / "pass_4711.csv").write_text("\\n".join(rows) + "\\n")
"""
)
ROCPROF = (
    HEAD
    + """
words = pathlib.Path(after("-i")).read_text().splitlines()[0].split()[1:]
rows = ["Index,KernelName,gpu-id,grd,wgr,BeginNs,EndNs," + ",".join(words)]
for n in range(5):
    rows.append(f'{n},"gemm.kd",0,4096,256,{1000 * n},{1000 * n + 500},' + ",".join("64" for _ in words))
pathlib.Path(after("-o")).write_text("\\n".join(rows) + "\\n")
"""
)
FAKES = {"rocprofv3": ROCPROFV3, "ncu": NCU, "perf": PERF, "rocprofv2": ROCPROFV2, "rocprof": ROCPROF}
TEN = tuple(f"SQ_INSTS_VALU_{t}" for t in ("ADD_F16", "ADD_F32", "ADD_F64", "MUL_F16", "MUL_F32", "MUL_F64", "CVT", "INT32"))  # fmt: skip
LISTING = Path(__file__).parents[3] / "golden" / "amdgcn"


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """Put fakes of some tools, and nothing else, on the PATH; the mode says how they misbehave."""

    def install(*names, mode=""):
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        for name in names:
            (folder / name).write_text(FAKES[name])
            (folder / name).chmod(0o755)
        monkeypatch.setenv("PATH", str(folder))
        monkeypatch.setenv("FAKE", mode)

    monkeypatch.chdir(tmp_path)
    return install


def collect(tool, *, kernel="gemm", target="gfx942", counters=TEN, limit_s=120.0, program="print('hello')", **changes):
    request = Request(
        command=(sys.executable, "-c", program), tool=tool, kernel=kernel, target=target, counters=counters,
        warmups=3, launches=2, limit_s=limit_s, **changes,
    )  # fmt: skip
    return profiling.profile(request, Options())


def test_passes_are_put_together_and_compared(tools):
    tools("rocprofv3")
    answer = collect("rocprofv3")
    record = answer.record
    assert [(s.name, s.status, s.launches) for s in record.steps] == [("times", "done", 2), ("pass 1 of 2", "done", 2), ("pass 2 of 2", "done", 2)]  # fmt: skip
    assert [d.duration_ns for d in record.dispatches] == [1000, 1010]  # warm-up and other kernels are left out
    assert set(record.dispatches[0].counters) == {"SQ_WAVES", *TEN}
    assert record.architecture == "gfx942"
    assert ("Agent 4", "Cu_Count", "304") in {(f.device, f.name, f.value) for f in record.facts}
    assert record.agreement[0] == "SQ_WAVES is the same in 2 passes"
    assert record.trouble == ""
    assert answer.explanation is not None
    assert answer.explanation.subject.kernel == "gemm.kd"
    assert read(answer.folder / "profile.json") == record
    assert read_any(answer.folder).kernel("gemm.kd").dispatches == 2
    assert "hello" in (answer.folder / "log.txt").read_text()


def test_passes_that_disagree_are_told(tools):
    tools("rocprofv3", mode="waves")
    assert any("counts another SQ_WAVES" in note for note in collect("rocprofv3").record.notes)
    tools("rocprofv3", mode="slow")
    notes = collect("rocprofv3").record.notes
    assert any("durations of gemm differ by 50% between passes" in note for note in notes)


def test_a_pass_that_hangs_is_stopped_and_the_rest_is_kept(tools):
    tools("rocprofv3", mode="hang2")
    answer = collect("rocprofv3", limit_s=5.0)
    assert [s.status for s in answer.record.steps] == [Status.DONE, Status.DONE, Status.LATE]
    assert "pass 2 of 2: it did not end within 5 s and was stopped" in answer.record.trouble
    assert len(answer.record.dispatches) == 2
    assert answer.explanation is not None


def test_a_counter_that_the_gpu_lacks_costs_its_pass_only(tools):
    tools("rocprofv3", mode="invalid2")
    record = collect("rocprofv3").record
    assert [s.status for s in record.steps] == [Status.DONE, Status.DONE, Status.REFUSED]
    assert "rocprofv3-avail list --pmc" in record.trouble
    assert "SQ_WAVES" in record.dispatches[0].counters


@pytest.mark.parametrize(
    ("tool", "mode", "remedy"),
    [("rocprofv3", "denied", "usermod -aG render,video"), ("ncu", "denied", "NVreg_RestrictProfilingToAdminUsers=0"),
     ("ncu", "nothing", "OpenCL is not seen"), ("perf", "denied", "sysctl kernel.perf_event_paranoid=1")],
)  # fmt: skip
def test_denied_counters_are_one_sentence_with_what_mends_it(tools, tool, mode, remedy):
    tools(tool, mode=mode)
    answer = collect(tool, counters=() if tool != "rocprofv3" else TEN)
    assert [s.status for s in answer.record.steps] == [Status.REFUSED]  # no further pass is tried
    assert remedy in answer.record.trouble
    assert "\n" not in answer.record.trouble
    assert not answer.record.counted
    assert "give the kernel's listing" in answer.unexplained


def test_without_a_tool_the_explanation_goes_on_with_the_code(tools):
    tools()
    listing = next(path for path in sorted(LISTING.rglob("*.s")))
    answer = collect("ncu", counters=(), code=(str(listing),))
    assert "ncu is not installed" in answer.record.trouble
    assert answer.record.steps == ()
    assert answer.explanation is not None
    assert answer.explanation.verdict
    assert answer.explanation.subject.kernel


def test_ncu_pages_and_what_an_interrupted_one_has(tools):
    tools("ncu")
    record = collect("ncu", counters=()).record
    assert (record.dispatches[0].kernel, record.dispatches[0].duration_ns) == ("gemm", 12_500)
    tools("ncu", mode="late")
    late = collect("ncu", counters=(), limit_s=5.0).record
    assert late.steps[0].status == Status.LATE
    assert late.dispatches[0].duration_ns == 12_500
    assert "--limit" in late.trouble


def test_perf_counts_a_process_and_tells_a_virtual_machine(tools):
    tools("perf")
    record = collect("perf", counters=()).record
    assert {r.event: r.value for r in record.readings} == {"task-clock": 12.5, "cycles": 2000, "instructions": 5000}
    assert record.counted_launches is None  # of a program, the whole process is counted
    assert record.trouble == ""
    tools("perf", mode="virtual")
    assert "shows no hardware counters" in collect("perf", counters=()).record.trouble


@pytest.mark.parametrize(("installed", "used"), [(("rocprof",), "rocprof"), (("rocprof", "rocprofv2"), "rocprofv2")])
def test_older_tools_when_nothing_newer_is_installed(tools, installed, used):
    tools(*installed)
    record = collect("auto").record
    assert (record.tool, record.tool_version) == (used, "fake version 1.2")
    assert [s.status for s in record.steps] == [Status.DONE, Status.DONE]
    assert len(record.dispatches) == 2


def test_a_program_that_fails_is_not_blamed_on_the_tool(tools):
    tools("rocprofv3")
    answer = collect("rocprofv3", program="import sys; sys.exit('my own bug')")
    assert answer.record.steps[0].status == Status.FAILED
    assert "exit code 1 (my own bug): see whether the program runs alone" in answer.record.trouble


def test_a_kernel_that_was_not_launched_names_those_that_were(tools):
    tools("rocprofv3")
    assert "only of fill, gemm.kd" in collect("rocprofv3", kernel="attention").record.trouble


def test_the_folder_is_fresh_and_a_refused_request_leaves_none(tools, tmp_path):
    tools("rocprofv3")
    first, second = (results_folder(Request(command=("./a b",))) for _ in range(2))
    assert (first.name, second.name) == ("profile-a-b", "profile-a-b-2")
    (first / "mine").write_text("x")
    with pytest.raises(UsageError, match="not an empty folder"):
        results_folder(Request(command=("a",), folder=str(first)))
    with pytest.raises(UsageError, match="is no hardware counter"):
        collect("rocprofv3", counters=("NO_SUCH",), folder=str(tmp_path / "fresh"))
    assert not (tmp_path / "fresh").exists()
    with pytest.raises(UsageError, match="give either a kernel"):
        profiling.profile(Request(), Options())


GPU = Device(name="NVIDIA H100", kind="gpu", backend="triton", runtime="CUDA", runtime_key="nvidia")


@pytest.mark.parametrize(
    ("device", "tool", "reason"),
    [(GPU, "ncu", ""), (replace(GPU, backend="opencl"), "ncu", "does not see OpenCL"),
     (replace(GPU, name="AMD MI300X", runtime_key="amd", backend="opencl"), "rocprofv3", ""),
     (replace(GPU, name="EPYC", kind="cpu", runtime_key="pocl"), "perf", "")],
)  # fmt: skip
def test_the_tool_of_a_device(tools, device, tool, reason):
    tools()
    chosen, why = choose(Request(spec="gemm"), device)
    assert chosen.name == tool
    assert reason in why
    other = "perf" if device.kind == "gpu" else "ncu"
    assert f"{other} does not count on {device.name}" in choose(Request(spec="gemm", tool=other), device)[1]


# --- the command line ------------------------------------------------------------------------------------------------


def hotloop(capsys, *arguments):
    with pytest.raises(SystemExit) as end:
        main(arguments)
    return end.value.code, *capsys.readouterr()


def test_command_line_and_json(tools, capsys):
    tools("rocprofv3")
    given = (
        "profile",
        "--tool",
        "rocprofv3",
        "--target",
        "gfx942",
        "--kernel",
        "gemm",
        "--skip",
        "3",
        "--launches",
        "2",
    )
    program = ("--", sys.executable, "-c", "print(1)", "--json")  # what follows -- is the program's
    code, out, err = hotloop(capsys, *given, *program)
    assert code == 0
    assert "2 launches of gemm.kd" in out
    assert "SQ_WAVES is the same in 8 passes" in out
    assert "rocprofv3: pass 1 of 8 ..." in err
    code, out, err = hotloop(capsys, *given, "--json", *program)
    data = json.loads(out)
    assert (code, err) == (0, "")
    assert data["counted"]
    assert data["record"]["command"][-1] == "--json"
    assert data["explanation"]["verdict"]


@pytest.mark.parametrize(("mode", "code"), [("denied", 3), ("hang", 1), ("", 0)])
def test_exit_codes(tools, capsys, mode, code):
    tools("ncu", mode=mode)
    found, out, _ = hotloop(capsys, "profile", "--tool", "ncu", "--kernel", "k", "--limit", "5", "--", sys.executable, "-c", "")  # fmt: skip
    assert found == code
    assert ("not counted: ncu, all metrics: " in out) is bool(code)


def test_plan_writes_input_files_and_command_lines(tools, tmp_path, capsys):
    code, out, _ = hotloop(capsys, "profile", "plan", "--target", "gfx942", "--counters", "SQ_WAVES,TCC_HIT_sum", "--write", "p")  # fmt: skip
    assert code == 0
    assert "gfx942: 1 pass\n  1: SQ_WAVES TCC_HIT_sum" in out
    assert "rocprofv3 --pmc SQ_WAVES TCC_HIT_sum" in out
    assert json.loads((tmp_path / "p" / "rocprofv3.json").read_text())["jobs"][0]["pmc"] == ["SQ_WAVES", "TCC_HIT_sum"]
    assert (tmp_path / "p" / "pass1.txt").read_text() == "pmc: SQ_WAVES TCC_HIT_sum\n"
    assert len(passes("gfx90a").passes) <= 8
    with pytest.raises(UsageError, match="Nsight Compute divides"):
        passes("sm_90")


def test_counters_of_both_vendors(tools, capsys):
    code, out, _ = hotloop(capsys, "profile", "counters", "--target", "gfx942:xnack+")
    assert code == 0
    assert "SQ_WAIT_ANY [quad]: cycles that waves wait" in out
    assert {row.name for row in counters("sm_90")} >= {"gpu__time_duration.sum"}
    assert all(row.facts for row in counters("gfx942"))
    for unknown in ("gfx9999", "gfx1100", "sm", ""):
        with pytest.raises(UnknownNameError, match="known: gfx"):
            counters(unknown)


def test_the_environment_of_the_program_is_the_callers(tools, monkeypatch):
    tools("perf")
    monkeypatch.setenv("MINE", "kept")
    answer = collect("perf", counters=(), program="import os; print(os.environ['MINE'], os.environ.get('TMPDIR'))")
    assert f"kept {os.environ.get('TMPDIR')}" in (answer.folder / "log.txt").read_text()
