"""Finding a kernel's code in program binaries, on binaries written here byte by byte."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotloop.isa import code, elf
from hotloop.isa.static import NAMES, static_evidence
from hotloop.model.program import Launch

FMA = bytes.fromhex("c4e27db8c8")  # vfmadd231ps ymm1, ymm0, ymm0
RET = b"\xc3"
X86_64, RISCV = 62, 243
REL, SHARED, INTEL = 1, 3, 0xFF04


def write_elf(functions=None, sections=None, kind=REL, machine=X86_64, base=0):
    """Return a 64-bit ELF file with `functions` in .text, their symbols, and further `sections`."""
    text, symbols, strings = b"", [struct.pack("<IBBHQQ", 0, 0, 0, 0, 0, 0)], b"\0"
    for name, body in (functions or {}).items():
        symbols.append(struct.pack("<IBBHQQ", len(strings), 0x12, 0, 1, base + len(text), len(body)))
        text, strings = text + body, strings + name.encode() + b"\0"
    content = [
        (".text", 1, text, base, 0, 0),
        (".symtab", 2, b"".join(symbols), 0, 3, 24),
        (".strtab", 3, strings, 0, 0, 0),
    ]
    content += [(name, 1, data, 0, 0, 0) for name, data in (sections or {}).items()]
    names = b"\0" + b"".join(row[0].encode() + b"\0" for row in content) + b".shstrtab\0"
    content.append((".shstrtab", 3, names, 0, 0, 0))
    offset, headers, blob = 64, struct.pack("<IIQQQQIIQQ", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), b""
    for name, flavour, data, address, link, entry in content:
        where = names.find(b"\0" + name.encode() + b"\0") + 1
        headers += struct.pack(
            "<IIQQQQIIQQ", where, flavour, 0, address, offset + len(blob), len(data), link, 1, 1, entry
        )
        blob += data
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    count = len(content) + 1
    header = struct.pack("<HHIQQQIHHHHHH", kind, machine, 1, 0, 0, 64 + len(blob), 0, 64, 0, 0, 64, count, count - 1)
    return ident + header + blob + headers


def intel(**functions):
    return write_elf(sections={".ocl.ir": b"BC", ".ocl.obj": write_elf(functions)}, kind=INTEL, machine=0)


def pocl(*records):
    out = b"poclbin\0" + bytes(28) + b"\x0b\0\0\0/program.bc\x04\0\0\0BC\xc0\xde"
    for path, blob in records:
        out += struct.pack("<I", len(path)) + path.encode() + struct.pack("<I", len(blob)) + blob
    return out + bytes(16)


def pocl_object(kernel, body):
    return write_elf(
        {f"_pocl_kernel_{kernel}": RET, f"_pocl_kernel_{kernel}_workgroup": body}, kind=SHARED, base=0x1000
    )


CLONED = intel(k=RET, _ZGVdN8uu_k=FMA + RET, other=RET, _ZGVdN8uu_other_k=RET)


@pytest.mark.parametrize(
    ("local_size", "symbol", "note"),
    [
        ((16, 16), "_ZGVdN8uu_k", "8 work-items"),
        ((8,), "_ZGVdN8uu_k", "8 work-items"),
        (None, "_ZGVdN8uu_k", "8 work-items"),
        ((12, 8), "k", "no multiple of 8"),
        ((1, 1), "k", "no multiple of 8"),
    ],
)
def test_intel_takes_the_vectorized_clone_when_the_local_size_allows(local_size, symbol, note):
    chosen = code.select(CLONED, "k", local_size)
    assert chosen.name == symbol
    assert note in chosen.note
    assert chosen.code == (RET if symbol == "k" else FMA + RET)
    assert chosen.dialect == "x86"


def test_intel_without_a_clone_has_nothing_to_choose():
    chosen = code.select(CLONED, "other", (8, 8))
    assert (chosen.name, chosen.note, chosen.address) == ("other", "", len(RET) * 2 + len(FMA))


def test_intel_names_the_kernels_it_has_when_asked_for_another():
    with pytest.raises(ValueError, match=r"no function of kernel 'nix'.*k, other"):
        code.select(CLONED, "nix", None)


def test_intel_with_only_a_clone_refuses_a_size_that_does_not_fit():
    assert code.select(intel(_ZGVdN8u_k=RET), "k", (8,)).name == "_ZGVdN8u_k"
    with pytest.raises(ValueError, match="multiples of 8"):
        code.select(intel(_ZGVdN8u_k=RET), "k", (4,))


def test_pocl_prefers_code_for_the_asked_size():
    special, generic = pocl_object("k", FMA + RET), pocl_object("k", RET)
    binary = pocl(("/k/16-16-1-goffs0-smallgrid/k.so", special), ("/k/0-0-0/k.so", generic), ("/j/0-0-0/j.so", generic))
    chosen = code.select(binary, "k", (16, 16))
    assert (chosen.name, chosen.address, chosen.code) == ("_pocl_kernel_k_workgroup", 0x1001, FMA + RET)
    assert "16-16-1" in chosen.note
    for other in ((16,), None):
        fallback = code.select(binary, "k", other)
        assert fallback.code == RET
        assert "any local size" in fallback.note


def test_pocl_reports_what_it_lacks():
    only = pocl(("/k/8-1-1/k.so", pocl_object("k", RET)))
    with pytest.raises(ValueError, match="local sizes 8-1-1 only"):
        code.select(only, "k", (4,))
    with pytest.raises(ValueError, match="no machine code for kernel 'j'"):
        code.select(only, "j", (8,))
    with pytest.raises(ValueError, match="no symbol _pocl_kernel_k_workgroup"):
        code.select(pocl(("/k/0-0-0/k.so", write_elf({"x": RET}, kind=SHARED))), "k", None)


def test_pocl_ignores_a_record_that_is_cut_off():
    whole = pocl(("/k/0-0-0/k.so", pocl_object("k", RET)))
    with pytest.raises(ValueError, match="no machine code"):
        code.select(whole[:-40], "k", None)


def test_an_elf_file_inside_a_function_does_not_confuse_pocl():
    body = RET + elf.MAGIC + RET
    binary = pocl(("/k/0-0-0/k.so", pocl_object("k", body)), ("/j/0-0-0/j.so", pocl_object("j", RET)))
    assert code.select(binary, "k", None).code == body
    assert code.select(binary, "j", None).code == RET


@pytest.mark.parametrize(
    ("binary", "reason"),
    [
        (b"", "no program binary"),
        (b"BC\xc0\xde....", "unknown program binary"),
        (write_elf({"k": RET}), "unknown program binary"),
        (write_elf(sections={".ocl.obj": b"garbage"}, kind=INTEL), "not a readable ELF file"),
        (
            write_elf(sections={".ocl.obj": write_elf({"k": RET}, machine=RISCV)}, kind=INTEL),
            "no dialect for ELF machine",
        ),
    ],
)
def test_what_cannot_be_read_is_absent_with_the_reason(binary, reason):
    found = static_evidence(binary, Launch("k", (), (1,), (1,)))
    assert found.facts == ()
    assert {a.name for a in found.absent} == set(NAMES)
    assert all(reason in a.reason for a in found.absent)


def test_evidence_from_a_binary_cites_the_function():
    found = static_evidence(CLONED, Launch("k", (), (64,), (8,)))
    fact = found.fact("static.fma_bits")
    assert fact.value == 256
    assert "_ZGVdN8uu_k" in fact.source
    assert found.get("static.code_bytes") == len(FMA + RET)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_damaged_binaries_never_raise(data):
    whole = data.draw(st.sampled_from([CLONED, pocl(("/k/0-0-0/k.so", pocl_object("k", FMA + RET)))]))
    broken = bytearray(whole[: data.draw(st.integers(0, len(whole)))])
    for position in data.draw(st.lists(st.integers(0, max(0, len(broken) - 1)), max_size=8)):
        if broken:
            broken[position] = data.draw(st.integers(0, 255))
    found = static_evidence(bytes(broken), Launch("k", (), (1,), (8,)))
    assert len(found.facts) + len(found.absent) == len(NAMES)
