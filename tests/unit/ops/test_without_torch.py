"""What the tensor operations say where PyTorch is not installed."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest


@pytest.mark.parametrize(
    "call",
    [
        "ops.softmax(None)",
        "ops.attention(None, None, None)",
        "ops.attention_packed(None, None, None, None)",
        "ops.depthwise_conv3d(None, None)",
        "ops.explain_choice('softmax', None)",
    ],
)
def test_the_extra_is_named(call):
    code = f"""
        import sys
        sys.modules["torch"] = None
        from hotloop import errors, ops
        try:
            {call}
        except errors.MissingExtraError as error:
            print(error)
        """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert "pip install 'hotloop[torch]'" in done.stdout, done.stderr
