"""What compiled code takes from its process, read from objects made here."""

import struct

import numpy as np
import pytest

from hotloop.drivers.linkage import _SECTION, _SYMBOL, Code, _frame_bytes, examined, regained


def relocatable(undefined, defined=("k",), sections=(), common=()):
    """Return an ELF object with these symbols and further sections (type, flags, size), in the wrapping of a runtime.

    `common`: sizes of symbols without a section, by the number that stands for one.
    """
    names, texts = [*undefined, *defined], b"\0"
    symbols = np.zeros(1 + len(names) + len(common), _SYMBOL)
    for symbol, (section, size) in zip(symbols[1 + len(names) :], common, strict=True):
        symbol["section"], symbol["size"], symbol["name"] = section, size, 1
    for index, name in enumerate(names, 1):
        symbols[index]["name"] = len(texts)
        symbols[index]["section"] = 0 if name in undefined else 1
        texts += name.encode() + b"\0"
    rows = np.zeros(3 + len(sections), _SECTION)
    table = symbols.tobytes()
    rows[1]["type"], rows[1]["offset"], rows[1]["size"], rows[1]["link"] = 2, 64, len(table), 2
    rows[2]["type"], rows[2]["offset"], rows[2]["size"] = 3, 64 + len(table), len(texts)
    for row, given in zip(rows[3:], sections, strict=True):
        row["type"], row["flags"], row["size"] = given
    place = 64 + len(table) + len(texts)
    head = struct.pack(
        "<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 1, 62, 1, 0, 0, place, 0, 64, 0, 0, 64, len(rows), 0
    )
    return b"\x7fELF\x02\x01\x02 of the runtime's own kind" + head + table + texts + rows.tobytes()


def test_what_is_undefined_and_not_the_runtimes_is_named():
    brought = ("__ocl_svml_z0_expf16", "__opencl_printf", "memcpy", "memset", "trans_coord_float_CLAMP")
    assert examined(relocatable(brought)) == Code()
    assert examined(relocatable((*brought, "fork", "_Z6usleepi", "PyRun_SimpleString"))).foreign == (
        "fork", "_Z6usleepi", "PyRun_SimpleString",
    )  # fmt: skip


def test_every_object_counts():
    two = relocatable(()) + relocatable(("fork",), sections=[(8, 3, 40)])
    assert examined(two) == Code(("fork",), kept_bytes=40)


def test_variables_that_outlive_a_call_are_those_that_can_be_written():
    constants, code, notes, variables = (1, 2, 1600), (1, 6, 320), (1, 0x30, 65), (8, 0x10000003, 1600)
    assert examined(relocatable((), sections=[constants, code, notes])) == Code()
    assert examined(relocatable((), sections=[constants, code, variables, (1, 3, 4)])).kept_bytes == 1604


def test_common_symbols_outlive_a_call_too_although_they_lie_in_no_section():
    assert examined(relocatable((), common=[(0xFFF2, 8200), (0xFF02, 40)])).kept_bytes == 8240
    assert examined(relocatable((), common=[(0xFFF1, 8200)])).kept_bytes == 0, "absolute symbols take no memory"


@pytest.mark.parametrize(
    "binary", [relocatable((), ("k", "__orc_init_func.main")), relocatable((), sections=[(14, 3, 0)])]
)
def test_code_that_runs_when_it_is_loaded_is_seen(binary):
    assert examined(binary).loading


@pytest.mark.parametrize("binary", [b"", b"text", b"\x7fELF\x02\x01\x01", relocatable(("fork",))[:150]])
def test_what_is_no_object_names_nothing(binary):
    assert examined(binary) == Code()


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("#undef asm", True),
        ("#define __asm__ __asm__", True),
        ("%:  undef /* x */ __asm", True),
        ("#un\\\ndef asm", True),
        ("#undef address_space", True),
        ("#define __address_space__(n) n", True),
        ("// /*\n#undef asm\n// */", True),
        ("// ends here\r#undef asm\n", True),
        ("#un\\\f\ndef asm", True),
        ('constant char *s = "/*";\n#undef asm\n/* */', True),
        ("/*\n#undef asm\n*/", False),
        ("#define asmx 1\n#undef plasma", False),
        ("__kernel void k() {}", False),
    ],
)
def test_barred_words_are_not_given_back(source, found):
    assert bool(regained(source)) is found


def test_the_largest_frame_is_read_from_code_alone():
    code = b"".join(b"\x55\x48\x81\xec" + size.to_bytes(4, "little") for size in (400, 48_000, 2**21))
    sections = np.zeros(2, _SECTION)
    sections["size"], sections["flags"] = (len(code), 3 * len(code)), (6, 2)
    assert (
        _frame_bytes(
            code + 2 * code.replace((48_000).to_bytes(4, "little"), (90_000).to_bytes(4, "little")), sections[1:]
        )
        == 0
    )
    assert _frame_bytes(code, sections) == 48_000
