"""Which buffer accesses go to private memory."""

from hotloop.isa.amdgcn.scratch import marked
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.instruction import MemorySpace

IN_PLACE = "s_add_u32 s0, s0, s7; s_addc_u32 s1, s1, 0"
COPIED = "s_mov_b64 s[10:11], s[2:3]; s_mov_b64 s[8:9], s[0:1]; s_load_dwordx4 s[0:3], s[4:5], 0x0; s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0"
THROUGH = "buffer_load_dword v1, off, s[0:3], 0; buffer_store_dword v1, v2, s[8:11], s3 offen offset:4"


def spaces(code, *, target="gfx90a", scratch_bytes=64, end="s_endpgm"):
    lines = "\n".join(f"\t{part.strip()}" for part in f"{code};{end}".split(";"))
    text = f'\t.amdgcn_target "amdgcn-amd-amdhsa--{target}"\n\t.type\tk,@function\nk:\n{lines}\n.Lend:\n\t.size\tk, .Lend-k\n'
    (function,) = DIALECT.parse(text)
    return [
        i.traits.space for i in marked(function, scratch_bytes).instructions if i.mnemonic.startswith(("buffer_", "scratch_"))
    ]  # fmt: skip


GLOBAL, SCRATCH = MemorySpace.GLOBAL, MemorySpace.SCRATCH


def test_the_descriptor_that_the_prolog_prepares_is_the_one():
    assert spaces(f"{IN_PLACE}; {THROUGH}") == [SCRATCH, GLOBAL]
    assert spaces(f"{COPIED}; {THROUGH}") == [GLOBAL, SCRATCH]


def test_an_addition_to_registers_that_hold_something_else_is_no_prolog():
    assert spaces(f"s_load_dwordx4 s[0:3], s[4:5], 0x0; {IN_PLACE}; {THROUGH}") == [GLOBAL, GLOBAL]
    assert spaces(f"s_add_u32 s8, s8, s7; s_addc_u32 s9, s9, 0; {THROUGH}") == [GLOBAL, GLOBAL]
    assert spaces(f"s_cbranch_scc0 .Lend; {IN_PLACE}; {THROUGH}") == [GLOBAL, GLOBAL]


def test_kernels_without_private_memory_have_no_descriptor():
    assert spaces(f"{IN_PLACE}; {THROUGH}", scratch_bytes=0) == [GLOBAL, GLOBAL]
    assert spaces(f"{IN_PLACE}; {THROUGH}", scratch_bytes=None) == [GLOBAL, GLOBAL]


def test_generations_with_scratch_instructions_use_them():
    assert spaces(f"{IN_PLACE}; {THROUGH}", target="gfx942") == [GLOBAL, GLOBAL]
    assert spaces(f"{IN_PLACE}; {THROUGH}", target="gfx1100") == [GLOBAL, GLOBAL]
    assert spaces(f"{IN_PLACE}; scratch_load_dword v1, off, s4; {THROUGH}", target="gfx1030") == [
        SCRATCH,
        GLOBAL,
        GLOBAL,
    ]


def test_a_called_function_finds_it_in_the_first_registers():
    assert spaces(THROUGH, scratch_bytes=None, end="s_setpc_b64 s[30:31]") == [SCRATCH, GLOBAL]
    called = spaces(THROUGH, scratch_bytes=None, end="s_setpc_b64 s[30:31]", target="gfx1100")
    assert called == [GLOBAL, GLOBAL]
