"""Laws of the profile readers: damage gives a designed error or a profile, never anything else."""

import json
import sqlite3
from contextlib import closing

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hotloop.errors import HotloopError
from hotloop.profilers.detect import formats
from hotloop.profilers.reading import read
from hotloop.profilers.tables import longcsv
from hotloop.profilers.tables.longtable import read_large, read_small
from hotloop.profiles.cell import integer, real
from hotloop.profiles.names import parsed, same

HEADER = "Dispatch_Id,Agent_Id,Process_Id,Grid_Size,Kernel_Name,Workgroup_Size,VGPR_Count,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\n"
SEEDS = [
    HEADER.encode() + b'1,"Agent 1",7,1024,"k(int, int)",64,8,SQ_WAVES,16.0,100,200\n2,"Agent 1",7,1024,k,64,8,GRBM_COUNT,5,300,400\n',
    b'"Index","KernelName","gpu-id","pid","grd","wgr","DispatchNs","BeginNs","EndNs","DurationNs"\n0,"k",8,42,64,64,1,2,3,1\n',
    b'Dispatch_ID(1), GPU_ID(5), Process_ID(3), Grid_Size(64), Kernel_Name("add(int, int)"), Begin_Timestamp(1), End_Timestamp(2), GRBM_COUNT(4.0)\n',
    b"Dispatch_ID,Kernel_Name,GPU_ID,wave_size,wave_size_3,TCC_HIT[0],SQ_ACCUM_PREV_HIRES,Start_Timestamp,End_Timestamp\n0,k,1,64,64,3,5,8.1E+14,8.1E+14\n",
    b'"Name","Calls","TotalDurationNs","AverageNs","Percentage"\n"k",2,10,5,100.0\n',
    b'"Domain","Function","Process_Id","Start_Timestamp","End_Timestamp"\n"HIP","hipMalloc",1,5,9\n',
    b'"Sample_Timestamp","Exec_Mask","Dispatch_Id","Instruction","Instruction_Comment","Correlation_Id"\n1,18446744073709551615,1,"s_endpgm","",1\n',
    b'CodeObj,Vaddr,Instruction,Hitcount,Latency,Stall,Idle,Source\n11,0,"; k",0,0,0,0,""\n11,0,"s_nop 0",4,8,2,0,"a.c:1"\n11,4,"s_cbranch_scc1 65534",4,8,0,0,""\n',
    json.dumps({"code": [["s_nop 0", 0, 1, None, 1, 0, 4, 8, 2, 0]], "header": "ISA, _, LineNumber, Source, Codeobj, Vaddr, Hit, Latency, Stall, Idle"}).encode(),
    json.dumps({"wave": {"begin": 1, "end": 9, "instructions": [[1, 2, 3, 4, 5]], "waitcnt": [[5, [[1, 0]]]]}}).encode(),
    json.dumps({"rocprofiler-sdk-tool": [{"metadata": {"pid": 1}, "buffer_records": {"kernel_dispatch": [
        {"dispatch_info": {"kernel_id": 1, "dispatch_id": 1, "grid_size": {"x": 1, "y": 1, "z": 1}}, "start_timestamp": 1, "end_timestamp": 2}]}}]}).encode(),
    b',{"args":{"name":"COPY"},"ph":"M","pid":1,"name":"process_name"}\n,{"ph":"X","pid":1,"name":"k","dur":1.5,"args":{"DurationNs":"9"}}\n',
    b"0.77,msec,task-clock,768106,100.00,0.091,CPUs utilized\n1,,context-switches,768106,100.00,,\n",
    b" Performance counter stats for 'x':\n\n   1,234      cycles   #  1 GHz  (33.3%)\n\n   0.1 seconds time elapsed\n",
]  # fmt: skip


def database():
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(
            'CREATE TABLE KERN ("Index", "KernelName", "gpu-id", "pid", "grd", "wgr", "BeginNs", "EndNs", "DurationNs");'
            "INSERT INTO KERN VALUES (0, '\"k\"', 1, 2, 64, 64, 5, 9, 4);"
            "CREATE TABLE rocpd_kernel_dispatch_u (id, event_id, dispatch_id, agent_id, pid, kernel_id, start, end, grid_size_x, grid_size_y, grid_size_z);"
            "INSERT INTO rocpd_kernel_dispatch_u VALUES (1, 1, 1, 1, 1, 1, 5, 9, 64, 1, 1);"
        )
        return connection.serialize()


SEEDS.append(database())


