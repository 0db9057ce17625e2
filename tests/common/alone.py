"""Running the test of an exported kernel where hotloop is not installed; used by the tests of exports and by benchmarks/gpu/shared.py."""

from __future__ import annotations

import os
import subprocess
import sys

_ALONE = """
import importlib.util, runpy, sys, types
def get_local_kernel(folder, backend=None):  # as Hugging Face's kernels 0.17 does with a built variant, where that is not installed
    spec = importlib.util.spec_from_file_location("built", folder / "__init__.py", submodule_search_locations=[str(folder)])
    sys.modules["built"] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
sys.modules["hotloop"] = None
try:
    import kernels
except ImportError:
    sys.modules["kernels"] = types.SimpleNamespace(get_local_kernel=get_local_kernel)
runpy.run_path(sys.argv[1], run_name="__main__")
"""


def ran(test, folder, **variables):
    """Return the finished process of a written test, whose working folder is the export's."""
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _ALONE, str(test)], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, **variables},
    )  # fmt: skip
