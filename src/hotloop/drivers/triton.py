"""Triton and Gluon programs: a module's text becomes a module, its function is compiled for the arguments and launched.

A program's ``global_size`` counts threads and ``local_size`` those of one group, as in OpenCL; Triton's grid is their
quotient. Options are the texts of `hotloop.model.jit`. Triton reads a function's source from a file, so the text is written
to a private temporary folder, where Triton's cache lies, too: build times are those of this source.
"""

from __future__ import annotations

import contextlib
import inspect
import os
import re
import shutil
import sys
import tempfile
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from hotloop.drivers import archive
from hotloop.drivers import jit as _jit
from hotloop.drivers import torch as _torch
from hotloop.drivers.interpreting import count_by_numbers
from hotloop.drivers.jit import Module
from hotloop.drivers.torch import BandedBuffer, BoundProgram, Timeline, launching
from hotloop.errors import MachineError, MissingExtraError, NoDeviceError, first_line
from hotloop.model.device import INTERPRETER, Device
from hotloop.model.jit import Meta, parse, threads
from hotloop.model.outcome import Artifact, Resources
from hotloop.model.program import Array, Launch, Program
from hotloop.model.record import digest
from hotloop.ports import BAND_BYTES, Bound, Buffer, BuildError, LaunchError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SWITCH = "TRITON_INTERPRET"
_SPILL_BYTES = 4
_PROBED_BYTES = 1024
_PROBE_WARPS = 4


