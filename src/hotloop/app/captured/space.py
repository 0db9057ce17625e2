"""The space of a captured Triton kernel: what its launch and its autotuner name, doubled and halved, and the rewrites of its text."""

from __future__ import annotations

import ast
import builtins
import json
from collections.abc import Iterator, Mapping, Sequence

from hotloop.captures.nouns import Captured, Launched, Sized
from hotloop.model.record import Scalar
from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.rewrite.jitted.catalogue import guard, possible, reachable, rewrites
from hotloop.rewrite.jitted.counted import counted, rounds
from hotloop.rewrite.jitted.form import Script
from hotloop.rewrite.jitted.inlined import inlined
from hotloop.rewrite.jitted.lengths import ends, lengths, ranges
from hotloop.rewrite.jitted.meeting import meeting
from hotloop.rewrite.jitted.names import assigned_in, names_in
from hotloop.rewrite.jitted.scene import Scene, met
from hotloop.rewrite.jitted.sums import meanings
from hotloop.rewrite.jitted.tiles import PART, divided

OPTIONS: Mapping[str, tuple[Scalar, tuple[Scalar, ...], str]] = {
    "num_warps": (4, (1, 2, 4, 8, 16, 32), "workgroup-size"),
    "num_stages": (3, (1, 2, 3, 4, 5), "prefetch"),
}
"""Triton's own choice of a compiler's option, what it may be, and the technique that it embodies."""
_FEWEST, _MOST = 16, 1 << 16
"""Between these a constant that is a power of two is taken for the extent of a block."""
_DESCRIBED, _DEEP = {"make_block_ptr": 4, "make_tensor_descriptor": 3}, 4
"""Place of a block's shape among the arguments, and functions that call each other before they are given up."""
_AROUND, _ABOVE = (-4, -3, -2, -1, 0, 1, 2), (-3, -2, -1, 0, 1, 2, 3, 4)
"""Steps to the neighbours of a block, and of a few rows, which the grid must follow: else it is a number of the problem's."""


_FEWER = (3, 4)
"""Further doublings of a block where all programs change one place: as many times fewer of them meet there. The recorder asks no further for grids."""


def constants(launched: Launched) -> dict[str, Scalar | None]:
    """Return the compile-time parameters that are plain values."""
    return dict(launched.plain)


def without_effect(grids: Sequence[Sized]) -> frozenset[str]:
    """Return the constants that the recorded grids do not depend on: other values of them than the recorded ones have the same grid."""
    names = frozenset(name for row in grids for name in row.constants)
    return frozenset(name for name in names if not _matters(name, grids))


def _matters(name: str, grids: Sequence[Sized]) -> bool:
    by_others: dict[frozenset[tuple[str, Scalar]], set[tuple[int, ...]]] = {}
    for row in grids:
        others = frozenset((other, value) for other, value in row.constants.items() if other != name)
        by_others.setdefault(others, set()).add(row.grid)
    return any(len(outcomes) > 1 for outcomes in by_others.values())


def options(launched: Launched) -> dict[str, Scalar | None]:
    """Return the compiler's options that the launch names."""
    return {option.name: json.loads(option.text) for option in launched.compiler}


def space(captured: Captured, launched: Launched, script: Script) -> tuple[Space, Config]:
    """Return parameters for blocks, warps, stages and rewrites, and the configuration that the program launches."""
    parameters: list[Parameter] = []
    start: dict[str, Scalar] = {}
    wider, least = _wider(launched, script), _least(launched, script)
    seeds = captured.tuner.configs if captured.tuner else ()
    parts = {name for name, axis in divided(script).items() if axis == PART and not launched.grids}
    shaping, few = _shaping(script, script.kernel), _following(launched, script)
    problems, whole = _sizes(script), _whole(launched, script) - few
    for name, value in constants(launched).items():
        listed = any(name in seed for seed in seeds)
        if name in problems or name in OPTIONS or name in parts or not (listed or name in shaping):
            continue
        fewest = 1 if name in few else _FEWEST
        listed_here: list[object] = [*(seed.get(name) for seed in seeds), wider.get(name)]
        if isinstance(value, int) and name in few and meeting(script):
            listed_here += [value << step for step in _FEWER if value << step <= _MOST]
        values = _extents(value, listed_here, least.get(name, 0), fewest)
        if values:
            values = (value,) if name in whole and not listed and value is not None else values
            parameters.append(Parameter(name, values, "work-per-item", "extent of a block"))
            assert value is not None
            start[name] = value
    for parameter, many in _rounds(launched, script, parameters):
        parameters.append(parameter)
        start[parameter.name] = many
    own = options(launched)
    for name, (usual, choices, technique) in OPTIONS.items():
        value = own.get(name) or usual
        seeded = [seeded_value for seed in seeds if isinstance(seeded_value := seed.get(name), int)]
        every = tuple(sorted({int(number) for number in (*choices, value, *seeded)}))
        parameters.append(Parameter(name, every, technique, "option of the compiler"))
        start[name] = value
    for rewrite in rewrites():
        values = reachable(rewrite.name, script)
        if len(values) > 1:
            parameters.append(Parameter(rewrite.name, values, rewrite.technique, rewrite.title, ordinal=False))
            start[rewrite.name] = values[0]
    return Space(tuple(parameters), tuple(_together(launched, script, start))), Config(start)


