"""Code objects and bundles of them, on files written here byte by byte."""

import struct
import zlib

import pytest

from hotloop.isa import code
from hotloop.isa.amdgcn import objects

CODE = bytes.fromhex("000081bf")  # s_endpgm
AMDGPU, X86_64 = 224, 62


def packed(value):
    """Return a value as MessagePack; maps and lists of at most 15 entries, short texts, small numbers."""
    if isinstance(value, dict):
        return bytes([0x80 + len(value)]) + b"".join(packed(k) + packed(v) for k, v in value.items())
    if isinstance(value, list):
        return bytes([0x90 + len(value)]) + b"".join(map(packed, value))
    if isinstance(value, str):
        return b"\xd9" + bytes([len(value)]) + value.encode()
    return b"\xcd" + value.to_bytes(2, "big")


def metadata(target="amdgcn-amd-amdhsa--gfx942", **fields):
    kernel = {".name": "k", ".symbol": "k.kd", ".vgpr_count": 267, ".agpr_count": 11, **fields}
    return packed({"amdhsa.kernels": [kernel], "amdhsa.target": target})


def note(owner, kind, content):
    name = owner + b"\0"
    padded = name.ljust((len(name) + 3) // 4 * 4, b"\0")
    return (
        struct.pack("<III", len(name), len(content), kind) + padded + content.ljust((len(content) + 3) // 4 * 4, b"\0")
    )


def write_elf(notes=b"", machine=AMDGPU, flags=0x54C, fat=b"", kernel="k"):
    """Return a shared object with one function, a note section and perhaps a section of bundles."""
    strings = b"\0" + kernel.encode() + b"\0"
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0x1000, len(CODE))
    content = [
        (".text", 1, CODE, 0x1000, 0, 0), (".symtab", 2, symbols, 0, 3, 24), (".strtab", 3, strings, 0, 0, 0),
        (".note", 7, notes, 0, 0, 0), (".hip_fatbin" if fat else ".none", 1, fat, 0, 0, 0),
    ]  # fmt: skip
    names = b"\0" + b"".join(row[0].encode() + b"\0" for row in content) + b".shstrtab\0"
    content.append((".shstrtab", 3, names, 0, 0, 0))
    headers, blob = bytes(64), b""
    for name, kind, data, address, link, entry in content:
        where = names.find(b"\0" + name.encode() + b"\0") + 1
        row = (where, kind, 0, address, 64 + len(blob), len(data), link, 1, 4, entry)
        headers += struct.pack("<IIQQQQIIQQ", *row)
        blob += data
    ident = b"\x7fELF\x02\x01\x01\x40\x03" + bytes(7)
    tail = (3, machine, 1, 0, 0, 64 + len(blob), flags, 64, 56, 0, 64, len(content) + 1, len(content))
    return ident + struct.pack("<HHIQQQIHHHHHH", *tail) + blob + headers


def bundle(**parts):
    """Return an offload bundle; keys are target identifiers with underscores for dashes."""
    rows, place = [], 4096
    for name, blob in parts.items():
        identifier = name.replace("_", "-").encode()
        rows.append(struct.pack("<QQQ", place, len(blob), len(identifier)) + identifier)
        place += len(blob)
    head = objects.BUNDLE + struct.pack("<Q", len(rows)) + b"".join(rows)
    return head.ljust(4096, b"\0") + b"".join(parts.values())


def test_code_object_with_metadata():
    blob = write_elf(note(b"OTHER", 1, b"abc") + note(b"AMDGPU", 32, metadata()))
    (item,) = objects.code_objects(blob)
    assert item.target.name == "gfx942"
    found = objects.resources(item)["k"]
    assert (found.vgprs, found.agprs, found.total_vgprs, found.lds_bytes) == (256, 11, 267, None)


def test_metadata_name_the_processor_before_the_header_does():
    blob = write_elf(note(b"AMDGPU", 32, metadata("amdgcn-amd-amdhsa--gfx950:xnack-")))
    assert objects.code_objects(blob)[0].target.name == "gfx950"
    assert objects.code_objects(write_elf())[0].target.name == "gfx942"
    assert objects.code_objects(write_elf(flags=0xFF))[0].target is None
    assert objects.resources(objects.code_objects(write_elf())[0]) == {}


def test_bundle_of_two_processors():
    other = write_elf(flags=0x54F)
    parts = bundle(
        host_x86_64_unknown=b"", hipv4_amdgcn_amd_amdhsa__gfx942=write_elf(), hipv4_amdgcn_amd_amdhsa__gfx950=other
    )
    assert [item.target.name for item in objects.code_objects(parts)] == ["gfx942", "gfx950"]
    chosen = code.select(parts, "k", (64,))
    assert (chosen.code, chosen.address, chosen.dialect) == (CODE, 0x1000, "amdgcn")
    assert chosen.note == "for gfx942, first of 2 processors"


def test_host_program_with_bundles_of_two_files():
    fat = bundle(hip_amdgcn__gfx942=write_elf()) + bundle(hip_amdgcn__gfx942=write_elf(kernel="q"))
    program = write_elf(machine=X86_64, fat=fat)
    assert len(objects.code_objects(program)) == 2
    assert code.select(program, "q", None).name == "q"


def compressed(version, method, inside):
    """Return a bundle as clang-offload-bundler compresses it: method 0 is zlib, 1 zstd."""
    if method == 1:
        body = pytest.importorskip("pyarrow").compress(inside, codec="zstd", asbytes=True)
    else:
        body = zlib.compress(inside)
    size = {1: 20, 2: 24, 3: 32}[version] + len(body)
    if version == 1:
        return struct.pack("<4sHHIQ", b"CCOB", 1, method, len(inside), 7) + body
    return (
        struct.pack("<4sHHIIQ" if version == 2 else "<4sHHQQQ", b"CCOB", version, method, size, len(inside), 7) + body
    )


@pytest.mark.parametrize("method", [0, 1])
@pytest.mark.parametrize("version", [1, 2, 3])
def test_compressed_bundles_are_unpacked(version, method):
    one = compressed(version, method, bundle(hip_amdgcn__gfx942=write_elf()))
    assert code.select(one, "k", None).name == "k"
    if version > 1:
        other = compressed(version, method, bundle(hip_amdgcn__gfx942=write_elf(kernel="q")))
        program = write_elf(machine=X86_64, fat=one + bytes(17) + other)
        assert len(objects.code_objects(program)) == 2


@pytest.mark.parametrize(
    ("binary", "reason"),
    [
        (b"CCOB\x02\0\0\0", "damaged or newer"),
        (b"CCOB\x09\0\0\0" + bytes(40), "damaged or newer"),
        (compressed(2, 0, b"abc")[:-2], "cut off"),
        (compressed(2, 7, b"abc"), "neither zlib nor zstd"),
        (struct.pack("<4sHHIIQ", b"CCOB", 2, 0, 28, 9, 0) + b"abcd", "does not unpack"),
        (b"MZ\x90\0", "no code object of an AMD GPU"),
        (write_elf(machine=X86_64), "for EM_X86_64 and holds no .hip_fatbin"),
        (write_elf(machine=X86_64, fat=b"CCOB\x02\0"), "damaged or newer"),
        (write_elf(machine=X86_64, fat=b"nothing here"), "bundles no code"),
        (bundle(host_x86_64=b"abc"), "bundles no code"),
        (bundle(hip_amdgcn__gfx942=b"no elf"), "no whole code object"),
        (bundle(hip_amdgcn__gfx942=write_elf())[:4200], "no whole code object"),
        (objects.BUNDLE + struct.pack("<Q", 3), "cut off in its table"),
        (write_elf(note(b"AMDGPU", 32, metadata()[:40])), "no whole MessagePack document"),
        (write_elf(note(b"AMDGPU", 32, b"\x81\x80\x01")), "no whole MessagePack document"),  # a map as a key
        (write_elf()[:40], "not a readable ELF file"),
    ],
)
def test_refused(binary, reason):
    with pytest.raises(ValueError, match=reason):
        objects.code_objects(binary)


@pytest.mark.parametrize(
    "document",
    [{"amdhsa.kernels": 7}, {"amdhsa.kernels": [3, {".name": "k", ".args": 1}, {".vgpr_count": 3}]}, [], 7, "text"],
)
def test_metadata_of_unexpected_shape(document):
    (item,) = objects.code_objects(write_elf(note(b"AMDGPU", 32, packed(document))))
    assert set(objects.resources(item)) <= {"k"}


def test_kernels_that_are_not_there():
    with pytest.raises(ValueError, match="no function of kernel 'q' in the code object; it has k"):
        code.select(write_elf(), "q", None)