class JitBackend:
    """Implements the `Backend` port; subclasses name the language and say whether Triton's interpreter runs it."""

    settle_ns = 0
    memory = _torch.MEMORY
    language: ClassVar[str]
    interpretable: ClassVar[bool]
    probe_source: ClassVar[str]
    """A kernel ``probe(y, x, BLOCK, LANES)`` that writes each byte of x with its lowest bit inverted to y."""

    def __init__(self) -> None:
        self._device: Device | None = None
        self._pretends = False
        """True: nothing can be loaded or launched here."""
        self._timeline: Timeline | None = None
        self._folder: Path | None = None
        self._modules: dict[str, Module] = {}
        self._artifacts: dict[str, Artifact] = {}
        self._compiled: dict[str, dict[str, Any]] = {}
        """By program and entry; what the last build or binding made."""

    def devices(self) -> Sequence[Device]:
        """List the GPUs that PyTorch can use, and the interpreter where there is one."""
        gpus = _torch.gpus(self.language, self._compiler())
        return (*gpus, self._interpreter()) if self.interpretable else gpus

    def pretend(self, device: Device) -> None:
        """Only compile from now on, for a GPU that this process leaves alone; Triton must have been told of it.

        A small kernel is compiled at once: the first one takes seconds, whatever it is.
        """
        self._pretends = True
        self._use(device)
        with contextlib.suppress(BuildError):
            self.build(_probing(self.language, self.probe_source, device))

    def export(self, program: Program) -> bytes:
        """Return what Triton's cache holds of a program. Raises BuildError."""
        self.build(program)
        return archive.packed(made.hash for made in self._compiled[_key(program)].values() if made is not None)

    def adopt(self, program: Program, exported: bytes, artifact: Artifact) -> None:  # noqa: ARG002 - loading tells more
        """Put what another process compiled into Triton's cache, where building finds it."""
        if self._device is None:
            self.select("")
        if not self._interpreting:
            archive.unpacked(exported)

    def select(self, device_name: str) -> Device:
        """Use the first GPU that matches and works, else the interpreter if that matches.

        The environment variable ``TRITON_INTERPRET=1`` asks for the interpreter, as it does without hotloop.

        Raises:
            NoDeviceError: nothing matches, or nothing that matches works.
        """
        listed = self.devices()
        asked = self.interpretable and os.environ.get(_SWITCH, "") not in ("", "0")
        candidates = [d for d in listed if d.kind == "cpu"] if asked else listed
        reasons: list[str] = []
        for number, device in enumerate(listed):
            if device not in candidates or not _torch.matches(device, device_name):
                continue
            if reasons and device.kind == "cpu":  # nobody who has a GPU wants the interpreter unasked
                continue
            reason = _torch.probe(number) if device.kind == "gpu" else ""
            reason = reason or self._probe(device)
            if not reason:
                return device
            reasons.append(f"{device.name}: {reason}")
        raise NoDeviceError(self._nothing(listed, device_name, reasons))

    def build(self, program: Program) -> Artifact:
        """Load the module and compile every launch for its arguments, whose types and values Triton's code depends on."""
        key = _key(program)
        if key not in self._artifacts:
            started_ns = time.perf_counter_ns()
            module = self._module(program)
            made = {la.entry: self._ready(program, module, la) for la in program.launches}
            build_ns = time.perf_counter_ns() - started_ns
            describe = _described if self._pretends else _resources
            rows = tuple((entry, describe(compiled)) for entry, compiled in made.items() if compiled is not None)
            spoken = [] if self._pretends else [(entry, kernel) for entry, kernel in made.items() if kernel is not None]
            log = "\n".join(_said(entry, compiled) for entry, compiled in spoken)
            self._compiled[key] = made
            self._artifacts[key] = Artifact(program.build_key, float(build_ns), log, rows)
        return self._artifacts[key]

    def binary(self, program: Program) -> bytes:
        """Return the machine code of the main launch; the interpreter has none."""
        self.build(program)
        compiled = self._compiled[_key(program)].get(program.main.entry) if program.main else None
        code = next((compiled.asm[kind] for kind in ("cubin", "hsaco") if compiled and kind in compiled.asm), b"")
        return bytes(code)

    def allocate(self, banded_bytes: int) -> Buffer:
        """Return memory for one banded array."""
        return BandedBuffer(banded_bytes, "cpu" if self._interpreting else "cuda")

    def pin(self, array: NDArray[np.uint8]) -> None:
        """Pin an array's pages; one that cannot be pinned is left as it is."""
        _torch.pin(array)

    def unpin(self, array: NDArray[np.uint8]) -> None:
        """Release pages that were pinned; any others are left as they are."""
        _torch.unpin(array)

    def bind(self, program: Program, buffers: Mapping[str, Buffer]) -> Bound:
        """Compile for these very arguments where they differ from the build's, and prepare the launches."""
        self.build(program)
        module = self._module(program)
        bound = [(la.phase, self._launch(program, module, la, buffers)) for la in program.launches if la.work_items]
        if self._interpreting:
            count_by_numbers()
            return Interpreted([launch for _, launch in bound])
        assert self._timeline is not None
        return BoundProgram(self._timeline, bound)

    # --- device ------------------------------------------------------------------------------------------------------

    @property
    def _interpreting(self) -> bool:
        if self._device is None:
            self.select("")
        assert self._device is not None
        return self._device.kind == "cpu"

    def _use(self, device: Device) -> None:
        """Prepare the process: Triton decides when it is imported whether it interprets."""
        interpreting = device.kind == "cpu"
        before, wanted = os.environ.get(_SWITCH, ""), "1" if interpreting else "0"
        if "triton" in sys.modules and (before == "1") != interpreting:
            raise MachineError("this process has Triton loaded for another kind of device; use one device per run.")
        os.environ[_SWITCH] = wanted
        os.environ.setdefault("TRITON_DEFAULT_FP_FUSION", "1")  # spelled out: the default changes in Triton 3.10
        self._folder = Path(tempfile.mkdtemp(prefix="hotloop-triton-"))
        weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
        os.environ["TRITON_CACHE_DIR"] = str(self._folder / "cache")
        self._timeline = None if interpreting or self._pretends else Timeline()
        self._device = device
        try:
            import triton  # noqa: F401 - here, because its absence is one sentence now
        except ModuleNotFoundError as error:
            raise MissingExtraError(f"running {self.language} kernels", "triton") from error

    def _probe(self, device: Device) -> str:
        """Use a device, compile, run and check a small kernel on it; returns why that fails, or an empty text."""
        self._use(device)
        x, y = (BandedBuffer(_PROBED_BYTES + 2 * BAND_BYTES, "cpu" if device.kind == "cpu" else "cuda") for _ in "xy")
        values = np.arange(2 * BAND_BYTES + _PROBED_BYTES, dtype=np.uint8)
        try:
            x.write(values)
            bound = self.bind(_probing(self.language, self.probe_source, device), {"x": x, "y": y})
            bound.enqueue()
            bound.finish()
        except (BuildError, LaunchError) as error:
            self._device = None
            return f"cannot run a small kernel: {first_line(error)}"
        right = np.array_equal(y.payload("uint8").cpu().numpy(), x.payload("uint8").cpu().numpy() ^ 1)
        self._device = device if right else None
        return "" if right else "computes wrong results"

    def _compiler(self) -> str:
        return f"Triton {_torch.version('triton') or '(not installed)'}"

    def _interpreter(self) -> Device:
        return Device(
            name="cpu (triton interpreter)",
            kind="cpu",
            backend=self.language,
            runtime=f"{self._compiler()} interpreter (its times say nothing about a GPU), PyTorch {_torch.load().__version__}",
            runtime_key=INTERPRETER,
            compute_units=1,
            max_workgroup=1 << 20,
            fp16=True,
            fp64=True,
        )

    def _nothing(self, listed: Sequence[Device], wanted: str, reasons: Sequence[str]) -> str:
        if reasons:
            return f"no {self.language} device works: {'; '.join(reasons)}; see hotloop doctor."
        if not listed:
            return (
                f"{self.language} kernels need a GPU, and PyTorch {_torch.load().__version__} finds none; run them on a machine "
                "with an NVIDIA or AMD GPU and a PyTorch made for it."
            )
        names = "; ".join(f"{device.name} ({device.runtime_key})" for device in listed)
        return f"no {self.language} device matches {wanted!r}; listed devices: {names}."

    # --- code --------------------------------------------------------------------------------------------------------

    def _module(self, program: Program) -> Module:
        if program.build_key not in self._modules:
            if self._device is None:
                self.select("")
            assert self._folder is not None
            try:
                meta = parse(program.options)
            except ValueError as error:
                raise BuildError(f"error: {error}") from None
            self._modules[program.build_key] = _jit.loaded(program, meta, self._folder)
        return self._modules[program.build_key]

    def _ready(self, program: Program, module: Module, launch: Launch) -> Any:  # noqa: ANN401 - Triton is untyped
        """Compile a launch for its arguments' types; None where it is interpreted."""
        function = _jit.function(module, launch.entry)
        placed = _jit.placed(function, module, launch, partial(_jit.stand_in, module.meta.seen_by(launch.entry)))
        if self._interpreting:
            return None
        return _compile(function, program, module, launch, placed, load=not self._pretends)

    def _launch(
        self, program: Program, module: Module, launch: Launch, buffers: Mapping[str, Buffer]
    ) -> Callable[[], None]:
        function = _jit.function(module, launch.entry)
        meta = module.meta.seen_by(launch.entry)
        placed = _jit.placed(function, module, launch, lambda argument: _jit.argument(meta, argument, buffers))
        grid = _jit.grid(launch)
        if self._interpreting:
            return lambda: function[grid](**placed)
        compiled = _compile(function, program, module, launch, placed)
        self._compiled[_key(program)][launch.entry] = compiled
        return partial(compiled[grid], *(placed[name] for name in function.arg_names))


