"""Finding the kernel that a command names: a family of hotloop's own, or a user's Python file.

A user's file is code and is executed, once, only because it was named on the command line.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop import registry
from hotloop.app import fresh, imported, patience
from hotloop.errors import BadShapeError, HotloopError, KernelFileError, MissingExtraError, UnknownNameError, UsageError
from hotloop.host import deadline, guardian
from hotloop.model.kernel import Variant
from hotloop.model.record import Scalar
from hotloop.raised import raised

if TYPE_CHECKING:
    from hotloop.app.bare.wish import Wish
    from hotloop.model.kernel import Kernel
    from hotloop.model.problem import Problem
    from hotloop.model.space import Parameter

FAMILIES = "hotloop.kernels"
_HIDDEN = ("ceiling",)
_OF = " of "
_SHORT = {"conv3d": "conv3d_depthwise"}
"""Short names of families."""
_MISSPELLED = 0.8
"""Similarity from which an unknown label counts as a misspelt technique: vectorise has 0.89, depth and path 0.67."""
_MOST_DIGITS = 18
_IN_FULL = 4
"""Sizes of a kernel up to which AxBxC that leaves some out is taken for a slip; the many of a convolution nobody writes in full."""
_KINDS = {"bool": "true or false", "int": "a whole number", "float": "a number"}
"""Names of types in messages."""


def families() -> tuple[str, ...]:
    """Return the names of hotloop's own kernel families."""
    return tuple(name for name in registry.names(FAMILIES) if name not in _HIDDEN)


def family_of(name: str) -> str:
    """Return the family that a name or its short form means.

    >>> family_of("conv3d"), family_of("gemm")
    ('conv3d_depthwise', 'gemm')
    """
    return _SHORT.get(name, name)


def kept_as(kernel: Kernel) -> str:
    """Return the family name under which the store keeps a kernel's winners; for a user's file it includes the whole path.

    Otherwise kernels of the same name in different projects would share their winners.
    """
    file = place(kernel)
    return f"{kernel.family}{_OF}{file}" if file.endswith((".py", ".cl")) else kernel.family


def place(kernel: Kernel) -> str:
    """Return the whole path of the file that a kernel stands in; for hotloop's own kernels the name of their module."""
    return str(Path(kernel.origin).resolve()) if kernel.origin.endswith((".py", ".cl")) else kernel.origin


def spelled(family: str) -> str:
    """Return what a user writes for the kernel whose winners the store keeps under a family name.

    >>> spelled("gemm"), spelled("blur of /home/me/filters.py")
    ('gemm', '/home/me/filters.py:blur')

    Raises:
        UsageError: it is a bare source or a captured kernel, which only the options of its run make whole.
    """
    from hotloop.captures.folder import is_capture

    name, _, path = family.partition(_OF)
    if path.endswith(".cl") or (path and is_capture(Path(path).parent)):
        raise UsageError(
            f"{path} is measured with the options of its run only; to do it again, give the command of that run."
        )
    return f"{path}:{name}" if path else family


def find(spec: str, limit_s: float = patience.LIMIT_S, wish: Wish | None = None) -> Kernel:
    """Return the kernel that a text names: ``gemm``, ``conv3d``, ``path/to/file.py`` or ``file.py:kernel``.

    Loading a file and each call of its functions may take `limit_s` seconds.

    Raises:
        UnknownNameError: neither a family nor a file.
        KernelFileError: the file raises, or defines no such kernel.
    """
    path, _, name = spec.partition(":")
    if path.endswith(".py"):
        _wishless(spec, wish)
        return load(Path(path), name, limit_s, limit_s)
    if path.endswith(".cl"):
        from hotloop.app.bare.kernel import load as bare
        from hotloop.app.bare.wish import Wish

        try:
            return _judged(bare(Path(path), name, wish or Wish(), limit_s), wish, limit_s)
        except KernelFileError:
            raise
        except UsageError as error:
            if wish is not None or not _is(Path(path), Path.is_file):
                raise
            raise UsageError(
                f"{str(error).rstrip('.')}; a verb without --size takes the kernel file that hotloop init --from {path} --size NAME=N writes."
            ) from error
    from hotloop.app.captured import load as captured

    if family_of(spec) not in families() and (named := captured.names(spec)):
        _wishless(spec, None if wish is None else replace(wish, reference=""))
        return _judged(captured.load(*named, limit_s), wish, limit_s)
    if family_of(spec) not in families():
        raise _unknown(spec)
    _wishless(spec, wish)
    kernel: Kernel = registry.load(FAMILIES, family_of(spec), "KERNEL")
    return kernel


