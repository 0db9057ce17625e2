"""What describes a machine or sums launches up, and decimal time stamps."""

import pytest

from hotloop.profilers.detect import recognised
from hotloop.profilers.reading import read
from hotloop.profiles.counts import told
from hotloop.profiles.failure import ProfileError

AGENT = """*******
Agent {number}
*******
  Name:                    {name}
  Uuid:                    GPU-bb2cf08670c9e822
  Marketing Name:          {product}
  Device Type:             {kind}
  Max Clock Freq. (MHz):   1700
  Compute Unit:            104
  SIMDs per CU:            4
  Shader Engines:          8
  Max Waves Per CU:        32(0x20)
  ISA Info:
    ISA 1
      Name:                    amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-
"""
HEAD = "ROCk module is loaded\n==========\nHSA Agents\n==========\n"
CPU = AGENT.format(number=1, name="AMD EPYC 7763 64-Core Processor", product="AMD EPYC 7763", kind="CPU")
GPU = AGENT.format(number=2, name="gfx90a", product="AMD Instinct MI250X/MI250", kind="GPU")


def test_rocminfo_names_the_device_and_its_machine(write):
    profile = read(
        write("results.sysinfo.txt", HEAD + CPU + GPU + GPU.replace("Agent 2", "Agent 3") + "*** Done ***\n")
    )
    assert (profile.architecture, profile.device_name) == ("gfx90a", "AMD Instinct MI250X/MI250")
    machine = told(profile)
    assert (machine.compute_units, machine.simds, machine.shader_engines, machine.wave_slots) == (104, 4, 8, 8)
    assert machine.clock_hz == 1.7e9


def test_rocminfo_without_a_gpu_says_nothing(write):
    with pytest.raises(ProfileError, match="no GPU"):
        read(write("info.txt", HEAD + CPU))


STATS = '"Name","Calls","TotalDurationNs","AverageNs","Percentage","MinNs","MaxNs","StdDev"\n'


@pytest.mark.parametrize(("name", "kernel"), [
    ("MIOpenBatchNormBwdSpatial", True), ("laplacian_kernel", True), ("ncclDevKernel_Generic(ncclDevComm*)", True),
    ("hipMemcpy", False), ("hsa_signal_wait_scacquire", False), ("KERNEL_DISPATCH", False), ("HIP_API", False),
    ("MEMORY_COPY_HOST_TO_DEVICE", False), ("ncclAllReduce", False), ("__hipPushCallConfiguration", False),
])  # fmt: skip
def test_statistics_of_kernels_are_told_from_those_of_calls(write, name, kernel):
    profile = read(write("1_kernel_stats.csv", f'{STATS}"{name}",4,40,10.0,100.00,7,16,3.5\n'))
    assert recognised(write("x.csv", STATS)).name == "rocprof statistics CSV"
    found = profile.kernels if kernel else profile.calls
    assert bool(profile.kernels) == kernel
    assert bool(profile.calls) != kernel
    assert (found[0].duration_ns.total, found[0].duration_ns.minimum, found[0].duration_ns.maximum) == (40, 7, 16)


COMPUTE = "Dispatch_ID,GPU_ID,Grid_Size,Workgroup_Size,Wave_Size,Kernel_Name,Correlation_ID,{},Start_Timestamp,End_Timestamp\n"


def test_decimal_time_stamps_are_times(write):
    """Means of passes; a double would round them to 128 ns."""
    text = COMPUTE.format("SQ_WAVES") + '0,0,64,64,64,"k",1,1.0,1248227792617386.5,1248227792639148.5\n'
    (launch,) = read(write("pmc_perf.csv", text)).dispatches
    assert launch.duration_ns == 21_762


def test_repeated_columns_divide_passes(write):
    columns = "SQ_WAVES,SQ_WAIT_ANY,TCC_HIT[0],Wave_Size_1,Correlation_ID_1,SQ_WAVE_CYCLES,TCC_HIT[1],obj_2,GRBM_COUNT"
    text = COMPUTE.format(columns) + '0,0,64,64,64,"k",1,1.0,2.0,3.0,64,1,4.0,5.0,0x0,6.0,10,20\n'
    (launch,) = read(write("pmc_perf.csv", text)).dispatches
    assert launch.passes == ({"SQ_WAVES": 1.0, "SQ_WAIT_ANY": 2.0}, {"SQ_WAVE_CYCLES": 4.0}, {"GRBM_COUNT": 6.0})
    assert launch.counters["TCC_HIT[1]"] == 5


def test_folders_of_newer_versions_hold_passes_in_long_form(write, tmp_path):
    head = "GPU_ID,GUID,Correlation_Id,Dispatch_ID,Grid_Size,Workgroup_Size,Kernel_Name,Start_Timestamp,End_Timestamp,Kernel_ID,Counter_Name,Counter_Value\n"
    for number, (counter, count) in enumerate((("GRBM_COUNT", 7.0), ("SQ_BUSY_CYCLES", 9.0))):
        write(f"w/results_pmc_perf_{number}.csv", f'{head}1,g,1,0,1048576,256,"k",100,350,0,{counter},{count}\n')
    write("w/sysinfo.csv", "workload_path,gpu_model,gpu_arch,cu_per_gpu\n/w,RDNA35_KRACKAN2,gfx1153,4\n")
    profile = read(tmp_path / "w")
    assert (profile.architecture, profile.device_name) == ("gfx1153", "RDNA35_KRACKAN2")
    (launch,) = profile.dispatches
    assert launch.duration_ns == 250
    assert launch.passes == ({"GRBM_COUNT": 7.0}, {"SQ_BUSY_CYCLES": 9.0})
