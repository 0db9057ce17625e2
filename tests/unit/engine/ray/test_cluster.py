"""Where a local cluster keeps its sockets: a system limits the length of their names."""

import tempfile

import pytest

from hotloop.engine.ray import cluster


@pytest.mark.parametrize(("length", "own"), [(20, False), (35, False), (36, True), (300, True)])
def test_sockets_go_elsewhere_where_the_temporary_folder_has_a_long_name(monkeypatch, length, own):
    monkeypatch.setattr(tempfile, "tempdir", "/" + "j" * (length - 1))
    folder = cluster.folder()
    assert (folder is not None) == own
    assert (
        len((folder or tempfile.tempdir) + "/ray/session_2026-11-30_21-45-57_963910_4194304/sockets/plasma_store.123")
        < 108
    )