def _unknown(spec: str) -> UsageError:
    """Return the error for a text that names no kernel; if the text names something else, the message says what."""
    path, kernel = Path(spec), spec.partition("@")[0]
    if kernel != spec and (family_of(kernel) in families() or kernel.endswith((".py", ".cl"))):
        return UsageError(f"{spec} names a variant where a kernel is wanted; give {kernel}.")
    if spec and _is(path, Path.is_dir):
        return UsageError(
            f"{spec} is a folder and no capture; name a kernel file in it, or make a capture with hotloop capture."
        )
    if spec and _is(path, Path.exists):
        return UsageError(f"{spec} is no kernel file: the name of one ends in .py (hotloop init writes one) or in .cl.")
    kinds = ("a file ending in .py", "a file ending in .cl", "a capture's folder")
    return UnknownNameError("kernel family or file", spec, (*families(), *_SHORT, *kinds))


def _judged(kernel: Kernel, wish: Wish | None, limit_s: float) -> Kernel:
    """Return a kernel with the reference that the user named, if any."""
    if wish is None or not wish.reference:
        return kernel
    from hotloop.app.bare import reference

    return reference.named(kernel, wish.reference, limit_s)


def _wishless(spec: str, wish: Wish | None) -> None:
    """Refuse sizes of a bare source for anything else."""
    if wish is not None and not wish.empty:
        what = (
            "has its own reference; --reference is"
            if wish.reference
            else "names its own sizes; --size and --launches are"
        )
        raise UsageError(f"{spec} {what} for a source such as kernel.cl.")


def load(path: Path, name: str = "", limit_s: float = patience.LIMIT_S, loading_s: float = patience.LIMIT_S) -> Kernel:
    """Run a kernel file and return its only kernel, or the one of the given name.

    Each call of its functions may take `limit_s` seconds; loading, which may import large packages, `loading_s`.
    """
    from hotloop import api

    if _is(path, Path.is_dir):
        raise UsageError(f"{path} is a directory; name the kernel file in it.")
    if not _is(path, Path.is_file):
        there = _is(path, Path.is_symlink) or _is(path, Path.exists)
        refusal = f"{path} is no regular file" if there else f"there is no file {path}"
        raise UsageError(f"{refusal}; give an existing kernel file or a family: {', '.join(families())}.")
    guardian.watch()
    before = len(api.DEFINED)
    module, loader = fresh.module(f"hotloop_user_{path.stem}", path)
    sys.modules[module.__name__] = module
    try:
        with redirect_stdout(sys.stderr):  # what the file prints must not mix with hotloop's output
            patience.told(f"loading {path}", loader.exec_module, loading_s)(module)
    except HotloopError:
        raise
    except SystemExit as leave:
        raise KernelFileError(
            f"{path} calls sys.exit({leave.code}) when it is loaded; a kernel file only defines."
        ) from leave
    except SyntaxError as error:
        place = f":{error.lineno}:" if error.lineno else " is not Python:"  # a binary file has no line numbers
        raise KernelFileError(f"{path}{place} {error.msg}.") from error
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        # Running a Triton kernel needs PyTorch beside Triton.
        if extra := registry.extra_of("torch" if missing == "triton" else missing):
            raise MissingExtraError(str(path), extra) from error
        raise KernelFileError(f"{path} imports {error.name}, which {_mended(path, missing)}.") from error
    except BaseException as error:  # the file is the user's code and may raise anything
        if isinstance(error, KeyboardInterrupt | deadline.EndedError):
            raise
        raise KernelFileError(f"{path} raises {raised(error, ' when it is loaded')}.") from error
    chosen = replace(_labelled(_choose(api.DEFINED[before:], path, name), path), judge=imported.fingerprint(path))
    return patience.bounded(chosen, limit_s)


