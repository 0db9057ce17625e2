"""What compiled code takes from its process, read from objects made here."""

import struct

import numpy as np
import pytest

from hotloop.drivers.linkage import _SECTION, _SYMBOL, assembly, foreign


def relocatable(undefined, defined=("k",)):
    """Return an ELF object with these symbols, in the wrapping of a runtime."""
    names, texts = [*undefined, *defined], b"\0"
    symbols = np.zeros(1 + len(names), _SYMBOL)
    for index, name in enumerate(names, 1):
        symbols[index]["name"] = len(texts)
        symbols[index]["section"] = 0 if name in undefined else 1
        texts += name.encode() + b"\0"
    sections = np.zeros(3, _SECTION)
    table = symbols.tobytes()
    sections[1]["type"], sections[1]["offset"], sections[1]["size"], sections[1]["link"] = 2, 64, len(table), 2
    sections[2]["type"], sections[2]["offset"], sections[2]["size"] = 3, 64 + len(table), len(texts)
    place = 64 + len(table) + len(texts)
    head = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 1, 62, 1, 0, 0, place, 0, 64, 0, 0, 64, 3, 0)
    return b"\x7fELF\x02\x01\x02 of the runtime's own kind" + head + table + texts + sections.tobytes()


def test_what_is_undefined_and_not_the_runtimes_is_named():
    brought = ("__ocl_svml_z0_expf16", "__opencl_printf", "memcpy", "memset", "trans_coord_float_CLAMP")
    assert foreign(relocatable(brought)) == ()
    assert foreign(relocatable((*brought, "fork", "_Z6usleepi", "PyRun_SimpleString"))) == (
        "fork", "_Z6usleepi", "PyRun_SimpleString",
    )  # fmt: skip


@pytest.mark.parametrize("binary", [b"", b"text", b"\x7fELF\x02\x01\x01", relocatable(("fork",))[:150]])
def test_what_is_no_object_names_nothing(binary):
    assert foreign(binary) == ()


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("#undef asm", True),
        ("#define __asm__ __asm__", True),
        ("%:  undef /* x */ __asm", True),
        ("#un\\\ndef asm", True),
        ("#define asmx 1\n#undef plasma", False),
        ("__kernel void k() {}", False),
    ],
)
def test_the_keywords_of_assembly_are_not_given_back(source, found):
    assert assembly(source) is found
