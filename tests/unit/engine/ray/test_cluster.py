"""Where a local cluster keeps its sockets: a system limits the length of their names."""

import tempfile
from types import SimpleNamespace

import pytest

from hotloop.engine.ray import cluster
from hotloop.errors import MachineError


@pytest.mark.parametrize(("length", "own"), [(20, False), (35, False), (36, True), (300, True)])
def test_sockets_go_elsewhere_where_the_temporary_folder_has_a_long_name(monkeypatch, length, own):
    monkeypatch.setattr(tempfile, "tempdir", "/" + "j" * (length - 1))
    folder = cluster.folder()
    assert (folder is not None) == own
    assert (
        len((folder or tempfile.tempdir) + "/ray/session_2026-11-30_21-45-57_963910_4194304/sockets/plasma_store.123")
        < 108
    )


def test_a_folder_of_somebody_else_is_not_taken(monkeypatch, tmp_path):
    made = []
    monkeypatch.setattr(tempfile, "tempdir", "/" + "j" * 90)
    monkeypatch.setattr(tempfile, "mkdtemp", lambda **_: made.append(1) or "/tmp/ray-private")
    monkeypatch.setattr(cluster, "Path", lambda _: tmp_path / "ray")
    (tmp_path / "ray").symlink_to(tmp_path)
    assert cluster.folder() == "/tmp/ray-private"
    (tmp_path / "ray").unlink()
    assert cluster.folder() == str(tmp_path / "ray")
    (tmp_path / "ray").chmod(0o777)
    assert cluster.folder() == "/tmp/ray-private"
    assert len(made) == 2


def test_whatever_ray_raises_at_its_start_is_one_sentence(monkeypatch):
    """A machine that is too busy for Ray gets a plain Exception of it."""

    def init(**_):
        raise Exception("The current node timed out during startup.\nThis could happen")

    monkeypatch.setattr(cluster, "running", lambda: "")
    with pytest.raises(
        MachineError, match="no Ray cluster can be used through ray: The current node timed out"
    ) as told:
        cluster._connect(SimpleNamespace(init=init, exceptions=SimpleNamespace(RayError=RuntimeError)), "ray")
    assert "\n" not in str(told.value)