def _mended(path: Path, missing: str) -> str:
    """Return what is the matter with a module that is not found, and what mends it: one that stands beside the file is not looked for."""
    beside = path.resolve().parent
    if _is(beside / f"{missing}.py", Path.is_file) or _is(beside / missing, Path.is_dir):
        return f"stands beside it, where Python does not look; set PYTHONPATH={beside}"
    return "is not installed; install it"


def _is(path: Path, kind: Callable[[Path], bool]) -> bool:
    """Return the result of a test of a path; False if the system refuses the path, for example for its length."""
    try:
        return kind(path)
    except OSError:
        return False


def _labelled(kernel: Kernel, path: Path) -> Kernel:
    """Return the kernel; raise if a label is a misspelt technique, whose parameter only the search would change unnoticed.

    Labels that resemble no technique are the author's own and are left to the search on purpose.
    """
    names = [name.replace("_", "-") for name in registry.names("hotloop.techniques.methods")]
    for implementation in kernel.implementations:
        for parameter in implementation.space.parameters:
            if parameter.technique and parameter.technique not in names:
                from difflib import get_close_matches

                for alike in get_close_matches(parameter.technique, names, n=1, cutoff=_MISSPELLED):
                    raise KernelFileError(
                        f"{path} labels {parameter.name} with {parameter.technique!r}, which is no technique; "
                        f"did you mean {alike}?"
                    )
    return kernel


def _choose(defined: list[Kernel], path: Path, name: str) -> Kernel:
    names = tuple(kernel.family for kernel in defined)
    if not defined:
        raise KernelFileError(f"{path} defines no kernel; decorate a class with @hl.kernel(...), see hotloop init.")
    if name:
        wanted = next((kernel for kernel in defined if kernel.family == name), None)
        if wanted is None:
            raise UnknownNameError(f"kernel in {path.name}", name, names)
        return wanted
    if len(defined) > 1:
        raise KernelFileError(f"{path} defines several kernels ({', '.join(names)}); choose one with {path}:NAME.")
    return defined[0]


def problem_of(kernel: Kernel, shape: str) -> Problem:
    """Return the kernel's problem with the sizes of a ``--shape`` text.

    Raises:
        BadShapeError: the text is not understood, names an unknown size, or a size is negative.
    """
    if not shape:
        return kernel.problem
    named = [name.strip() for name, equals, _ in (pair.partition("=") for pair in shape.split(",")) if equals]
    if len(named) > len(set(named)):
        raise BadShapeError(f"--shape {shape} gives a size twice; give each size one value.")
    problem = kernel.shape(shape, kernel.problem) if kernel.shape else _pairs(kernel, shape)
    for name, value in problem.sizes.items():
        if isinstance(value, int) and not isinstance(value, bool) and value < 0:
            raise BadShapeError(f"--shape {shape}: {name} is {value}; sizes must not be negative.")
    try:
        kernel.work(problem)  # families validate their sizes in this call
    except ValueError as error:
        raise BadShapeError(f"--shape {shape}: {error}.") from error
    except patience.LateError:
        raise
    except HotloopError:  # a user's function raises: the caller that needs the work reports it
        pass
    return problem


def timed(kernel: Kernel, shape: str) -> Problem:
    """Return the problem of `problem_of` for timing.

    Raises:
        BadShapeError: as `problem_of`, or it has nothing to compute or to move where the kernel's own problem has.
    """
    problem = problem_of(kernel, shape)
    empty = [name for name, value in problem.sizes.items() if value == 0 and kernel.problem.sizes.get(name)]
    if not empty:
        return problem
    try:
        own, asked = kernel.work(kernel.problem), kernel.work(problem)
    except (HotloopError, ValueError):  # the caller that needs the work reports it
        return problem
    if (own.flops and not asked.flops) or (own.bytes and not asked.bytes):
        raise BadShapeError(
            f"--shape {shape}: with {' = '.join(empty)} = 0 there is nothing to time; give sizes of at least 1 "
            "(hotloop check takes empty problems)."
        )
    return problem


def brief(kernel: Kernel, problem: Problem) -> str:
    """Return a problem in a few words: its leading numbers, and what differs from the kernel's default."""
    numbers: list[str] = []
    for value in problem.sizes.values():
        if isinstance(value, bool) or not isinstance(value, int):
            break
        numbers.append(str(value))
    rest = list(problem.sizes)[len(numbers) :]
    changed = [
        f"{name}={problem.sizes[name]}" for name in rest if problem.sizes[name] != kernel.problem.sizes.get(name)
    ]
    return " ".join(["x".join(numbers), *changed]).strip()