def _rounds(launched: Launched, script: Script, blocks: Sequence[Parameter]) -> Iterator[tuple[Parameter, int]]:
    """Yield the constants that count rounds of loops over such blocks, and what they are: they follow the blocks."""
    own = constants(launched)
    for name, extent in counted(script).items():
        block = next((one for one in blocks if one.name == extent and len(one.values) > 1), None)
        many = own.get(name)
        if block is not None and isinstance(many, int) and all(name != one.name for one in blocks):
            values = {rounds(script, own, {extent: value}).get(name, many) for value in block.values}
            yield (
                Parameter(name, tuple(sorted({*values, many})), "work-per-item", f"rounds of {extent}", ordinal=False),
                many,
            )


def _together(launched: Launched, script: Script, start: Mapping[str, Scalar]) -> Iterator[Constraint]:
    """Yield for each such constant that it is what the loop's block makes it."""
    own = constants(launched)
    for name, extent in counted(script).items():
        if name in start and extent in start:

            def follows(config: Config, name: str = name) -> bool:
                return rounds(script, own, config).get(name, config[name]) == config[name]

            yield Constraint(f"{name} counts rounds of {extent}", follows, (name, extent))


def _following(launched: Launched, script: Script) -> frozenset[str]:
    """Return the constants that the grid follows: as the program's own function says, else as the text does."""
    if not launched.grids:
        return frozenset(name for name, axis in divided(script).items() if axis != PART) - lengths(script)
    return frozenset(name for row in launched.grids for name in row.constants) - without_effect(launched.grids)


def _wider(launched: Launched, script: Script) -> dict[str, int]:
    """Return blocks that some rewrite needs for this launch."""
    values = _numbers(launched)
    wider: dict[str, int] = {}
    for rewrite in rewrites():
        for value in possible(rewrite.name, script)[1:]:
            wider |= met(guard(rewrite.name, script, value) or "0 == 0", values)
    return wider


def _least(launched: Launched, script: Script) -> dict[str, int]:
    """Return by block what it must hold at least: a row that nothing goes through in rounds."""
    scene = Scene(values=_numbers(launched))
    least: dict[str, int] = {}
    for condition in guard("unmasked", script, "exact").split(" and "):
        size, _, block = condition.partition(" == ")
        row, own = (scene.number(name) if name else None for name in (size, block))
        if row is not None and own is not None and row <= own:
            least[block] = max(row, least.get(block, 0))
    return least


def _sizes(script: Script) -> frozenset[str]:
    """Return the constants that offsets are compared with, and that are no block's: they are the problem's."""
    compared, blocks, own = set(), set(), set()
    for node in ast.walk(script.kernel):
        if isinstance(node, ast.Compare) and _of_itself(script, node):
            own.add(ast.unparse(node.comparators[0]))
        elif isinstance(node, ast.Compare) and isinstance(node.comparators[0], ast.Name):
            compared.add(node.comparators[0].id)
        elif isinstance(node, ast.Call) and script.is_call(node, "arange", "zeros", "full", "make_block_ptr"):
            blocks |= names_in(node)
    return frozenset(compared - blocks | own)


def _whole(launched: Launched, script: Script) -> frozenset[str]:
    """Return the constants that are extents of what a program does once: nothing steps by them, and no mask leaves out half of them.

    Other ones would compute something else, such as a head of attention of another size.
    """
    text, uncounted, scene = inlined(script), without_effect(launched.grids), Scene(values=_numbers(launched))
    own, meaning = {one.name for one in text.functions}, meanings(text)
    used, stepping = set(), set()
    for function in text.reached:
        made, varying = ranges(text, function), _varying(function)
        for node in ast.walk(function):
            match node:
                case ast.Call() if text.is_call(node, "arange", "zeros", "full", *_DESCRIBED):
                    used |= {name for given in _extending(text, node, _DEEP) for name in names_in(given)}
                case ast.Call() if text.is_call(node, "range", "static_range", "cdiv") or _plain_range(node):
                    stepping |= names_in(node)
                case ast.Compare(comparators=[size]):
                    until = {end for name in names_in(node.left) for end in made.get(name, ())} | ends(text, node.left)
                    stepping |= {
                        name
                        for end in until
                        if _halved(scene, end, _meant(size, meaning))
                        for name in names_in(ast.parse(end, mode="eval"))
                    }
                case ast.BinOp(op=ast.Mult()):
                    names = _beside_ranges(text, node)
                    stepping |= names if names & varying else names - uncounted
                case ast.BinOp(op=ast.FloorDiv() | ast.Mod(), right=step) | ast.AugAssign(value=step):
                    stepping |= names_in(step)
                case ast.Call(func=ast.Name(id=name), args=args) if name not in own:
                    stepping |= {part for given in args for part in names_in(given)}
    return frozenset(used - stepping) | (used & lengths(script))