def _key(program: Program) -> str:
    """Return what decides the code: source, options, and what each function is called with."""
    return digest([program.build_key, [[la.entry, repr(la.arguments)] for la in program.launches]])


class Interpreted:
    """Launches that Triton's interpreter runs at once, in NumPy."""

    def __init__(self, launches: Sequence[Callable[[], None]]) -> None:
        self._launches = launches

    def enqueue(self) -> None:
        """Run all launches once."""
        with launching("cpu"):
            for launch in self._launches:
                launch()

    def finish(self) -> float | None:
        """Return None: there is no device whose time could be told."""
        return None

    def phases(self) -> Mapping[str, float]:
        """Return nothing, for the same reason."""
        return {}


def _probing(language: str, source: str, device: Device) -> Program:
    group = threads(_PROBE_WARPS, device.target)
    values = {"BLOCK": _PROBED_BYTES, "LANES": group // _PROBE_WARPS, "num_warps": _PROBE_WARPS}
    meta = Meta(values=values, dtypes={"x": "uint8", "y": "uint8"})
    launch = Launch("probe", (Array("y"), Array("x")), (group,), (group,))
    return Program(language, source, meta.options, (launch,), source_name="probe.py")


# --- compiling ---------------------------------------------------------------------------------------------------------


def _compile(
    function: Any,  # noqa: ANN401
    program: Program,
    module: Module,
    launch: Launch,
    placed: Mapping[str, object],
    *,
    load: bool = True,
) -> Any:  # noqa: ANN401
    """Return the compiled kernel, loaded onto the device unless that is not wanted; Triton keeps what it compiled for the same types.

    Raises:
        BuildError: the compiler refuses.
        LaunchError: the device has not enough of what the kernel needs.
    """
    from triton.runtime.jit import MockTensor

    options = _jit.compiler_options(module, program, launch)
    try:
        first = next((at for at, name in enumerate(placed) if name in options), len(placed))
        positional, named = list(placed.values())[:first], list(placed.items())[first:]
        # a parameter that is called like an option is both; Triton itself wraps types that are given by position only
        options |= {name: MockTensor.wrap_dtype(value) for name, value in named}
        compiled = function.warmup(*positional, grid=_jit.grid(launch), **options)
    except Exception as error:  # Triton, MLIR and ptxas have exceptions of their own
        raise BuildError(_complaint(function, program, error)) from error
    if not load:
        return compiled
    with launching("cuda"):
        compiled.run  # noqa: B018 - loads it, which is when registers and spills are known
    return compiled


def _complaint(function: Any, program: Program, error: Exception) -> str:  # noqa: ANN401
    """Return a compiler's log that begins with place and message, the line counted from the beginning of the file."""
    text = str(error).strip() or type(error).__name__
    match = re.search(r"\bat (\d+):(\d+):", text)
    if not match:
        return f"error: {type(error).__name__}: {text}"
    rows, start = inspect.getsourcelines(_jit.plain(function))
    above = next((index for index, row in enumerate(rows) if row.lstrip().startswith("def ")), 0)
    reason = _reason(text, error)
    place = f"{program.source_name or 'kernel'}:{start + above + int(match[1]) - 1}:{int(match[2]) + 1}"
    return f"{place}: error: {reason}\n{text}"


def _reason(text: str, error: Exception) -> str:
    """Return the last line of a compiler's message that is no picture of the source."""
    deepest: BaseException = error
    while deepest.__cause__ is not None:
        deepest = deepest.__cause__
    lines = [row.strip() for row in (str(deepest).strip() or text).splitlines() if row.strip(" ^")]
    return f"{type(deepest).__name__}: {lines[-1]}" if lines else type(deepest).__name__


def _resources(compiled: Any) -> Resources:  # noqa: ANN401
    return Resources(
        private_bytes=_SPILL_BYTES * compiled.n_spills,
        local_bytes=compiled.metadata.shared,
        max_workgroup=compiled.n_max_threads,
    )


def _described(compiled: Any) -> Resources:  # noqa: ANN401
    """Return what is known before the code is loaded."""
    return Resources(local_bytes=compiled.metadata.shared)


def _said(entry: str, compiled: Any) -> str:  # noqa: ANN401
    return (
        f"{entry}: {compiled.n_regs} registers, {_SPILL_BYTES * compiled.n_spills} B of local memory per thread, "
        f"{compiled.metadata.shared} B of shared memory, {compiled.metadata.num_warps} warps"
    )
