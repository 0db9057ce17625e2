"""What hotloop knows about a language before it imports anything of the language's vendor.

A backend or front end may have a data file beside its module, ``backends/cuda.toml`` for example, whose keys are the fields of
`Language`. A language without such a file has the defaults: everything works except what a default says is off.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

_PACKAGES = ("hotloop.backends", "hotloop.frontends")
"""Packages whose folders hold the languages' data files; the first that has one for a language counts."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """What a language needs on this machine, as `hotloop doctor` reports it."""

    title: str
    """Name of the device in the report, ``CUDA`` for example."""
    modules: tuple[str, ...]
    """Python modules that the backend imports."""
    remedy: str
    """The command that installs the modules."""
    driver: str
    """What to do when the modules are installed and no device works."""


@dataclass(frozen=True, slots=True)
class Extra:
    """The packages that only this language needs: an extra of hotloop, ``pip install 'hotloop[cuda]'`` for example."""

    name: str
    """Name of the extra."""
    modules: tuple[str, ...]
    """Top-level Python modules that the packages install; a failed import of one of them names the extra."""
    requires: tuple[str, ...]
    """The packages with their versions, as `pyproject.toml` writes them; ``python docs/generate.py`` copies them there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Facts about the language that a backend runs or a front end compiles."""

    name: str
    """Name of the backend's module, and of the language in an `Implementation`."""
    title: str
    """How people write the language's name; the module's name by default."""
    preprocessed: bool = False
    """True when the source is text for a C preprocessor, so that the files which it includes are checked before a build."""
    separable: bool = False
    """True when the source is compiled without its arguments and without the device that runs it: one build serves all
    launches, and can be made ahead of its use."""
    cross_compiled: bool = False
    """True when the compiler takes a description of the GPU instead of the GPU, so that processes which never open the
    device can compile for it."""
    jit: bool = False
    """True when the source is a decorated Python function."""
    declared: bool = False
    """True when kernel files can declare kernels in the language; their calls are timed by a real clock."""
    events: bool = False
    """True when the events of a GPU vendor's runtime time the calls: such times are comparable between these languages,
    and the host threads of one do not disturb another."""
    code_objects: bool = False
    """True when the compiled binary is a code object of one GPU, which the machine-code analysis can read."""
    matrix_units: bool = False
    """True when kernels can use the GPU's matrix units, whose rates are then the ceilings of 16-bit types."""
    ceiling: str = ""
    """Module of `hotloop.kernels.ceiling` whose programs measure the device's limits; empty when they cannot be measured."""
    recorded: str = ""
    """Suffix of the source files in a capture, ``.cl`` for example; empty when ``hotloop capture`` does not record the language."""
    extra: Extra | None = None
    """The packages that the language needs and no other part of hotloop; None when it needs none."""
    runtime: Runtime | None = None
    """What must be installed to run the language on a GPU; None when the doctor needs to report nothing."""


@cache
def language(name: str) -> Language:
    """Return the facts about a language, the defaults for one that has no data file.

    >>> language("cuda").title, language("cuda").separable
    ('CUDA C++', True)
    >>> language("fortran").title
    'fortran'
    """
    import tomllib
    from importlib.resources import files

    for package in _PACKAGES:
        file = files(package).joinpath(f"{name}.toml")
        if name.isidentifier() and file.is_file():  # a name from a file may be anything, "../x" for example
            facts = tomllib.loads(file.read_text(encoding="utf-8"))
            runtime, extra = facts.pop("runtime", None), facts.pop("extra", None)
            facts["runtime"] = _runtime(runtime) if runtime else None
            facts["extra"] = _extra(extra) if extra else None
            return Language(name=name, **{"title": name, **facts})
    return Language(name=name, title=name)


@cache
def extras() -> tuple[Extra, ...]:
    """Return the extras that languages bring, in the order of their names."""
    from importlib.resources import files

    entries = (entry.name for package in _PACKAGES for entry in files(package).iterdir())
    languages = (language(entry.removesuffix(".toml")) for entry in entries if entry.endswith(".toml"))
    return tuple(sorted({each.extra for each in languages if each.extra}, key=lambda extra: extra.name))


def _extra(table: dict[str, str | list[str]]) -> Extra:
    return Extra(str(table["name"]), tuple(table["modules"]), tuple(table["requires"]))


def _runtime(table: dict[str, str | list[str]]) -> Runtime:
    text = {key: value for key, value in table.items() if isinstance(value, str)}
    return Runtime(text["title"], tuple(table["modules"]), text["remedy"], text["driver"])
