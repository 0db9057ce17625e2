"""The three generations of rocprof: what differs between them, and their traps."""

import json
import sqlite3

import pytest

from hotloop.profilers.joining import joined
from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError

V1_COLUMNS = (
    "Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,accum_vgpr,sgpr,wave_size,sig,obj"
)
V1_ROW = '{i},"{k}",8,0,{i},42,42,134217728,256,0,0,24,0,32,64,"0x0","0x7f8ede91d5c0"'


def v1_times():
    header = ",".join(f'"{c}"' for c in f"{V1_COLUMNS},DispatchNs,BeginNs,EndNs,CompleteNs,DurationNs".split(","))
    rows = [V1_ROW.format(i=i, k="laplacian") + f",1,{1000 * i + 1},{1000 * i + 501},9,500" for i in range(3)]
    return "\n".join([header, *rows]) + "\n"


def v1_counters():
    rows = [
        V1_ROW.format(i=i, k="laplacian").replace('"0x0"', "0x0") + f",{i}.5000000000,0.0000000000" for i in range(3)
    ]
    return "\n".join([f"{V1_COLUMNS},FETCH_SIZE,SQ_WAVES", *rows]) + "\n"


def test_v1_both_dialects(write):
    times, counters = read(write("results.csv", v1_times())), read(write("pmc.csv", v1_counters()))
    assert times.tool == counters.tool == "rocprof-v1"
    assert times.dispatches[1].duration_ns == 500
    assert times.dispatches[1].grid_items == 134217728
    assert counters.dispatches[1].counters == {"FETCH_SIZE": 1.5, "SQ_WAVES": 0.0}
    assert counters.dispatches[1].duration_ns is None
    assert "time stamps" in counters.why_absent("duration_ns")
    assert "counters" in {a.name for a in times.absent}


def test_v1_runs_are_joined_by_order(write):
    times, counters = read(write("a.csv", v1_times())), read(write("b.csv", v1_counters()))
    result = joined(counters.dispatches, times.dispatches, "a.csv")
    assert result.dispatches[2].counters["FETCH_SIZE"] == 2.5
    assert result.dispatches[2].duration_ns == 500
    assert not result.notes
    short = joined(counters.dispatches, times.dispatches[1:], "a.csv")
    assert short.dispatches == counters.dispatches
    assert "other launches" in short.notes[0]


def test_v1_older_versions_have_one_register_column(write):
    text = v1_counters().replace("arch_vgpr,accum_vgpr", "vgpr").replace(",24,0,32", ",24,32")
    profile = read(write("pmc.csv", text))
    assert profile.dispatches[0].vgprs == 24
    assert profile.dispatches[0].agprs is None
    assert "one register file" in profile.why_absent("agprs")


def test_v1_database_with_literal_quotes(tmp_path):
    path = tmp_path / "results.db"
    with sqlite3.connect(path) as connection:
        columns = f"{V1_COLUMNS},BeginNs,EndNs,DurationNs".split(",")
        connection.execute("CREATE TABLE KERN (" + ", ".join('"' + c + '" INTEGER' for c in columns) + ")")
        values = [0, '"laplacian"', 8, 0, 1, 42, 42, 512, 256, 0, 0, 24, 0, 32, 64, "0x0", "0x7f", 10, 30, 20]
        connection.execute(f"INSERT INTO KERN VALUES ({','.join('?' * len(values))})", values)
    connection.close()
    profile = read(path)
    assert profile.format == "dispatches (SQLite table KERN)"
    assert profile.dispatches[0].kernel == "laplacian"
    assert profile.dispatches[0].duration_ns == 20


def test_v1_json_that_is_none(write):
    text = (
        ',{"args":{"name":"GPU0"},"ph":"M","pid":6,"name":"process_name","sort_index":0}\n'
        ',{"ts":1.0,"dur":2.5,"ph":"X","pid":"6","tid":1,"name":"k","args":{"DurationNs":"2499"}}\n'
        ',{"ts":1.0,"dur":2.5,"ph":"X","pid":"6","tid":1,"name":"k","args":{}}\n'
        ',{"ts":1.0,"dur":2.5,"ph":"X","pid"'
    )
    profile = read(write("results.json", text))
    (call,) = profile.calls
    assert (call.domain, call.name, call.duration_ns.count, call.duration_ns.total) == ("GPU0", "k", 2, 4999.0)
    assert "no JSON" in profile.notes[0]


V2_LINE = (
    'Dispatch_ID({d}), GPU_ID(5), Queue_ID(1), Process_ID({p}), Thread_ID(1), Grid_Size(1048576), Workgroup_Size(256), LDS(0), '
    'Scratch_Size(0), Arch_VGPR(12), Accumulative_VGPR(4), SGPR(32), Wave_Size(64), Kernel_Name("{k}"), '
    "Begin_Timestamp(139857691152944), End_Timestamp(139857835223272), Correlation_ID(0), GRBM_COUNT(499551.000000), "
    "TCC_HIT[3](7.000000)"
)  # fmt: skip