def _beside_ranges(script: Script, node: ast.AST) -> set[str]:
    """Return the names of an expression, but for those that ranges in it end at."""
    if isinstance(node, ast.Call) and script.is_call(node, "arange"):
        return set()
    names = {node.id} if isinstance(node, ast.Name) else set()
    return names.union(*(_beside_ranges(script, child) for child in ast.iter_child_nodes(node)))


def _meant(node: ast.expr, meaning: Mapping[str, ast.expr], depth: int = 0) -> ast.expr:
    """Return what a variable that is given one value stands for, as long as that is a variable."""
    if isinstance(node, ast.Name) and node.id in meaning and depth < _DEEP:
        return _meant(meaning[node.id], meaning, depth + 1)
    return node


def _halved(scene: Scene, extent_text: str, size: ast.expr) -> bool:
    """Tell whether half of an extent may be enough for what a mask leaves of it."""
    extent, number = scene.number(extent_text), scene.number(ast.unparse(size))
    return extent is None or number is None or extent >= 2 * number


def _varying(function: ast.FunctionDef) -> set[str]:
    """Return the variables that loops give one value after the other."""
    names: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.For | ast.AugAssign):
            names |= names_in(node.target)
    return names


def _plain_range(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id == "range"


def _of_itself(script: Script, node: ast.Compare) -> bool:
    """Tell whether a range of so many numbers is compared with how many they are: then it is a row's length that happens to fit."""
    size, ranges = ast.unparse(node.comparators[0]), [node.left]
    if isinstance(node.left, ast.Name):
        ranges = [
            inner.value
            for inner in ast.walk(script.kernel)
            if isinstance(inner, ast.Assign) and [*map(ast.unparse, inner.targets)] == [node.left.id]
        ]
    indices = [one for one in ranges if isinstance(one, ast.Call) and script.is_call(one, "arange")]
    return any(ast.unparse(index.args[-1]) == size for index in indices if index.args)


def _shaping(script: Script, function: ast.FunctionDef, depth: int = 0) -> frozenset[str]:
    """Return the names that a function's blocks or the steps of its loops have their extents from.

    Of others, such as a number of heads, another value is another problem. What functions of other files make of theirs is not known.
    """
    names: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            for given in _extending(script, node, depth):
                names |= names_in(given)
    for node in ast.walk(function):
        stored = assigned_in(node)
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None and stored & names:
            names |= names_in(node.value)
    return frozenset(names)


def _extending(script: Script, call: ast.Call, depth: int) -> Iterator[ast.expr]:
    """Yield what of a call's arguments is an extent, or may be."""
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    callee = next((function for function in script.functions if function.name == name), None)
    if script.is_call(call, "arange", "zeros", "full", "reshape", "broadcast_to"):
        yield from (*call.args, *named.values())
    elif script.is_call(call, "range", "static_range", "cdiv") or name == "range":
        yield from call.args[1 if script.is_call(call, "cdiv") else 2 :]  # a step, not where it ends
    elif script.is_call(call, *_DESCRIBED):
        place = _DESCRIBED[call.func.attr]  # type: ignore[attr-defined]
        yield from call.args[place : place + 1]
        yield from (value for key, value in named.items() if key == "block_shape")
    elif callee is not None and depth < _DEEP:
        own = _shaping(script, callee, depth + 1)
        given = zip((argument.arg for argument in callee.args.args), call.args, strict=False)
        yield from (value for key, value in (*given, *named.items()) if key in own)
    elif callee is None and name and not hasattr(builtins, name):
        yield from (*call.args, *named.values())


def _numbers(launched: Launched) -> dict[str, object]:
    numbers = {argument.name: int(argument.text) for argument in launched.arguments if argument.text.isdigit()}
    return {**numbers, **constants(launched), **options(launched)}


def _extents(value: Scalar | None, seeds: list[object], least: int, fewest: int) -> tuple[Scalar, ...]:
    """Return what a constant may be: neighbours among powers of two, and what the program's autotuner has."""
    if isinstance(value, bool) or not isinstance(value, int):
        return ()
    listed = {seed for seed in seeds if isinstance(seed, int) and not isinstance(seed, bool)}
    if value < fewest or value & (value - 1):
        return tuple(sorted({value, *listed})) if len(listed) > 1 else ()
    fewest, steps = (_FEWEST, _AROUND) if value >= _FEWEST else (fewest, _ABOVE)
    around = {value << step if step >= 0 else value >> -step for step in steps}
    most = value if least else _MOST  # of a row that fits in a block nothing is left for a wider one
    return tuple(sorted({value, *listed, *(extent for extent in around if max(fewest, least) <= extent <= most)}))


def seeds(captured: Captured, start: Config, whole: Space) -> tuple[Config, ...]:
    """Return the configurations of the program's own autotuner."""
    configs = []
    for row in captured.tuner.configs if captured.tuner else ():
        changed = {name: value for name, value in row.items() if name in start and value is not None}
        config = start.replace(**changed)
        if not whole.violation(config):
            configs.append(config)
    return tuple(configs)
