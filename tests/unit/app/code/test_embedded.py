"""Objects and programs of nvcc: the code for GPUs that is embedded in them is what is asked about."""

from pathlib import Path

import pytest

from hotloop.app.code import content
from hotloop.errors import MachineError, UsageError
from hotloop.host.toolchain import ToolSilentError

SASS = Path(__file__).parents[3] / "golden" / "sass"
OBJECT = b"\x7fELF\2\1\1\0" + bytes(8) + b"\1\0\x3e\0" + bytes(64) + b"\0.text\0.nv_fatbin\0"


@pytest.fixture
def holding(monkeypatch):
    """Return what makes an object hold these golden cubins; nvdisasm's listings of them lie beside them."""

    def hold(*names):
        listings = {(SASS / f"{name}.cubin").read_bytes(): (SASS / f"{name}.sass").read_text() for name in names}
        monkeypatch.setattr(content.disassemble, "cubins", lambda _data: list(listings))
        monkeypatch.setattr(content.disassemble, "sass", listings.__getitem__)

    return hold


def test_the_embedded_code_is_read(holding):
    holding("plain_sm80")
    listed = content.read(OBJECT, "program.o")
    assert {item.function.target for item in listed} == {"sm_80"}
    assert all(item.scheduled is not None for item in listed)


def test_of_several_processors_one_is_chosen(holding):
    holding("plain_sm75", "plain_sm80")
    with pytest.raises(UsageError, match=r"it holds code for sm_75, sm_80; choose one with --target"):
        content.read(OBJECT, "program.o")
    assert {item.function.target for item in content.read(OBJECT, "program.o", "sm_75")} == {"sm_75"}
    with pytest.raises(UsageError, match=r"it holds code for sm_75, sm_80, not for sm_90"):
        content.read(OBJECT, "program.o", "sm_90")


def test_an_object_with_ptx_only_says_so(holding):
    holding()
    with pytest.raises(UsageError, match=r"program\.o: it holds PTX only, no machine code of an NVIDIA GPU"):
        content.read(OBJECT, "program.o")


def test_a_disassembler_that_does_not_end_is_no_defect(monkeypatch):
    def silent(_data):
        raise ToolSilentError(240.0)

    monkeypatch.setattr(content.disassemble, "cubins", silent)
    with pytest.raises(MachineError, match="no answer within 240 s.*busy or the file large"):
        content.read(OBJECT, "program.o")
