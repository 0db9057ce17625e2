"""What a user says a source or a captured kernel computes: a function of theirs, in NumPy or PyTorch, in the place of its own text.

The bound of an element stays what the text itself shows: how far single precision is off from double on the same inputs. Were it
measured from the function, a wrong text would widen its own bound.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.app import fresh, imported, patience
from hotloop.app.bare.kernel import DOUBLE
from hotloop.errors import KernelFileError, UsageError
from hotloop.languages.declaration import guarded
from hotloop.model.dtype import floating

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs, Kernel, Outputs
    from hotloop.model.problem import Problem

_PLAIN = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


def named(kernel: Kernel, text: str, limit_s: float) -> Kernel:
    """Return a kernel judged by ``MODULE:FUNCTION`` or ``FILE.py:FUNCTION``.

    The function is called by name with those of the kernel's arrays and numbers that it has parameters for, real numbers as
    float64, as PyTorch's tensors where its module imports torch. It returns outputs by name, one output, or several in the
    kernel's order; outputs that it leaves out are judged by the kernel's own text.

    Raises:
        UsageError: there is no such function.
    """
    function = _found(text, limit_s)
    file = inspect.getsourcefile(inspect.unwrap(function)) if inspect.isfunction(function) else None
    return replace(
        judged(kernel, function, f"--reference {text}", limit_s),
        judge=imported.fingerprint(Path(file)) if file and Path(file).is_file() else text,  # some modules have no file
    )


def judged(kernel: Kernel, function: Callable[..., object], title: str, limit_s: float) -> Kernel:
    """Return a kernel judged by a function; `title` is its name in sentences."""
    named = _Named(title, function, kernel, limit_s)
    remark = f"the reference is your {title.removeprefix('--')}: what it returns counts as right, and bounds follow the kernel's own rounding"
    return replace(kernel, reference=named.reference, magnitude=named.magnitude, remarks=lambda: (remark,))


def _found(text: str, limit_s: float) -> Callable[..., object]:
    where, colon, name = text.rpartition(":")
    if not colon or not where or not name:
        raise UsageError(f"--reference {text} is not understood; write MODULE:FUNCTION or FILE.py:FUNCTION.")
    if str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    load = _file if where.endswith(".py") else importlib.import_module
    try:
        module: object = patience.told(f"loading {where}", load, limit_s)(where)
    except (ImportError, OSError) as error:
        raise UsageError(
            f"--reference {text} cannot be loaded: {error}; name a module or a file that exists."
        ) from None
    except Exception as error:  # the user's code may raise anything
        raise KernelFileError(f"loading {where} raises {type(error).__name__}: {error}.") from error
    function: Any = module
    for part in name.split("."):
        function = getattr(function, part, None)
    if not callable(function):
        raise UsageError(f"--reference {text}: {where} has no function {name}; name one that it defines.")
    return function  # type: ignore[no-any-return]


def _file(path: str) -> object:
    module, loader = fresh.module(f"hotloop_reference_{Path(path).stem}", Path(path))
    sys.modules[module.__name__] = module
    loader.exec_module(module)
    return module


@dataclass(slots=True)
class _Named:
    """The functions of a kernel whose reference is the user's."""

    text: str
    function: Callable[..., object]
    own: Kernel
    limit_s: float

    def reference(self, problem: Problem, inputs: Inputs) -> Outputs:
        """Return what the function returns, and the text's own results of all else. Raises KernelFileError."""
        own = self.own.reference(problem, inputs)
        return {**own, **self._shaped(self._called(problem, inputs), own)}

    def magnitude(self, problem: Problem, inputs: Inputs) -> Outputs:
        """Return the scale of rounding errors of the text; where it has no double precision, also the usual size of an element."""
        assert self.own.magnitude is not None
        magnitudes = self.own.magnitude(problem, inputs)
        if DOUBLE in self.own.remarks():
            return magnitudes
        return {
            name: magnitude + np.sqrt(np.mean(np.square(magnitude.astype(np.float64))))
            for name, magnitude in magnitudes.items()
            if magnitude.size
        }

    def _called(self, problem: Problem, inputs: Inputs) -> object:
        tensors = _torch(self.function)
        arrays = {
            name: array.astype(np.float64) if floating(array.dtype) else array.copy()
            for name, array in inputs.items()
            if isinstance(array, np.ndarray)
        }
        numbers = {name: array for name, array in problem.sizes.items() if isinstance(array, int | float)}
        values: dict[str, object] = {**numbers, **arrays}
        if tensors is not None:
            values |= {name: tensors.from_numpy(np.ascontiguousarray(array)) for name, array in arrays.items()}
        asked = guarded(f"{self.text}", self.function)
        return patience.told(f"{self.text}", asked, self.limit_s)(**self._taken(values))

    def _taken(self, arguments: Mapping[str, object]) -> dict[str, object]:
        try:
            parameters = inspect.signature(self.function).parameters.values()
        except (TypeError, ValueError):
            raise KernelFileError(
                f"{self.text} does not say what it takes; wrap it: def f({', '.join(arguments)}): ..."
            ) from None
        if any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters):
            return dict(arguments)
        wanted = [parameter for parameter in parameters if parameter.kind in _PLAIN]
        missing = [
            parameter.name
            for parameter in wanted
            if parameter.name not in arguments and parameter.default is inspect.Parameter.empty
        ]
        if missing:
            raise KernelFileError(
                f"{self.text} takes {', '.join(missing)}, which the kernel has not; it has {', '.join(arguments)}."
            )
        return {parameter.name: arguments[parameter.name] for parameter in wanted if parameter.name in arguments}

    def _shaped(self, returned: object, own: Outputs) -> dict[str, NDArray[np.generic]]:
        if not isinstance(returned, Mapping):
            values = returned if isinstance(returned, tuple | list) else (returned,)
            if len(values) != len(own):
                raise KernelFileError(
                    f"{self.text} returns {len(values)} results, the kernel writes {', '.join(own)}; return them by name: "
                    f"dict({next(iter(own), 'y')}=...)."
                )
            returned = dict(zip(own, values, strict=True))
        shaped: dict[str, NDArray[np.generic]] = {}
        for name, value in returned.items():
            if name not in own:
                raise KernelFileError(f"{self.text} returns {name}, the kernel writes {', '.join(own)}.")
            array = np.asarray(value.detach().cpu().numpy() if hasattr(value, "detach") else value)
            if array.size != prod(own[name].shape):
                raise KernelFileError(
                    f"{self.text} returns {array.size} elements of {name}, the kernel writes {own[name].size}."
                )
            shaped[name] = array.reshape(own[name].shape)
        return shaped


def _torch(function: Callable[..., object]) -> Any:  # noqa: ANN401 - PyTorch, where it is meant
    module = getattr(function, "__module__", "") or ""
    named_torch = getattr(getattr(function, "__globals__", {}).get("torch"), "__name__", "") == "torch"
    return importlib.import_module("torch") if named_torch or module.partition(".")[0] == "torch" else None
