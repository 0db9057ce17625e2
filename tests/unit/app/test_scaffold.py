import importlib.util

import pytest

from hotloop.app import scaffold, userfile
from hotloop.backends.null import DEVICE
from hotloop.cli.commands.init import LANGUAGES
from hotloop.errors import MachineError, UnknownNameError, UsageError

NEEDS = {"triton": "triton", "gluon": "triton"}
SOURCES = {"opencl": ".cl", "cuda": ".cu", "hip": ".hip", "triton": "", "gluon": ""}


def test_the_verb_offers_what_there_are_templates_for():
    assert sorted(LANGUAGES) == sorted(scaffold.languages()) == sorted(SOURCES)
    assert LANGUAGES[0] == scaffold.languages()[0] == "opencl"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["kernel", "saxpy", "_x1"])
def test_it_writes_a_kernel_that_loads(tmp_path, name, language):
    python, *sources = scaffold.write(tmp_path / "new" / "folder", name, language)
    assert python.name == f"{name}.py"
    assert [source.name for source in sources] == ([name + SOURCES[language]] if SOURCES[language] else [])
    assert "@" not in python.read_text().replace("@hl.", "").replace("@triton.", "").replace("@gluon.", "")
    if language in NEEDS and importlib.util.find_spec(NEEDS[language]) is None:
        pytest.skip(f"{NEEDS[language]} is not installed")
    kernel = userfile.load(python)
    assert kernel.family == name
    (implementation,) = kernel.implementations
    assert implementation.language == implementation.name == language
    assert all(p.technique for p in implementation.space.parameters)
    program = implementation.plan(kernel.problem.replace(n=100), implementation.start, DEVICE)
    assert kernel.work(kernel.problem.replace(n=100)).bytes == 1200
    for source in sources:
        assert f" {program.launches[0].entry}(" in source.read_text()


def test_a_kernel_called_kernel_has_another_entry_in_opencl_which_has_that_keyword(tmp_path):
    _, source = scaffold.write(tmp_path, "kernel")
    assert "void kernel_main(" in source.read_text()


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


def test_languages_without_a_template(tmp_path):
    with pytest.raises(UnknownNameError, match="fortran"):
        scaffold.write(tmp_path, "x", "fortran")


def test_folders_that_cannot_be_written(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(MachineError, match="cannot write into"):
        scaffold.write(tmp_path / "file", "x")


def test_a_file_name_is_not_taken_for_a_folder(tmp_path):
    with pytest.raises(UsageError, match="--name blur instead"):
        scaffold.write(tmp_path / "blur.py", "kernel")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["numpy", "copy", "select", "hotloop"])
def test_a_kernel_file_hides_no_module(tmp_path, name):
    with pytest.raises(UsageError, match=f"{name}.py would hide Python's module {name} from programs"):
        scaffold.write(tmp_path, name)
    assert not list(tmp_path.iterdir())
