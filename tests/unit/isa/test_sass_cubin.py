"""Cubins written here byte by byte, attributes and ptxas text."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hotloop.isa import code
from hotloop.isa.nvidia import attributes, cubin


def attribute(number, *values):
    return struct.pack("<BBH", 4, number, 4 * len(values)) + struct.pack(f"<{len(values)}I", *values)


def write_cubin(flags=0x6005A04, abi=65, info=b"", own=b"", shared=0, size=32, other=0x10, name="k"):
    """Return a cubin with one function and its ``.nv.info`` sections; the function is symbol 1 in section 1."""
    strings = b"\0" + name.encode() + b"\0"
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 0x12, other, 1, 0, size)
    rows = [
        (f".text.{name}", 1, bytes(range(32)), 0x100006, 0, 0),
        (".symtab", 2, symbols, 0, 3, 24),
        (".strtab", 3, strings, 0, 0, 0),
        (".nv.info", 0x70000000, info, 0, 0, 0),
        (f".nv.info.{name}", 0x70000000, own, 0x40, 0, 0),
    ]
    names = b"\0" + b"".join(row[0].encode() + b"\0" for row in rows) + f".nv.shared.{name}\0.shstrtab\0".encode()
    blob, headers = b"", bytes(64)
    for title, kind, data, marks, link, entry in rows:
        where = names.find(b"\0" + title.encode() + b"\0") + 1
        headers += struct.pack("<IIQQQQIIQQ", where, kind, marks, 0, 64 + len(blob), len(data), link, 0, 1, entry)
        blob += data
    where = names.find(b".nv.shared.")
    headers += struct.pack("<IIQQQQIIQQ", where, 8, 3, 0, 64 + len(blob), shared, 0, 0, 1, 0)
    where = names.find(b".shstrtab")
    headers += struct.pack("<IIQQQQIIQQ", where, 3, 0, 0, 64 + len(blob), len(names), 0, 0, 1, 0)
    blob += names
    ident = b"\x7fELF\x02\x01\x01" + bytes([abi, 8]) + bytes(7)
    count = len(rows) + 3
    head = struct.pack("<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, 64 + len(blob), flags, 64, 0, 0, 64, count, count - 1)
    return ident + head + blob + headers


INFO = attribute(0x2F, 1, 202) + attribute(0x12, 1, 64)
OWN = attribute(0x10, 128, 2, 1) + struct.pack("<BBH", 2, 0x4C, 3) + struct.pack("<BBH", 3, 0x1B, 0xFF)


def test_resources_of_a_kernel():
    (found,) = cubin.kernels(write_cubin(info=INFO, own=OWN, shared=1024))
    assert (found.name, found.target, found.vgprs, found.scratch_bytes) == ("k", "sm_90", 202, 64)
    assert (found.lds_bytes, found.workgroup_max, found.barriers, found.code_bytes, found.wave_size) == (
        1024,
        256,
        3,
        32,
        32,
    )


def test_the_older_layout_of_flags():
    (found,) = cubin.kernels(write_cubin(flags=0x4B054B, abi=51))
    assert (found.target, found.barriers) == ("sm_75", 1)


def test_what_no_section_tells_is_absent():
    (found,) = cubin.kernels(write_cubin())
    assert (found.vgprs, found.scratch_bytes, found.workgroup_max) == (None, None, None)


def test_a_stack_made_unknown_by_recursion_is_absent():
    (found,) = cubin.kernels(write_cubin(info=attribute(0x12, 1, 0xFFFFFFFF)))
    assert found.scratch_bytes is None


def test_device_functions_have_code_but_no_resources():
    binary = write_cubin(other=0)
    assert cubin.kernels(binary) == ()
    assert cubin.codes(binary) == {"k": bytes(range(32))}


def test_a_cubin_is_a_container_whose_code_needs_a_listing():
    chosen = code.select(write_cubin(), "k", (128,))
    assert (chosen.name, chosen.dialect, chosen.code) == ("k", "sass", bytes(range(32)))
    with pytest.raises(ValueError, match=r"no kernel 'nix' in the cubin; it has k"):
        code.select(write_cubin(), "nix", None)


@pytest.mark.parametrize("binary", [b"", b"\x7fELF", b"MZ" + bytes(64), bytes(200)])
def test_what_is_no_cubin_says_what_to_give(binary):
    with pytest.raises(ValueError, match="not a cubin"):
        cubin.symbols(binary)


def test_a_cut_attribute_record():
    with pytest.raises(ValueError, match="cut off"):
        attributes.parse(struct.pack("<BBH", 4, 0x2F, 8) + b"\1\0")


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 900), st.binary(min_size=1, max_size=12))
def test_a_damaged_cubin_is_read_or_refused(place, junk):
    binary = write_cubin(info=INFO, own=OWN, shared=16)
    damaged = binary[:place] + junk + binary[place + len(junk) :]
    try:
        cubin.kernels(damaged)
        message = "cubin"
    except ValueError as error:
        message = str(error)
    assert "cubin" in message


@settings(max_examples=60, deadline=None)
@given(st.integers(20, 900))
def test_a_truncated_cubin_is_refused(length):
    binary = write_cubin(info=INFO, own=OWN)
    if length < len(binary):
        with pytest.raises(ValueError, match="cubin"):
            cubin.kernels(binary[:length])


@given(st.binary(max_size=60))
def test_any_attribute_bytes_are_parsed_or_refused(content):
    try:
        attributes.parse(content)
        message = "cut off"
    except ValueError as error:
        message = str(error)
    assert "cut off" in message
