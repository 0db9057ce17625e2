"""What the host does for a call that was made before, in processor time, against the same code of another checkout.

    PYTHONPATH=src python benchmarks/calls.py [--against ../other/src] [--rounds 9]

No GPU: the chosen kernels are prepared as on an H200 and handed to a driver that does nothing, so what is left is hotloop's own
work and PyTorch's memory for the result. Two processes take turns; each round is the processor time of 2,000 calls of each
operator, and the least of the rounds counts, for a busy machine only adds. `torch` is PyTorch's own function in the same process,
which computes, and says nothing of a GPU.
"""

# ruff: noqa: SLF001 - a stand-in for the driver goes where the driver goes
from __future__ import annotations

import argparse
import ctypes
import json
import logging
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

CALLS = 2000


def stand_in() -> None:
    """Let dispatch see an H200, and kernels be prepared for it that nobody compiles or launches."""
    from hotloop.backends.null import DEVICE
    from hotloop.dispatch import cuda, launch, place
    from hotloop.model.program import Array, Local

    h200 = replace(
        DEVICE,
        name="H200",
        kind="gpu",
        backend="cuda",
        runtime="Triton 3.6",
        target="sm_90",
        max_workgroup=1024,
        local_mem_bytes=232448,
        compute_units=132,
    )
    place.facts = lambda _tensor, _backend: place.Place(h200)
    place.winners = lambda *_: place.Winners()

    class Nothing(ctypes.Structure):
        pass

    def submission(one):
        given = [argument for argument in one.arguments if not isinstance(argument, Local)]
        given = [argument for argument in given if isinstance(argument, Array)]
        made = cuda.Submission.__new__(cuda.Submission)
        made.__init__(one.entry, 1, (1, 1, 1, 32, 1, 1, 0), given)
        return made

    if hasattr(cuda, "_launch"):
        nothing = ctypes.CDLL(None).atoi  # of the first bytes of what it is given, which are no digits: 0
        cuda._launch = lambda: nothing
    else:
        from types import SimpleNamespace

        done = SimpleNamespace(CUDA_SUCCESS=0)
        fake = SimpleNamespace(CUstream=int, CUresult=done, cuLaunchKernel=lambda *_: (0,))
        cuda._driver_api = lambda: fake

    import torch

    torch.cuda.current_stream = lambda _device=None: Stream()
    if hasattr(launch, "_stream"):
        launch._stream = lambda _index: 0

    def prepared(program, _device, arrays):
        at = next(iter(arrays.values())).device
        made = launch.Prepared(at, (), tuple(submission(launched) for launched in program.launches))
        made._current = lambda: at.index
        return made

    launch.prepared = prepared


class Stream:
    """What PyTorch makes of a stream."""

    def __init__(self) -> None:
        self.cuda_stream = 0


def calls():
    """Return ours and theirs by name."""
    import torch

    from hotloop import ops

    functional, half = torch.nn.functional, torch.bfloat16
    a, b = (torch.randn(64, 64).to(half) for _ in range(2))
    q, x, w = torch.randn(1, 4, 64, 64).to(half), torch.randn(1, 8, 4, 8, 8), torch.randn(8, 1, 3, 3, 3)
    bias = torch.randn(64).to(half)
    return {
        "gemm": (lambda: ops.gemm(a, b), lambda: torch.matmul(a, b)),
        "linear": (lambda: ops.gemm(a, b.t(), bias=bias, activation="gelu"), lambda: functional.linear(a, b, bias)),
        "attention": (lambda: ops.attention(q, q, q), lambda: functional.scaled_dot_product_attention(q, q, q)),
        "softmax": (lambda: ops.softmax(a), lambda: torch.softmax(a, -1)),
        "conv3d": (lambda: ops.depthwise_conv3d(x, w, padding=1), lambda: functional.conv3d(x, w, padding=1, groups=8)),
    }


def spent(call) -> float:
    began = time.process_time_ns()
    for _ in range(CALLS):
        call()
    return (time.process_time_ns() - began) / CALLS / 1e3


def serve() -> None:
    """Answer each line of input with a line of µs."""
    import torch

    from hotloop.dispatch import operator

    logging.getLogger("hotloop").setLevel(logging.ERROR)
    torch.set_num_threads(1)
    stand_in()
    made = calls()
    peers = {}
    for kind in operator.Operator.__subclasses__():
        peers[kind] = getattr(kind, "choose", None)
    with torch.no_grad():
        answers = {name: ran(ours) for name, (ours, _) in made.items()}
        for line in sys.stdin:
            which = line.strip()
            if not which:
                break
            answer = {name: spent(ours if which == "ours" else theirs) for name, (ours, theirs) in made.items()}
            print(json.dumps({"us": answer, "runs": answers}), flush=True)


def ran(call) -> str:
    """Make a call often enough that it is remembered, and say what runs."""
    from hotloop.dispatch import remembered

    before = set(remembered._answers)
    for _ in range(50):
        call()
    return ",".join(remembered._answers[key].choice.implementation for key in remembered._answers if key not in before)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.serve:
        serve()
        return
    here = Path(__file__).resolve().parents[1] / "src"
    folders = {"new": here, **({"old": asked.against.resolve()} if asked.against else {})}
    others = [one for one in os.environ.get("PYTHONPATH", "").split(os.pathsep) if one and Path(one).resolve() != here]
    servers = {
        name: subprocess.Popen(
            [sys.executable, __file__, "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *others])},
        )
        for name, folder in folders.items()
    }
    met: dict[tuple[str, str], list[float]] = {}
    runs = {}
    for _ in range(asked.rounds):
        for name, server in servers.items():
            for which in ("ours", "torch") if name == "new" else ("ours",):
                server.stdin.write(f"{which}\n")
                server.stdin.flush()
                answer = json.loads(server.stdout.readline())
                runs[name] = answer["runs"]
                for operation, us in answer["us"].items():
                    met.setdefault((operation, name if which == "ours" else which), []).append(us)
    for server in servers.values():
        server.communicate("\n", timeout=60)
    for operation in calls_named(met):
        row = {who: (min(us), median(us)) for (one, who), us in met.items() if one == operation}
        words = ", ".join(f"{who} {least:.2f} (median {middle:.2f})" for who, (least, middle) in row.items())
        share = f", new/old {row['new'][0] / row['old'][0]:.2f}" if "old" in row else ""
        print(
            f"{operation:10} µs of processor time: {words}{share}; runs { ({who: one[operation] for who, one in runs.items()}) }"
        )


def calls_named(met) -> list[str]:
    return list(dict.fromkeys(operation for operation, _ in met))


if __name__ == "__main__":
    main()
