"""What a Triton or Gluon program carries in its options: values of parameters, types of arrays, descriptors, where imports are.

A program's options are texts, because they cross to the worker and make the build's fingerprint. Here they are:

    BLOCK=1024                     a parameter of the kernel, or an option of the compiler (``num_warps``): JSON
    add.num_warps=1                an option of the compiler for the kernel ``add`` alone
    layout:=gl.BlockedLayout(...)  the same as a Python expression, evaluated beside the kernel
    array:x=float16                the type that the buffer ``x`` is seen with
    descriptor:a={"shape": ...}    the buffer ``a`` is passed as a tensor descriptor
    descriptor:a@f={"shape": ...}  the same, but to the kernel ``f`` only
    search=/home/me/kernels        folder for imports of the user's own modules
    package=mine.kernels           package that relative imports start from
    uses:mine.helpers=1f0c...      digest of a module that the kernel imports, so that its changes are seen
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from hotloop.targets.target import Target

_PLAIN = (bool, int, float, str, type(None))


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A tensor descriptor: how the tensor memory accelerator sees an array."""

    shape: tuple[int, ...]
    block: tuple[int, ...]
    """Extents of the tile that one copy moves."""
    strides: tuple[int, ...] = ()
    """Strides in elements; empty: row after row without gaps."""
    layout: str = ""
    """Gluon's layout of the tile in shared memory, as an expression; empty for Triton, which chooses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """Everything about a program that is not its launches."""

    values: Mapping[str, object] = field(default_factory=dict)
    """Numbers, texts and None, by parameter or compiler option."""
    expressions: Mapping[str, str] = field(default_factory=dict)
    """Values that JSON has no form for, as Python expressions, by parameter."""
    dtypes: Mapping[str, str] = field(default_factory=dict)
    """NumPy's or PyTorch's name of each array's type."""
    descriptors: Mapping[str, Descriptor] = field(default_factory=dict)
    """Descriptors by array, or as ``array@kernel`` where other kernels of the program take the array's address."""
    search: tuple[str, ...] = ()
    package: str = ""
    uses: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, given: Mapping[str, object], **rest: object) -> Meta:
        """Return the meta-data of a launch whose parameters have these values; what JSON cannot say goes by its ``repr``."""
        items = {name: value if isinstance(value, _PLAIN) else item_of(value) for name, value in given.items()}
        plain = {name: value for name, value in items.items() if isinstance(value, _PLAIN)}
        others = {name: repr(value) for name, value in items.items() if name not in plain}
        return cls(values=plain, expressions=others, **rest)  # type: ignore[arg-type]

    def seen_by(self, entry: str) -> Meta:
        """Return the same with the descriptors of one kernel, by array alone."""
        split = {name: name.partition("@") for name in self.descriptors}
        mine = {split[name][0]: made for name, made in self.descriptors.items() if split[name][2] in ("", entry)}
        return replace(self, descriptors=mine)

    @property
    def options(self) -> tuple[str, ...]:
        """The texts, in an order that does not depend on how the values were given."""
        return (
            *(f"{name}={json.dumps(value)}" for name, value in sorted(self.values.items())),
            *(f"{name}:={text}" for name, text in sorted(self.expressions.items())),
            *(f"array:{name}={dtype}" for name, dtype in sorted(self.dtypes.items())),
            *(f"descriptor:{name}={_described(made)}" for name, made in sorted(self.descriptors.items())),
            *(f"search={folder}" for folder in self.search),
            *((f"package={self.package}",) if self.package else ()),
            *(f"uses:{name}={digest}" for name, digest in sorted(self.uses.items())),
        )


def parse(options: Iterable[str]) -> Meta:
    """Return what the options say; the inverse of `Meta.options`.

    Raises:
        ValueError: a text has none of the forms.
    """
    parts: dict[str, dict[str, object]] = {key: {} for key in ("", ":", "array", "descriptor", "uses")}
    search, package = [], ""
    for option in options:
        left, equals, right = option.partition("=")
        if not equals:
            raise ValueError(f"the option {option!r} is not NAME=VALUE")
        kind, _, name = left.rpartition(":")
        if left == "search":
            search.append(right)
        elif left == "package":
            package = right
        elif left.endswith(":") and left[:-1] not in parts:
            parts[":"][left[:-1]] = right
        elif kind not in parts or not name:
            raise ValueError(f"the option {option!r} has an unknown form")
        else:
            parts[kind][name] = _value(kind, right)
    return Meta(
        values=parts[""],
        expressions={name: str(text) for name, text in parts[":"].items()},
        dtypes={name: str(text) for name, text in parts["array"].items()},
        descriptors={name: made for name, made in parts["descriptor"].items() if isinstance(made, Descriptor)},
        search=tuple(search),
        package=package,
        uses={name: str(text) for name, text in parts["uses"].items()},
    )


_WARP = 32
"""Threads of a warp where the target is not known, as Triton's interpreter has them."""


def threads(warps: int, target: str) -> int:
    """Return the threads of a group of `warps` warps: 64 in one on AMD's compute GPUs, 32 elsewhere.

    >>> threads(4, "sm_90"), threads(4, "gfx942")
    (128, 256)
    """
    return warps * (Target.of(target).wave_sizes or (_WARP,))[0]


def item_of(value: object) -> object:
    """Return NumPy's numbers as Python's, anything else unchanged."""
    item = getattr(value, "item", None)
    return item() if callable(item) and not getattr(value, "shape", ()) else value


def _described(made: Descriptor) -> str:
    row = {"shape": made.shape, "block": made.block, "strides": made.strides, "layout": made.layout}
    return json.dumps({name: value for name, value in row.items() if value})


def _value(kind: str, text: str) -> object:
    if kind not in ("", "descriptor"):
        return text
    value = json.loads(text)
    if kind == "":
        return value
    shape, block, strides = (tuple(value.get(name, ())) for name in ("shape", "block", "strides"))
    return Descriptor(shape, block, strides, value.get("layout", ""))