@st.composite
def damaged(draw):
    """A real file with bytes replaced, cut, doubled, or two files put together."""
    raw = draw(st.sampled_from(SEEDS))
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["cut", "replace", "insert", "join", "encode"]))
        place = draw(st.integers(0, len(raw)))
        if kind == "cut":
            raw = raw[:place]
        elif kind == "replace":
            raw = raw[:place] + draw(st.binary(max_size=6)) + raw[place + draw(st.integers(0, 6)) :]
        elif kind == "insert":
            word = draw(
                st.sampled_from(
                    [
                        b'"',
                        b",",
                        b"\n",
                        b"\x00",
                        b"[",
                        b"{",
                        b"nan",
                        b"1e999",
                        b"-1",
                        b"\xff\xfe",
                        b"9" * 40,
                        b"[" * 3000,
                    ]
                )
            )
            raw = raw[:place] + word + raw[place:]
        elif kind == "join":
            raw += draw(st.sampled_from(SEEDS))
        else:
            raw = raw.decode("latin-1").encode(draw(st.sampled_from(["utf-16", "utf-16-be", "utf-8-sig"])))
    return raw


def outcome(path):
    try:
        return read(path)
    except HotloopError as error:
        text = str(error)
        assert "\n" not in text
        assert text.isprintable()
        assert path.name in text
        return None


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(raw=damaged(), streamed=st.booleans())
def test_damage_gives_a_profile_or_a_designed_error(tmp_path, monkeypatch, raw, streamed):
    monkeypatch.setattr("hotloop.profilers.jsontext.WHOLE_BYTES", 10 if streamed else 1 << 26)
    monkeypatch.setattr("hotloop.profilers.tables.longtable.LARGE_BYTES", 10 if streamed else 1 << 24)
    path = tmp_path / "profile"
    path.write_bytes(raw)
    before = sorted(p.name for p in tmp_path.iterdir())
    profile = outcome(path)
    assert sorted(p.name for p in tmp_path.iterdir()) == before
    assert path.read_bytes() == raw
    for kernel in profile.kernels if profile else ():
        assert kernel.dispatches > 0
        assert kernel.duration_ns is None or kernel.duration_ns.total >= 0
        assert all(t.count > 0 for t in kernel.counters.values())


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(raw=st.binary(max_size=300), prefix=st.sampled_from([b"", *(seed[:40] for seed in SEEDS)]))
def test_any_bytes(tmp_path, raw, prefix):
    path = tmp_path / "profile"
    path.write_bytes(prefix + raw or b"x")
    outcome(path)


def test_every_seed_is_recognised(tmp_path):
    names = set()
    for number, raw in enumerate(SEEDS):
        path = tmp_path / f"seed{number}"
        path.write_bytes(raw)
        read(path)
        names |= {f.name for f in formats()}
    assert len(names) == len(formats()), "format names are unique"


@st.composite
def tables(draw):
    rows = []
    for _ in range(draw(st.integers(1, 25))):
        dispatch = draw(st.integers(0, 6))
        value = draw(
            st.one_of(st.integers(0, 10**6).map(str), st.sampled_from(["", "nan", "0", "12.5", "1e3", "7.0000000000"]))
        )
        kernel = draw(st.sampled_from(['"a(int, int)"', "b", '"c ""quoted"""']))
        start = draw(st.integers(1, 50))
        times = f"{start},{start + dispatch}"
        rows.append(f'{dispatch},"Agent {dispatch % 2}",{draw(st.integers(1, 2))},{64 * draw(st.integers(1, 2))},{kernel},64,8,'
                    f"C{draw(st.integers(0, 2))},{value},{times}\n")  # fmt: skip
    return HEADER + "".join(rows)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=tables())
def test_the_fast_and_the_slow_reader_see_the_same(tmp_path, monkeypatch, text):
    path = tmp_path / "c.csv"
    path.write_text(text)
    found = []
    for fast in (True, False):
        if fast and not longcsv.fast_available():
            continue
        with monkeypatch.context() as patch:
            patch.setattr(longcsv, "fast_available", lambda fast=fast: fast)
            found.append({k.kernel: k for k in read_large(path, "t").kernels})
    assert all(f == found[0] for f in found)
    small = {k.kernel: k for k in read_small(path, "t").kernels}
    assert small.keys() == found[0].keys()
    for name, kernel in small.items():
        assert (kernel.dispatches, kernel.counters) == (found[0][name].dispatches, found[0][name].counters)
        assert kernel.duration_ns == found[0][name].duration_ns


@given(text=st.text(max_size=60))
def test_cells_are_numbers_or_nothing(text):
    value = real(text)
    assert value is None or float("-inf") < value < float("inf")
    number = integer(text)
    assert number is None or isinstance(number, int)


@given(
    name=st.text(alphabet='_ZNIEL0123456789abkv<>(){}[]:,* ."&', max_size=60),
    other=st.text(alphabet='_ZNkIE14<>() .d"', max_size=30),
)
def test_names_of_any_form(name, other):
    assert parsed(name).full == parsed(parsed(name).full).full
    assert same(name, name)
    assert same(name, other) == same(other, name)
    assert same(name + " [clone .kd]", name)
