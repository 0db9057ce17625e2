"""rocprof-compute workloads: wide tables, merged passes, accumulators, spreadsheet damage."""

import pytest

from hotloop.profilers.formats.compute.counters import channels
from hotloop.profilers.reading import read
from hotloop.profiles.counts import told
from hotloop.profiles.failure import ProfileError

NAME = '"vecCopy(double*, int) [clone .kd]"'


def wide(rows=2, times="100,350", extra="", cells=""):
    head = (
        "Dispatch_ID,Kernel_Name,GPU_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,wave_size,obj,"
        f"TCC_HIT[0],TCC_HIT[1],wave_size_3,obj_3,Correlation_ID_4,XCC_Index,XCC_Index_5,SQ_WAVES{extra},Start_Timestamp,End_Timestamp\n"
    )
    return head + "".join(
        f"{i},{NAME},2,1024,256,0,0,8,0,16,64,0x7f,3,5,64,0x7e,0,0,0,16{cells},{times}\n" for i in range(rows)
    )


def level(first=0, kernel=NAME, rows=2):
    head = "Dispatch_ID,Kernel_Name,GPU_ID,queue-id,pid,Grid_Size,wave_size,SQ_WAVES,SQ_INSTS_SMEM,SQ_INST_LEVEL_SMEM,SQ_ACCUM_PREV_HIRES,DispatchNs\n"
    return head + "".join(f"{i},{kernel},2,0,7,1024,64,16,10,0,2960,1\n" for i in range(first, first + rows))


def test_describing_columns_of_merged_passes_are_no_counters(write):
    profile = read(write("pmc_perf.csv", wide()))
    dispatch = profile.dispatches[0]
    assert dispatch.counters == {"TCC_HIT[0]": 3.0, "TCC_HIT[1]": 5.0, "SQ_WAVES": 16.0}
    assert channels(dispatch.counters, "TCC_HIT") == (3.0, 5.0)
    assert dispatch.wave_size == 64
    assert dispatch.duration_ns == 250


def test_an_empty_cell_is_an_absent_counter(write):
    profile = read(write("pmc_perf.csv", wide(extra=",TCC_MISS_sum,TCC_REQ_sum", cells=",,0")))
    assert "TCC_MISS_sum" not in profile.dispatches[0].counters
    assert profile.dispatches[0].counters["TCC_REQ_sum"] == 0


@pytest.mark.parametrize(("times", "duration", "says"), [
    ("8.1097E+14,8.1097E+14", None, "spreadsheet"),
    ("0,5000", 5000, ""),
    ("0,1411551767656192", None, "out of order"),
    ("7,7", None, "not 0"),
    (",", None, ""),
])  # fmt: skip
def test_times(write, times, duration, says):
    profile = read(write("pmc_perf.csv", wide(times=times)))
    assert profile.dispatches[0].duration_ns == duration
    assert says in profile.why_absent("duration_ns")


@pytest.fixture
def workload(write):
    system = "workload_name,command,version,hostname,gpu_model,gpu_arch,cu_per_gpu\nvcopy,x,2,secret-host,MI300X_A1,gfx942,304\n"
    path = write("w/pmc_perf.csv", wide(times="8.1097E+14,8.1097E+14")).parent
    write("w/sysinfo.csv", system)
    write("w/SQ_INST_LEVEL_SMEM.csv", level())
    return path


def test_a_workload_is_put_together(workload, write):
    write("w/roofline.csv", "device,HBMBw,L2Bw,MFMAFI8OpsLow\n0,1388.9,5018.2,1\n1,1389.3,5029.6,2\n")
    profile = read(workload)
    assert (profile.architecture, profile.device_name, profile.tool_version) == ("gfx942", "MI300X_A1", "2")
    counters = profile.dispatches[1].counters
    assert counters["SQ_INST_LEVEL_SMEM_ACCUM"] / counters["SQ_INSTS_SMEM"] == 296
    assert "SQ_ACCUM_PREV_HIRES" not in counters
    assert ("1", "HBMBw", "1389.3") in {(f.device, f.name, f.value) for f in profile.facts}
    assert "secret-host" not in {f.value for f in profile.facts}
    assert "spreadsheet" in profile.why_absent("duration_ns")


