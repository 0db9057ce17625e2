"""Logs of oclgrind (written by version 21.10 for small planted kernels) and the text that compute-sanitizer prints."""

import pytest

from hotloop.verify.sanitizer import BOUNDS, DIVERGENCE, OTHER, RACE, UNINITIALISED, Place, gave_up, merge, parse

INVALID = """
Invalid write of size 4 at global memory address 0x3000000000040
\tKernel: k
\tEntity: Global(0,0,0) Local(0,0,0) Group(0,0,0)
\t  store float 1.000000e+00, float addrspace(1)* %arrayidx14, align 4, !dbg !51, !tbaa !43
\tAt line 8 (column 37) of input.cl:
\t  if (get_global_id(0) == 0) y[n] = 1.0f;
\t
"""
DIVERGED = """
Work-group divergence detected (barrier)
\tKernel:     k
\tWork-group: (0,0,0)
\tOnly 4 out of 8 work-items executed barrier
\t  tail call spir_func void @_Z7barrierj(i32 noundef 1) #5, !dbg !55
\tAt line 11 (column 16) of input.cl:
\t  if (l < 4) barrier(CLK_LOCAL_MEM_FENCE);
\t
"""
RACES = """
Write-write data race at global memory address 0x3000000000002
\tKernel: k
\t
\tFirst entity:  Global(1,0,0) Local(1,0,0) Group(0,0,0)
\t  store float %conv15, float addrspace(1)* %y, align 4, !dbg !53, !tbaa !43
\tAt line 9 (column 10) of input.cl:
\t  y[0] = l;
\t
\tSecond entity: Global(0,0,0) Local(0,0,0) Group(0,0,0)
\t  store float 0x7FF8000000000000, float addrspace(1)* %arrayidx6, align 4, !dbg !42, !tbaa !43
\tAt line 7 (column 25) of input.cl:
\t  y[get_global_id(0)] += q[l % 4];
\t
"""
UNINIT = """
Controlflow depends on uninitialized value
\tKernel: gemm
\tEntity: Global(0,0,0) Local(0,0,0) Group(0,0,0)
\t  %call229 = call spir_func float @_Z3fmafff(float noundef %139, float noundef %141, float noundef %144) #5, !dbg !354
\tAt line 416 (column 63) of input.cl:
\t  for (int u = 0; u < KUNROLL; ++u) RANK_1_UPDATE(kk + u)
\t
"""
API = """
Oclgrind - OpenCL runtime error detected
\tFunction: clGetDeviceInfo
\tError:    CL_INVALID_VALUE
\tFor argument 'param_name'
"""
FATAL = """
OCLGRIND FATAL ERROR (./src/plugins/Uninitialized.cpp:1805)
Unsupported instruction: freeze
\tKernel: gemm
\tEntity: Global(0,0,0) Local(0,0,0) Group(0,0,0)
\tDebugging information not available.
"""


@pytest.mark.parametrize(
    ("text", "kind", "kernel", "lines"),
    [
        (INVALID, BOUNDS, "k", [8]),
        (DIVERGED, DIVERGENCE, "k", [11]),
        (RACES, RACE, "k", [9, 7]),
        (UNINIT, UNINITIALISED, "gemm", [416]),
    ],
)
def test_a_report_of_oclgrind_has_kind_kernel_and_lines(text, kind, kernel, lines):
    (found,) = parse(text)
    assert (found.kind, found.kernel, [place.line for place in found.places]) == (kind, kernel, lines)
    assert "0x3" not in found.message


def test_the_source_line_is_kept():
    (found,) = parse(RACES)
    assert found.places[0] == Place(line=9, file="input.cl", text="y[0] = l;")
    assert found.where == "line 9 and line 7"


def test_the_same_place_counts_once_and_other_text_is_passed_over():
    found = parse("program output\n" + API + INVALID + RACES + RACES.replace("002", "003") + "done\n")
    assert [(one.kind, one.count) for one in found] == [(BOUNDS, 1), (RACE, 2)]
    assert [one.count for one in merge((*found, *found))] == [2, 4]


def test_giving_up_is_not_a_finding_but_is_known():
    assert [one.kind for one in parse(FATAL + INVALID)] in ([BOUNDS], [OTHER, BOUNDS])
    assert gave_up(FATAL + FATAL) == ("Unsupported instruction: freeze",)
    assert gave_up(INVALID) == gave_up("") == ()


@pytest.mark.parametrize("text", ["", "\n\n", "nothing to see", "Invalid", "\tKernel: k"])
def test_no_report_is_no_finding(text):
    assert parse(text) == ()


def test_half_a_report_is_a_finding_without_a_place():
    (found,) = parse("\nInvalid read of size 4 at local memory address 0x1\n\tKernel: half")
    assert (found.kind, found.kernel, found.places, found.where) == (BOUNDS, "half", (), "an unknown line")


MEMCHECK = """
========= COMPUTE-SANITIZER
========= Invalid __global__ write of size 4 bytes
=========     at scale(float *, int)+0x70 in /home/user/scale.cu:12
=========     by thread (32,0,0) in block (1,0,0)
=========     Address 0x7f0000000400 is out of bounds
=========     Saved host backtrace up to driver entry point at kernel launch time
=========     Host Frame: main in /home/user/scale.cu:40
=========
========= Invalid __global__ write of size 4 bytes
=========     at scale(float *, int)+0x70 in /home/user/scale.cu:12
=========     by thread (33,0,0) in block (1,0,0)
=========
========= Error: Race reported between Write access at tile(float *)+0x40 in /home/user/tile.cu:9
=========     and Read access at tile(float *)+0x90 in /home/user/tile.cu:11 [128 hazards]
=========
========= Uninitialized __global__ memory read of size 4 bytes
=========     at sum(float *)+0x20 in /home/user/sum.cu:5
=========     by thread (0,0,0) in block (0,0,0)
=========
========= Barrier error detected. Divergent thread(s) in block.
=========     at wait()+0x30 in /home/user/wait.cu:7
=========     by thread (0,0,0) in block (0,0,0)
=========
========= ERROR SUMMARY: 5 errors
"""


def test_compute_sanitizer_text():
    found = parse(MEMCHECK)
    rows = [(one.kind, one.kernel, [p.line for p in one.places], one.count) for one in found]
    assert rows == [
        (BOUNDS, "scale", [12], 2),
        (RACE, "tile", [9, 11], 1),
        (UNINITIALISED, "sum", [5], 1),
        (DIVERGENCE, "wait", [7], 1),
    ]
    assert found[0].places[0].file == "scale.cu"


def test_a_clean_log_of_compute_sanitizer():
    assert parse("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n") == ()