def test_v2_text_among_a_programs_output(write):
    name = 'void k<int, "x">(float*, int), (lambda)'
    text = f"hello, GRBM_COUNT(1)\nrank 0: {V2_LINE.format(d=1, p=10, k=name)}\n{V2_LINE.format(d=1, p=11, k='add')}\nDispatch_ID(2), GPU_ID(\n"
    profile = read(write("out.txt", text))
    one, other = profile.dispatches
    assert (one.kernel, other.kernel) == (name, "add")
    assert (one.process_id, other.process_id) == (10, 11)
    assert one.counters == {"GRBM_COUNT": 499551.0, "TCC_HIT[3]": 7.0}
    assert one.agprs == 4
    assert one.duration_ns == 144070328
    assert "cut off" in profile.notes[0]


def test_v3_kernel_trace_versions(write):
    new = (
        '"Kind","Agent_Id","Queue_Id","Stream_Id","Dispatch_Id","Kernel_Name","Start_Timestamp","End_Timestamp","VGPR_Count",'
        '"Workgroup_Size_X","Workgroup_Size_Y","Workgroup_Size_Z","Grid_Size_X","Grid_Size_Y","Grid_Size_Z"\n'
        '"KERNEL_DISPATCH","Agent 4",1,1,2,"k",100,350,8,64,2,1,1024,1024,1\n'
    )
    old = new.replace('"Stream_Id",', "").replace("1,1,2", "1,2").replace('"VGPR_Count",', "").replace(",8,64", ",64")
    unnumbered = old.replace('"Dispatch_Id",', "").replace("1,2,", "1,")
    shortened = new.replace('"KERNEL_DISPATCH"', '...\n"KERNEL_DISPATCH"') + ".\n.\n"
    for text in (new, old, unnumbered, shortened):
        (dispatch,) = read(write("t.csv", text)).dispatches
        assert (dispatch.grid_items, dispatch.workgroup_items, dispatch.duration_ns) == (1 << 20, 128, 250)
    assert "registers" in read(write("t.csv", old)).why_absent("vgprs")
    assert any("where it has dots" in said for said in read(write("t.csv", shortened)).notes)


def test_v3_agents(write):
    text = '"Node_Id","Logical_Node_Id","Agent_Type","Cu_Count","Name"\n0,0,"CPU",0,"EPYC"\n4,1,"GPU",304,"gfx942"\n'
    profile = read(write("agent_info.csv", text))
    assert profile.architecture == "gfx942"
    assert ("Agent 4", "Cu_Count", "304") in {(f.device, f.name, f.value) for f in profile.facts}


def test_v3_samples(write):
    head = '"Sample_Timestamp","Exec_Mask","Dispatch_Id","Instruction","Instruction_Comment","Correlation_Id"'
    more = ',"Wave_Issued_Instruction","Instruction_Type","Stall_Reason","Wave_Count"\n'
    reason = "ROCPROFILER_PC_SAMPLING_INSTRUCTION_NOT_ISSUED_REASON_"
    rows = (
        f'1,18446744073709551615,1,"s_waitcnt vmcnt(0)","a.cpp:3",1,0,"X","{reason}WAITCNT",4\n' * 2
        + f'1,1,1,"v_add v0, v1","",1,1,"X","{reason}NONE",4\n'
    )
    profile = read(write("s.csv", head + more + rows))
    first, second = profile.samples
    assert (first.instruction, first.source, first.samples, first.issued, first.stalls) == (
        "s_waitcnt vmcnt(0)",
        "a.cpp:3",
        2,
        0,
        {"WAITCNT": 2},
    )
    assert second.issued == 1
    trapped = read(write("h.csv", head + '\n1,1,1,"s_endpgm","",1\n'))
    assert trapped.samples[0].issued is None
    assert "host-trap" in trapped.why_absent("stalls")


def record(pid=9, kernels=("add(float*)",), values=(3.0, 4.0)):
    info = {"agent_id": {"handle": 5}, "queue_id": {"handle": 1}, "kernel_id": 2, "dispatch_id": 1, "private_segment_size": 0,
            "group_segment_size": 512, "workgroup_size": {"x": 64, "y": 2, "z": 1}, "grid_size": {"x": 1024, "y": 1, "z": 1}}  # fmt: skip
    return {
        "metadata": {"pid": pid},
        "callback_records": {"counter_collection": [
            {"dispatch_data": {"dispatch_info": info}, "arch_vgpr_count": 24, "sgpr_count": 32,
             "records": [{"counter_id": {"handle": 77}, "value": v} for v in values]}]},
        "buffer_records": {
            "kernel_dispatch": [{"dispatch_info": info, "start_timestamp": 100, "end_timestamp": 400}],
            "hip_api": [{"kind": 1, "operation": 1, "start_timestamp": 5, "end_timestamp": 9}] * 2},
        "strings": {"buffer_records": [{"kind": "NONE", "operations": []}, {"kind": "HIP_RUNTIME", "operations": ["a", "hipMalloc"]}]},
        "agents": [{"id": {"handle": 5}, "node_id": 4, "name": "gfx942", "wave_front_size": 64, "cu_count": 304}],
        "counters": [{"id": {"handle": 77}, "name": "SQ_WAVES"}],
        "kernel_symbols": [{"kernel_id": 2, "formatted_kernel_name": kernels[0]}],
    }  # fmt: skip


