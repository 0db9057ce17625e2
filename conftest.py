"""Which modules the doctests leave out: kernels in a language whose compiler is not installed here."""

from importlib.util import find_spec

collect_ignore_glob = (
    []
    if find_spec("triton")
    else [
        "src/hotloop/kernels/*/jit.py",
        "src/hotloop/kernels/*/ladders/stages.py",
        "tests/golden/amdgcn/waits/generate.py",
    ]
)
