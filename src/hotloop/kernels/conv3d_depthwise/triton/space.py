"""Parameters of the Triton convolution: two forms of one kernel, each with its own."""

from __future__ import annotations

from functools import partial

from hotloop.model.space import Config, Constraint, Parameter, Space

TILES = (1, 2, 4, 6, 8)
PARAMETERS = (
    Parameter("FORM", ("taps", "patches"), "matrix-instructions", "multiply-adds, or products with bands of weights"),
    Parameter("PLANES", (1, 5, 10, 20, 30, 60), "work-per-item", "output planes that a program walks through"),
    Parameter("BLOCK", (16, 32, 64, 128, 256, 512, 1024), "larger-tile", "taps: outputs of a plane in a program"),
    Parameter("CHANNELS", (1, 8, 16, 32, 64), "coalesce", "taps, channels last: channels of a program"),
    Parameter("HOLD", (0, 1), "operands-in-registers", "taps: 1 keeps all weights of a channel in registers"),
    Parameter("PATCHES", (32, 64, 128, 256), "larger-matrix-instruction", "patches: patches of a plane in a program"),
    Parameter("TILE_H", TILES, "register-tile", "patches: output rows of a patch"),
    Parameter("TILE_W", TILES, "register-tile", "patches: output columns of a patch"),
    Parameter("JOIN", (0, 1), "larger-matrix-instruction", "patches: 1 takes one product for all depths of the window"),
    Parameter("num_warps", (1, 2, 4, 8), "workgroup-size"),
    Parameter("num_stages", (1, 2, 3, 4), "prefetch", "patches: planes in shared memory at once"),
)
NAIVE = Config(
    FORM="taps", PLANES=1, BLOCK=128, CHANNELS=1, HOLD=0, PATCHES=64, TILE_H=4, TILE_W=4, JOIN=0, num_warps=4,
    num_stages=1,
)  # fmt: skip
"""One output per thread, every tap loaded."""
_FORM_OF = {
    **dict.fromkeys(("BLOCK", "CHANNELS", "HOLD"), "taps"),
    **dict.fromkeys(("PATCHES", "TILE_H", "TILE_W", "JOIN", "num_stages"), "patches"),
}


def _used(name: str, config: Config) -> bool:
    return config["FORM"] == _FORM_OF[name] or config[name] == NAIVE[name]


SPACE = Space(
    PARAMETERS,
    tuple(
        Constraint(f"{name} belongs to the {form}", partial(_used, name), ("FORM", name))
        for name, form in _FORM_OF.items()
    ),
)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond one output at a time."""
    switched = (config["FORM"] != "taps") + config.integer("HOLD")
    return float(switched + sum(config.integer(name) > 1 for name in ("PLANES", "CHANNELS", "num_stages")))
