"""Proton, Triton's profiler: the tree of scopes and kernels that it writes for Hatchet."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader
from hotloop.profilers.source import Head

_NODE = re.compile(r'\A\s*\[\s*\{\s*"(?:children|frame|metrics)"\s*:')


def _is_tree(head: Head) -> bool:
    return _NODE.match(head.text) is not None and '"frame"' in head.text and '"metrics"' in head.text


FORMATS = (Format("Proton tree", _is_tree, Reader("formats.proton.tree")),)
