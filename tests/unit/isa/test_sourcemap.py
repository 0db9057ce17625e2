"""Source lines from debug lines of listings."""

from hotloop.isa import sourcemap
from hotloop.isa.sourcemap import SourceLine, source_lines

LLVM = """\t.file\t1 "/src" "gemm.py"
k:
\t.loc\t1 20 5
\tv_add_f32 v0, v1, v2
\tv_mul_f32 v0, v1, v2
\t.loc\t1 0 5
\tv_mov_b32 v0, 0
\t.loc\t1 31 9 is_stmt 0
\tv_add_f32 v3, v1, v2
"""
NVIDIA = """\t//## File "/src/gemm.py", line 7
        /*0000*/  MOV R1, R2 ;
\t//## File "/src/gemm.py", line 9 inlined at "/src/gemm.py", line 3
        /*0010*/  EXIT ;
"""


def test_llvm_lines_with_their_file():
    assert source_lines(LLVM, [4, 5, 9]) == (SourceLine("/src/gemm.py", 20, 2), SourceLine("/src/gemm.py", 31, 1))


def test_line_zero_is_nobodys():
    assert source_lines(LLVM, [7]) == ()


def test_nvdisasm_lines():
    assert source_lines(NVIDIA, [2, 4]) == (SourceLine("/src/gemm.py", 7, 1), SourceLine("/src/gemm.py", 9, 1))


def test_without_debug_lines_there_is_nothing():
    assert source_lines("\ts_endpgm\n", [1]) == ()
    assert source_lines(LLVM, [None, 1]) == ()


def test_a_listing_is_read_once_for_all_that_is_asked_of_it():
    listing = LLVM.replace("gemm.py", "read_once.py")
    before = sourcemap._marks.cache_info().misses
    assert [source_lines(listing, [line])[0].line for line in (4, 9)] == [20, 31]
    assert sourcemap._marks.cache_info().misses == before + 1
