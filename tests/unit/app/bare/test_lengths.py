"""Arrays whose lengths nobody named: those that an index leaves by a step are told."""

from types import SimpleNamespace

import pytest

from hotloop.app.bare import lengths


@pytest.mark.parametrize(
    ("made", "named", "told"),
    [
        ({"in": 1002, "out": 1001}, {}, "in has n + 2 = 1002 elements, out has n + 1 = 1001 elements"),
        ({"in": 1002, "out": 1000}, {"in": "1002"}, ""),
        ({"in": 8001}, {}, "in has n * m + 1 = 8001 elements"),
        ({"in": 1000, "out": 8000, "weights": 9, "wide": 3000}, {}, ""),
    ],
)
def test_what_is_longer_than_sizes_say_is_told(monkeypatch, made, named, told):
    monkeypatch.setattr(lengths, "lengths", lambda _source, _sizes, _calls: made)
    source = SimpleNamespace(wish=SimpleNamespace(sizes=named), calls=lambda _sizes: ())
    sentence = lengths.assumed(source, {"n": 1000, "m": 8, "alpha": 0.5})
    assert (told in sentence) if told else not sentence