def _pairs(kernel: Kernel, shape: str) -> Problem:
    """Read ``64x32x16``, ``4096`` of a kernel with one size, or ``name=value,...``; positional numbers fill the kernel's sizes in order."""
    sizes: dict[str, Scalar] = {}
    for pair in shape.split(","):
        name, equals, value = pair.strip().partition("=")
        if not equals:
            sizes |= _positional(kernel, name, shape)
            continue
        if name not in kernel.problem.sizes:
            from difflib import get_close_matches  # slow to import

            names, alike = ", ".join(kernel.problem.sizes), get_close_matches(name, kernel.problem.sizes, n=1)
            hint = f"; did you mean {alike[0]}?" if alike else "."
            raise BadShapeError(
                f"--shape {shape}: {kernel.family} has no size {name!r}; write name=value pairs of: {names}{hint}"
            )
        sizes[name] = _like(kernel.problem.sizes[name], value, shape)
    return kernel.problem.replace(**sizes)


def _positional(kernel: Kernel, text: str, shape: str) -> dict[str, Scalar]:
    """Return the sizes that ``AxBxC`` names."""
    integers = [name for name, _ in takewhile(_extent, kernel.problem.sizes.items())]
    parts = text.lower().split("x")
    if len(parts) > len(integers) or not all(part.isdecimal() for part in parts):
        wanted = "x".join(name.upper() for name in integers[:3])
        raise BadShapeError(
            f"--shape {shape}: {text!r} is not understood; write {wanted} as numbers, or name=value pairs."
        )
    if any(len(part) > _MOST_DIGITS for part in parts):
        raise BadShapeError(f"--shape has a size of {max(map(len, parts))} digits; no array is that long.")
    if len(parts) < len(integers) and (len(parts) == 1 or len(integers) <= _IN_FULL):
        example = "x".join(str(kernel.problem.sizes[name]) for name in integers)
        raise BadShapeError(
            f"--shape {shape}: {text!r} leaves out {', '.join(integers[len(parts) :])}; write {'x'.join(name.upper() for name in integers)}"
            f" as numbers, e.g. {example}, or name=value pairs, e.g. {integers[0]}={parts[0]}."
        )
    return {name: int(part) for name, part in zip(integers, parts, strict=False)}


def _extent(size: tuple[str, Scalar]) -> bool:
    """Return whether a size can be given by position: whole numbers before the first size of another type."""
    return isinstance(size[1], int) and not isinstance(size[1], bool)


def _like(default: Scalar, text: str, shape: str) -> Scalar:
    try:
        if isinstance(default, bool):
            return {"true": True, "1": True, "false": False, "0": False}[text.lower()]
        return type(default)(text)
    except (KeyError, ValueError):
        raise BadShapeError(f"--shape {shape}: {text!r} is not {_KINDS[type(default).__name__]}.") from None


def starting(kernel: Kernel, implementation: str = "", changes: Mapping[str, Scalar] | None = None) -> Variant:
    """Return the variant with which a run begins: the implementation's start with some parameters changed.

    Raises:
        UnknownNameError: no such implementation or parameter.
        UsageError: the changed configuration is not valid.
    """
    chosen = kernel.implementation(implementation or None)
    for name in changes or {}:
        if name not in chosen.space:
            raise UnknownNameError(
                f"parameter of the implementation {chosen.name}", name, tuple(p.name for p in chosen.space.parameters)
            )
    config = chosen.start.replace(
        **{name: _meant(chosen.space[name], value) for name, value in (changes or {}).items()}
    )
    if violation := chosen.space.violation(config):
        raise UsageError(f"the configuration {config} of {chosen.name} is not valid: {violation}.")
    return Variant(chosen, config)


def _meant(parameter: Parameter, given: Scalar) -> Scalar:
    """Return the parameter's own value that is equal to a given one, or written alike as in reports; else what was given."""
    alike = [value for value in parameter.values if value == given or str(value) == str(given)]
    return alike[0] if alike else given
