import pytest

from hotloop.isa.dialects.x86 import DIALECT
from hotloop.isa.hot import hot_loop
from hotloop.isa.updates import memory_updates


def loop(*rows):
    text = "\n".join(f" {4 * n:x}:\t{row}" for n, row in enumerate((*rows, "cmp rdi,rsi", "jne 0", "ret")))
    (function,) = DIALECT.parse(f"0000000000000000 <k>:\n{text}\n")
    return hot_loop(function).instructions


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        (("vfmadd231ps zmm8,zmm9,zmm10", "vmovups ZMMWORD PTR [r10+r11*4],zmm8", "inc rsi"), 1),
        (("vfmadd231ps zmm8,zmm9,zmm10", "vmovups ZMMWORD PTR [r10+rsi*4],zmm8", "inc rsi"), 0),
        (("movss xmm0,DWORD PTR [r10]", "addss xmm0,xmm1", "movss DWORD PTR [r10],xmm0", "add r9,4"), 1),
        (("vscatterqps ZMMWORD PTR [rsi+zmm9]{k1},ymm10", "vpaddq zmm9,zmm9,zmm3"), 0),
        (("vscatterqps ZMMWORD PTR [rsi+zmm9]{k1},ymm10", "vpaddq zmm8,zmm8,zmm3"), 1),
        (("mov DWORD PTR [rsp+8],eax", "inc rsi"), 0),
    ],
)
def test_places_that_the_loop_writes_again(rows, count):
    assert memory_updates(loop(*rows)) == count
