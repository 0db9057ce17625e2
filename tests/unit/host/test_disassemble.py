import pytest

from hotloop.errors import MachineError
from hotloop.host import disassemble, toolchain
from hotloop.host.disassemble import Usage


def test_the_resource_table_of_a_cubin():
    text = (
        "\nResource usage:\n Common:\n  GLOBAL:0\n Function _Z1kPKfPf:\n  REG:14 STACK:0 SHARED:2048 LOCAL:0 CONSTANT[0]:544 "
        "TEXTURE:0 SURFACE:0 SAMPLER:0\n Function other:\n  REG:255 STACK:24 SHARED:0 LOCAL:8 CONSTANT[0]:352\n"
    )
    assert disassemble.parse_usage(text) == (Usage("_Z1kPKfPf", 14, 0, 2048, 0), Usage("other", 255, 24, 0, 8))


@pytest.mark.parametrize("note", [b"amdgcn-amd-amdhsa--gfx942", b"amdgpu9.42-amd-amdhsa-unknown-gfx942"])
def test_the_processor_is_read_from_the_metadata_note(note):
    assert disassemble.processor_of(b"\x7fELF...amdhsa.target\xb9" + note + b"\xaeamdhsa.version") == "gfx942"


def test_a_code_object_without_a_note_has_no_known_processor():
    assert disassemble.processor_of(b"\x7fELF") == ""


def test_what_is_no_code_object_is_refused():
    if toolchain.llvm_objdump() is None:
        pytest.skip("there is no llvm-objdump")
    with pytest.raises(ValueError, match="not an AMD code object"):
        disassemble.amdgcn(b"text")


def test_no_objdump_is_an_error_of_the_machine(monkeypatch):
    monkeypatch.setattr(toolchain, "llvm_objdump", lambda: None)
    with pytest.raises(MachineError, match="needs llvm-objdump"):
        disassemble.amdgcn(b"\x7fELF")


def test_what_is_no_cubin_is_refused():
    if toolchain.package("triton") is None:
        pytest.skip("the package triton is not installed")
    with pytest.raises(ValueError, match="nvdisasm refuses it"):
        disassemble.sass(b"not a cubin")
