"""Code of compilers that are newer than the disassembler."""

import struct

import pytest

from hotloop.host.disassemble import _undecoded
from hotloop.host.library import _plain


@pytest.mark.parametrize(
    ("words", "plain"),
    [
        ((0xD4840000, 0x02020003), [0x00020003]),  # v_cmp of gfx1030 as ROCm 7.15 writes it
        ((0xCC104019, 0x1A021D14), [0x18021D14]),  # packed
        ((0xD5C00101, 0x02010103), [0x00010103, 0x00000103]),  # one operand: v_frexp_mant_f32 of gfx1030
        ((0xD70F0101, 0x04020203), []),  # a third operand that is used stays
        ((0x02020003, 0x02020003), []),  # another encoding
    ],
)
def test_an_unused_operand_reads_as_older_compilers_write_it(words, plain):
    rest = b"rest"
    assert _plain(struct.pack("<2I", *words) + rest) == tuple(
        struct.pack("<2I", words[0], word) + rest for word in plain
    )
    assert _plain(b"\x81\0\x84\xbf") == ()


def test_instructions_that_were_taken_for_data_are_seen():
    row = "\tv_mov_b32_e32 v4, 0x8000                                   // 00000004891C: 7E0802FF 00008000\n"
    data = "\t.long 0xd4840000                                           // 00000004892C: D4840000\n"
    assert not _undecoded(row * 1000 + data)
    assert _undecoded(row * 100 + data)
