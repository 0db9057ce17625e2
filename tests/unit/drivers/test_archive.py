"""What Triton compiled in another process, put into this one's cache."""

import io
import zipfile

import pytest

from hotloop.ports import BuildError

pytest.importorskip("triton", reason="Triton is not installed")
from hotloop.drivers import archive


def zipped(**files):
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as made:
        for name, content in files.items():
            made.writestr(name, content)
    return whole.getvalue()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_compilation_goes_from_cache_to_cache(cache, tmp_path, monkeypatch):
    from triton.runtime.cache import get_cache_manager

    before = get_cache_manager("ab" * 32)
    before.put_group("f.json", {"f.cubin": before.put(b"code", "f.cubin")})
    carried = archive.packed(["ab" * 32])
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "other"))
    archive.unpacked(carried)
    (found,) = get_cache_manager("ab" * 32).get_group("f.json").values()
    assert found.startswith(str(tmp_path / "other"))


@pytest.mark.parametrize("name", ["../escaped/f", "/tmp/f", "deep/er/f", "f", "a/../f", ".ssh/f"])
def test_nothing_is_written_elsewhere(cache, tmp_path, name):
    with pytest.raises(BuildError, match="no archive"):
        archive.unpacked(zipped(**{"KEY/good.json": "{}", name: "x"}))
    assert not list(tmp_path.rglob("*"))


@pytest.mark.parametrize("content", [b"", b"PK nonsense", b"\x00" * 100])
def test_what_is_no_archive_is_a_failed_build(cache, content):
    with pytest.raises(BuildError):
        archive.unpacked(content)
