"""Data files of examples are read strictly: what is not there, or nobody reads, is said."""

import pytest

from hotloop.errors import UsageError
from hotloop.rewrite import example

WHOLE = """twin = ["+", "-"]
[texts]
sum = '''
a + b
'''
[[examples]]
before = "sum"
after = ["sum", ["a", "c"], ["b", "d"]]
[[examples]]
before = '''
a
'''
refused = "it is no sum"
"""


def test_texts_are_named_exchanged_or_stand_there():
    read = example.read(WHOLE)
    assert read.twin == ("+", "-")
    assert [(row.before, row.after, row.refused) for row in read.rows] == [
        ("a + b\n", "c + d\n", ""),
        ("a\n", "", "it is no sum"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('["a", "c"]', '["z", "c"]', "the text sum has no 'z'"),
        ('before = "sum"', 'before = "product"', "product"),
        ("refused =", "reason =", "reason"),
        ('twin = ["+", "-"]', "", "twin"),
        ("[texts]", "[texts", "Expected"),
    ],
)
def test_a_mistake_in_a_file_is_said(old, new, why):
    with pytest.raises((KeyError, TypeError, ValueError), match=why):
        example.read(WHOLE.replace(old, new))


def test_a_rewrite_without_its_file_is_no_traceback():
    with pytest.raises(UsageError, match="nobody.toml"):
        example.examples("hotloop.rewrite.jitted.methods", "nobody")