def test_v3_json_small_and_streamed_agree(write, monkeypatch):
    text = json.dumps({"rocprofiler-sdk-tool": [record(), record(10, values=(5.0, 6.0))]}, indent=1)
    path = write("r.json", text)
    small = read(path)
    assert small.dispatches[0].counters == {"SQ_WAVES": 7.0}
    assert small.dispatches[0].device == "Agent 4"
    assert small.dispatches[0].wave_size == 64
    monkeypatch.setattr("hotloop.profilers.jsontext.WHOLE_BYTES", 10)
    streamed = read(path)
    assert not streamed.dispatches
    assert "too many" in streamed.why_absent("dispatches")
    (one,), (other,) = small.kernels, streamed.kernels
    assert (one.dispatches, one.counters, one.duration_ns) == (other.dispatches, other.counters, other.duration_ns)
    assert (
        (one.grid_items, one.workgroup_items, one.lds_bytes)
        == (other.grid_items, other.workgroup_items, other.lds_bytes)
        == (1024, 128, 512)
    )
    assert streamed.calls == small.calls
    assert small.calls[0].name == "hipMalloc"
    assert small.calls[0].domain == "HIP_RUNTIME"
    assert small.architecture == streamed.architecture == "gfx942"


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("bad", [
    '{"rocprofiler-sdk-tool": ' + "[" * 200_000,
    '{"rocprofiler-sdk-tool": [{"a": ' * 3000,
    '{"rocprofiler-sdk-tool": [{"agents": [{"id": ' + "[" * 100_000,
    '{"rocprofiler-sdk-tool": [{"agents": [{"id"',
    '{"rocprofiler-sdk-tool": [] } trailing',
    '{"rocprofiler-sdk-tool": [{"metadata": {"pid": ' + "9" * 6000 + "}}]}",
    '{"rocprofiler-sdk-tool": [{5: 1}]}',
])  # fmt: skip
def test_v3_json_bombs_and_damage(write, monkeypatch, bad, streamed):
    if streamed:
        monkeypatch.setattr("hotloop.profilers.jsontext.WHOLE_BYTES", 10)
    with pytest.raises(ProfileError):
        read(write("r.json", bad))


def test_a_table_that_a_script_made_of_counters(write):
    text = "Dispatch_Id,Kernel_Name,Duration_ns,SQ_WAVES,L2CacheHit\n1,scale,100,4,75\n2,scale,200,6,85\n"
    (kernel,) = read(write("made.csv", text)).kernels
    assert (kernel.dispatches, kernel.duration_ns.total, kernel.counters["SQ_WAVES"].total) == (2, 300, 10)
    bare = read(write("bare.csv", "Index,KernelName,grd,wgr,wave_size,GPUBusy\n0,norm,64,64,64,50\n"))
    assert dict(bare.kernels[0].counters)["GPUBusy"].total == 50


def test_counters_by_name_without_a_launch_number(write):
    text = '"Kernel_Name","Counter_Name","Counter_Value"\n"scale","SQ_WAVES",4\n"scale","SQ_INSTS",9\n"scale","SQ_WAVES",6\n'
    profile = read(write("c.csv", text))
    assert [dict(d.counters) for d in profile.dispatches] == [{"SQ_WAVES": 4, "SQ_INSTS": 9}, {"SQ_WAVES": 6}]
    assert any("no number" in note for note in profile.notes)


def test_counters_alone_are_one_launch_of_an_unnamed_kernel(write):
    """As slides of a course show them: LUMI's training on HIP, a transpose through local memory."""
    head = "GPUBusy,Wavefronts,VALUInsts,SALUInsts,MemUnitStalled,VALUBusy,SALUBusy,L2CacheHit,WriteUnitStalled,LDSBankConflict"
    profile = read(write("metrics_lds.csv", f"{head}\n100,262144,20,2,26,26,2,0,0,67\n"))
    assert [launch.counters["LDSBankConflict"] for launch in profile.dispatches] == [67.0]


@pytest.mark.parametrize("head", ["GPUBusy,Wavefronts,VALUInsts", "GPUBusy,Wavefronts,VALUInsts,Celsius"])
def test_few_columns_or_a_foreign_one_are_no_table_of_counters(write, head):
    with pytest.raises(ProfileError):
        read(write("some.csv", f"{head}\n1,2,3,4\n"))
