"""How the host launches a changed kernel otherwise, in words: of what stays the same nothing is said."""

import pytest

from hotloop.app.run.kept.patch import _launches
from hotloop.model.program import Launch, Program


def program(*launches):
    return Program("opencl", "", (), launches)


@pytest.mark.parametrize(
    ("after", "said"),
    [
        ((Launch("f", (), (16,)),), ("f: global size 64 becomes 16",)),
        ((Launch("f", (), (64,), (8,)),), ("f: local size free becomes 8",)),
        ((Launch("f", (), (16,), (8,)),), ("f: global size 64 becomes 16, local size free becomes 8",)),
        ((Launch("f", (), (64,)),), ()),
        ((Launch("f", (), (64,)),) * 2, ("f: 1 launches become 2",)),
    ],
)
def test_only_what_changes_is_said(after, said):
    assert _launches(program(Launch("f", (), (64,))), program(*after)) == said
