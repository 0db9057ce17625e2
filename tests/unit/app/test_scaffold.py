import pytest

from hotloop.app import scaffold, userfile
from hotloop.errors import MachineError, UsageError


@pytest.mark.parametrize("name", ["kernel", "saxpy", "_x1"])
def test_it_writes_a_kernel_that_loads(tmp_path, name):
    python, source = scaffold.write(tmp_path / "new" / "folder", name)
    kernel = userfile.load(python)
    assert kernel.family == name
    entry = "kernel_main" if name == "kernel" else name
    assert f"void {entry}(" in source.read_text()
    (implementation,) = kernel.implementations
    program = implementation.plan(kernel.problem.replace(n=100), implementation.start, None)
    assert program.launches[0].entry == entry
    assert kernel.work(kernel.problem.replace(n=100)).bytes == 1200


def test_it_overwrites_only_when_told(tmp_path):
    scaffold.write(tmp_path, "mine")
    (tmp_path / "mine.cl").write_text("my own work")
    with pytest.raises(UsageError, match=r"mine.py and .*mine.cl exist already"):
        scaffold.write(tmp_path, "mine")
    assert (tmp_path / "mine.cl").read_text() == "my own work"
    scaffold.write(tmp_path, "mine", overwrite=True)
    assert "__kernel" in (tmp_path / "mine.cl").read_text()


@pytest.mark.parametrize("name", ["1x", "a-b", "a b", "", "class", "../x"])
def test_names_that_are_no_names(tmp_path, name):
    with pytest.raises(UsageError, match="not usable as a name"):
        scaffold.write(tmp_path, name)
    assert not list(tmp_path.iterdir())


def test_folders_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(MachineError, match="cannot write into"):
        scaffold.write(tmp_path / "file", "x")