def test_times_are_joined_by_order_not_by_number(workload, write):
    head = "Dispatch_ID,GPU_ID,PID,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID\n"
    write("w/timestamps.csv", head + f"1,2,9,{NAME},100,160,0\n2,2,9,{NAME},200,290,0\n")
    profile = read(workload)
    assert [d.duration_ns for d in profile.dispatches] == [60, 90]
    assert [d.dispatch_id for d in profile.dispatches] == [0, 1]


def test_a_file_of_other_launches_is_left_out(workload, write):
    write("w/SQ_INST_LEVEL_SMEM.csv", level(kernel="other"))
    profile = read(workload)
    assert "SQ_INST_LEVEL_SMEM_ACCUM" not in profile.dispatches[0].counters
    assert "other launches" in profile.notes[0]


def test_passes_that_were_not_merged(write):
    head = "Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Wave_Size,Kernel_Name,Start_Timestamp,End_Timestamp,Correlation_ID,"
    body = "{i},2,1,9,9,1024,256,0,0,4,4,16,64," + NAME + ",100,200,0,"
    for number, (names, values) in enumerate([("SQ_WAVES,SQ_INSTS", "16,5"), ("SQ_WAVES,GRBM_COUNT", "17,7")]):
        path = write(
            f"p/pmc_perf_{number}.csv", f"{head}{names}\n" + "".join(body.format(i=i) + values + "\n" for i in range(2))
        )
    write("p/sysinfo.csv", "workload_name,gpu_arch\nx,gfx90a\n")
    profile = read(path.parent)
    assert profile.dispatches[0].counters == {"SQ_WAVES": 16.0, "SQ_INSTS": 5.0, "GRBM_COUNT": 7.0}
    assert "SQ_WAVES" in profile.notes[0]


def test_the_long_form(write):
    text = (
        "GPU_ID,Dispatch_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Kernel_Name,"
        "Start_Timestamp,End_Timestamp,Kernel_ID,Counter_Name,Counter_Value\n"
        "2,1,1024,256,0,0,8,0,16,k,100,300,5,SQ_WAVES,16.0\n2,1,1024,256,0,0,8,0,16,k,100,300,5,TCC_HIT,7.0\n"
    )
    for name in ("long.csv", "l/pmc_perf.csv"):
        path = write(name, text)
    for where in (path, path.parent):
        profile = read(where)
        assert profile.tool == "rocprof-compute"
        assert profile.dispatches[0].counters == {"SQ_WAVES": 16.0, "TCC_HIT": 7.0}


def test_the_machine_of_an_omniperf_1_folder(workload, write):
    write("w/sysinfo.csv", "workload_name,command,host_name,gpu_soc,numSE,numCU,numSIMD,maxWavesPerCU,sclk,name,hbmBW\n"
                         "w,./w,secret,gfx908,8,120,4,40,1502,mi100,1228.8\n")  # fmt: skip
    machine = told(read(workload / "sysinfo.csv"))
    assert (machine.compute_units, machine.simds, machine.wave_slots, machine.shader_engines) == (120, 4, 10, 8)
    assert (machine.clock_hz, machine.hbm_bytes_per_s) == (1502e6, 1228.8e9)
    profile = read(workload)
    assert (profile.architecture, profile.device_name) == ("gfx908", "mi100")
    assert "secret" not in str(profile.facts)


def test_a_folder_without_counters(tmp_path, write):
    write("e/sysinfo.csv", "workload_name,gpu_arch\nx,gfx90a\n")
    with pytest.raises(ProfileError, match="no file of a profiler"):
        read(tmp_path / "e")


@pytest.mark.parametrize(
    ("model", "number", "name"),
    [("MI300", "29861", "MI325X"), ("MI300X_A1", "29861", "MI300X_A1"), ("MI300", "7", "MI300")],
)
def test_a_chip_of_which_the_profiler_knew_only_the_series_is_named_by_its_number(write, model, number, name):
    """HipKittens' published folder of an MI325X: an older profiler wrote ``MI300``, whose peaks are another chip's."""
    assert (
        read(write("sysinfo.csv", f"workload_name,gpu_model,gpu_arch,chip_id\nx,{model},gfx942,{number}\n")).device_name
        == name
    )
