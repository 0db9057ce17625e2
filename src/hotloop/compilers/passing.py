"""What a launch passes, put into a declaration: types, constants and divisibility as Triton finds them when it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hotloop import offline_api
from hotloop.compilers.offer import Passed
from hotloop.offline_api import Offline

_Bound = Mapping[str, tuple[int, Passed]]
"""Position and value of the launch's argument for each parameter, by its name."""


def told(
    made: Offline, passed: Sequence[Passed | None], overrides: Mapping[str, object]
) -> tuple[Offline, tuple[int, ...]]:
    """Return a declaration that follows a launch, and which of the arguments its code does not take, being constants in it.

    Args:
        made: the declaration; types and divisibility that it states stay.
        passed: arguments in order; None: one that is no parameter of the kernel.
        overrides: values and types of the command line, which win.
    """
    bound = _bound(made, passed, overrides)
    stated = {name for name, value in overrides.items() if offline_api.is_type(str(value))}
    free = {p.name for p in made.kernel.params if not offline_api.annotated(p)} - stated - set(made.signature)
    constants = _constant(made, bound) & free
    if made.arguments is not None:
        values = {name: _value(argument) for name, (_, argument) in bound.items()}
        return replace(made, arguments={**made.arguments, **values}), _at(bound, constants)
    typed = {name: argument.kind for name, (_, argument) in bound.items() if name in free and argument.kind}
    followed = replace(
        made,
        signature={**made.signature, **{name: kind for name, kind in typed.items() if name not in constants}},
        constexprs={**made.constexprs, **{name: bound[name][1].value for name in constants}},
        divisible=_divisible(made, bound),
        numbers={name: argument.value for name, (_, argument) in bound.items() if argument.value is not None},
    )
    return followed, _at(bound, constants)


def _bound(made: Offline, passed: Sequence[Passed | None], overrides: Mapping[str, object]) -> _Bound:
    """Return the arguments by the parameters that have no value before the launch, in their order."""
    valued = {name for name, value in overrides.items() if not offline_api.is_type(str(value))}
    taken = {p.name for p in made.kernel.params if p.is_constexpr} | {*made.constexprs, *made.heuristics} | valued
    free = [name for name in made.kernel.arg_names if name not in taken]
    given = [(place, argument) for place, argument in enumerate(passed) if argument is not None]
    return dict(zip(free, given, strict=False))


def _constant(made: Offline, bound: _Bound) -> set[str]:
    """Return the parameters that become constants: whole numbers that are 1, and what is not given at all."""
    loose = {p.name for p in made.kernel.params if p.do_not_specialize}
    return {
        name for name, (_, argument) in bound.items() if not argument.kind or (name not in loose and _is_one(argument))
    }


def _is_one(argument: Passed) -> bool:
    return argument.kind in offline_api.SPECIALISED and argument.value == 1


def _divisible(made: Offline, bound: _Bound) -> tuple[str, ...]:
    """Return what is a multiple of 16: of the arguments by their values, else as declared."""
    names = made.kernel.arg_names if made.divisible is None else made.divisible
    values = {name: argument.value for name, (_, argument) in bound.items() if argument.kind in offline_api.SPECIALISED}
    return tuple(name for name in names if (values.get(name) or 0) % 16 == 0)


def _value(argument: Passed) -> object:
    """Return an argument as a launch of Triton gets it."""
    if argument.kind.startswith("*"):
        return offline_api.Pointer(offline_api.NUMPY[argument.kind[1:]])
    return argument.value


def _at(bound: _Bound, names: set[str]) -> tuple[int, ...]:
    return tuple(bound[name][0] for name in bound if name in names)
