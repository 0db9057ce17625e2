"""How many processes compile ahead."""

import pytest

from hotloop.backends.null import DEVICE
from hotloop.engine import ahead


@pytest.mark.parametrize(("cores", "begun"), [(16, 3), (2, 1), (64, 4)])
def test_a_part_of_the_compilers_is_loaded_beside_what_else_begins(tmp_path, monkeypatch, cores, begun):
    asked = []
    made = ahead.Ahead("", {}, "", tmp_path, 1.0, cores, DEVICE)
    monkeypatch.setattr(ahead.Ahead, "_warmed", lambda _self, language: asked.append(language))
    made.warm("triton")
    made._pool.shutdown(wait=True)
    made.close()
    assert asked == ["triton"] * begun
