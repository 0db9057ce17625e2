from types import SimpleNamespace

import pytest

from hotloop.host import runtimes
from hotloop.host.runtimes import Runtime


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine without any runtime; returns the folder of the system's ICD files."""
    vendors = tmp_path / "vendors"
    vendors.mkdir()
    monkeypatch.setattr(runtimes, "SYSTEM_VENDORS", vendors)
    monkeypatch.setattr(runtimes, "_NVIDIA_FOLDERS", ())
    monkeypatch.setattr(runtimes, "_packaged", lambda distribution, name: None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("OCL_ICD_VENDORS", raising=False)
    return vendors


def test_a_bare_machine_has_none_and_the_environment_stays_as_it_is(bare):
    assert runtimes.find() == ()
    assert runtimes.loader_environment() == {}


def test_system_runtimes_are_found_by_their_icd_files(bare):
    (bare / "pocl.icd").write_text("libpocl.so.2\n")
    (bare / "empty.icd").write_text("\n")
    assert [(r.key, r.library) for r in runtimes.find()] == [("pocl", "libpocl.so.2")]


def test_every_runtime_gets_an_icd_file_in_a_folder_of_our_own(bare, tmp_path):
    (bare / "pocl.icd").write_text("libpocl.so.2\n")
    found = runtimes.loader_environment()["OCL_ICD_VENDORS"]
    assert found.startswith(str(tmp_path / "cache"))
    folder = runtimes.vendor_folder((Runtime("a", "/x/liba.so", ""), Runtime("b", "libb.so", "")))
    assert {path.name: path.read_text() for path in folder.iterdir()} == {"a.icd": "/x/liba.so\n", "b.icd": "libb.so\n"}
    assert runtimes.vendor_folder((Runtime("a", "/x/liba.so", ""), Runtime("b", "libb.so", ""))) == folder


def test_a_choice_of_the_user_stands(bare, monkeypatch):
    (bare / "pocl.icd").write_text("libpocl.so.2\n")
    monkeypatch.setenv("OCL_ICD_VENDORS", "/mine")
    assert runtimes.loader_environment() == {}


@pytest.mark.parametrize("complete", [True, False])
def test_the_pip_runtime_needs_its_math_libraries(bare, tmp_path, monkeypatch, complete):
    files = {"intel-opencl-rt": tmp_path / "libintelocl.so", "intel-cmplr-lib-rt": tmp_path / "libsvml.so"}
    if not complete:
        del files["intel-cmplr-lib-rt"]
    monkeypatch.setattr(runtimes, "_packaged", lambda distribution, name: files.get(distribution))
    (found,) = runtimes.find()
    assert found.key == "intel"
    assert found.remedy == ("" if complete else "pip install intel-cmplr-lib-rt")
    assert bool(runtimes.loader_environment()) == complete


def test_the_same_library_is_listed_once(bare, tmp_path, monkeypatch):
    (tmp_path / "lib").mkdir()
    library = tmp_path / "lib" / "libnvidia-opencl.so.1"
    library.touch()
    monkeypatch.setattr(runtimes, "_NVIDIA_FOLDERS", (str(tmp_path / "lib"),))
    (bare / "nvidia.icd").write_text("libnvidia-opencl.so.1\n")
    assert [(r.key, r.library) for r in runtimes.find()] == [("nvidia", str(library))]


def test_a_cache_that_cannot_be_written_gives_way_to_a_temporary_folder(bare, tmp_path, monkeypatch):
    (tmp_path / "cache").write_text("a file in the way")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = runtimes.vendor_folder((Runtime("a", "liba.so", ""),))
    assert (folder / "a.icd").read_text() == "liba.so\n"
    assert folder.is_relative_to(tmp_path)


@pytest.mark.parametrize(
    ("file", "found"),
    [("liboclgrind-rt-icd.so", True), ("liboclgrind-rt-icd-9fd49082.so", True), ("liboclgrind-rt-icd-other.so", False)],
)
def test_a_wheels_library_is_found_although_its_name_has_a_digest(tmp_path, monkeypatch, file, found):
    (tmp_path / file).touch()
    entry = SimpleNamespace(name=file, locate=lambda: tmp_path / file)
    monkeypatch.setattr("importlib.metadata.files", lambda _distribution: [entry])
    assert (runtimes._packaged("wheel", "liboclgrind-rt-icd.so") is not None) is found
