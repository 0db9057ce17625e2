"""Records as mappings: what they answer from their dict is what Python's own Mapping would say."""

import pickle
from collections.abc import Mapping

import pytest

from hotloop.model.record import Record

ITEMS = {"m": 6, "n": 16, "dtype": "float32", "alpha": 1.5, "fused": True}


def test_a_record_answers_as_the_mapping_that_it_is():
    record = Record(ITEMS)
    for name in ("keys", "values", "items"):
        assert list(getattr(record, name)()) == list(getattr(Mapping, name)(record)) == list(getattr(ITEMS, name)())
    assert {**record} == dict(record) == ITEMS
    assert "m" in record
    assert "k" not in record
    assert record.get("k", 3) == 3


@pytest.mark.parametrize("items", [ITEMS, Record(ITEMS), None])
def test_names_are_added_to_what_a_record_is_made_of(items):
    record = Record(items, k=2)
    assert dict(record) == {**dict(items or {}), "k": 2}


def test_a_record_keeps_a_copy_of_its_own():
    items = dict(ITEMS)
    record = Record(items)
    items["m"] = 7
    assert record.m == 6


def test_several_integers_at_once_and_none_of_a_name_that_is_missing():
    assert Record(ITEMS).integers("n", "m", "fused") == (16, 6, 1)
    with pytest.raises(KeyError):
        Record(ITEMS).integers("n", "k")


def test_views_cannot_change_a_record():
    record = Record(ITEMS)
    before = hash(record)
    for view in (record.keys(), record.values(), record.items()):
        assert not hasattr(view, "__setitem__")
    with pytest.raises(AttributeError):
        record.m = 7
    assert hash(record) == before
    assert pickle.loads(pickle.dumps(record)) == record
