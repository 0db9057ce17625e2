"""The problems of the README's tables, in groups; `tables` measures them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Row:
    """One problem of a family, in a group of the table."""

    group: str
    family: str
    sizes: dict[str, object] = field(hash=False)
    language: str = "gluon"
    """Whose device the desk selects; the worker runs the others beside it."""

    @property
    def name(self):
        """What distinguishes it, for people and for the file."""
        return f"{self.group} {' '.join(f'{name}={value}' for name, value in self.sizes.items())}"


SQUARES = [(n, n, n) for n in (1024, 2048, 4096, 8192)]
LLM = [(m, n, k) for m in (1, 16, 64, 256) for n, k in ((4096, 4096), (14336, 4096), (4096, 14336), (8192, 8192))]
TALL = [(512, 512, 16384), (256, 1024, 32768)]
ENCODERS = [(8192, 4096, 1024), (16384, 3072, 768), (4096, 5120, 1280), (4096, 6400, 1600)]
"""First layers of feed-forward blocks that have GELU: BERT large, BERT base and GPT-2, GPT-2 large and ViT-H, GPT-2 XL."""
FP8 = [
    (1, 8192, 8192), (16, 4096, 4096), (64, 8192, 8192), (256, 14336, 4096), (2048, 2048, 2048), (4096, 4096, 4096),
    (8192, 8192, 8192),
]  # fmt: skip
FP8_GELU = [(256, 14336, 4096), (4096, 4096, 4096)]
INT4_LAYERS = ((4096, 4096), (14336, 4096), (4096, 14336), (8192, 8192), (1024, 8192))
INT4 = [(m, n, k) for m in (1, 16, 32, 64) for n, k in INT4_LAYERS] + [(128, 4096, 4096), (256, 8192, 8192)]
FP32 = [
    *((n, n, n) for n in (256, 512, 1024, 2048, 4096, 8192)),
    # of the rest no table knows; few tiles and a long k come behind what no tile divides, then few rows or columns
    *((n, n, n) for n in (1000, 777, 2000, 1300, 3001, 1200)), (2500, 900, 1700), (600, 5000, 1100),
    (64, 4096, 1024), (128, 128, 4096), (256, 256, 8192), (64, 512, 8192), (32, 32, 16384), (16, 4096, 4096), (100, 333, 5000),
    (1, 4096, 4096), (4096, 1, 4096), (1, 4096, 4096, "nt"), (4096, 1, 4096, "tn"), (1, 512, 512), (1, 11008, 4096),
    (1, 1536, 8960), (1, 6000, 2500), (1, 32000, 4096), (1, 200, 30000), (11008, 1, 4096), (3000, 1, 777), (1536, 1, 8960),
    (16, 1, 1000000), (2, 5120, 5120), (5120, 2, 5120), (3, 1000, 50000), (5120, 4, 5120, "nt"), (4, 4096, 4096),
    (1000000, 1, 4), (2, 8, 500000),
]  # fmt: skip
"""m, n, k, and where a matrix is transposed BLAS' two letters."""
# batch, heads, kv heads, length, head size, causal
ATTENTION = [
    (1, 64, 64, 8192, 128, 1), (1, 64, 64, 8192, 128, 0), (1, 16, 16, 16384, 128, 1), (1, 16, 16, 16384, 128, 0),
    (4, 32, 8, 4096, 128, 1), (4, 32, 32, 2048, 128, 1), (8, 32, 32, 1024, 128, 0), (8, 32, 8, 1024, 128, 1),
    (2, 32, 32, 2048, 64, 1), (1, 32, 32, 8192, 64, 1), (4, 32, 32, 4096, 64, 0), (1, 16, 16, 4096, 256, 1),
    (1, 16, 16, 8192, 256, 0), (2, 8, 1, 3001, 128, 1), (3, 5, 5, 777, 64, 0), (1, 32, 32, 512, 128, 1),
]  # fmt: skip
# batch, heads, kv heads, queries, keys, head size
FEW_QUERIES = [
    (1, 32, 8, 1, 8192, 128), (1, 64, 8, 1, 32768, 128), (16, 32, 8, 1, 4096, 128), (64, 32, 8, 1, 2048, 128),
    (8, 64, 8, 1, 16384, 128), (4, 32, 8, 4, 5000, 128), (16, 32, 32, 1, 4096, 128), (32, 16, 16, 1, 2048, 64),
    (8, 16, 4, 8, 4100, 256),
]  # fmt: skip
# lengths, sequences, longest, heads, kv heads, head size, causal
PACKED = [
    ("random", 16, 4096, 32, 8, 128, 1), ("random", 16, 4096, 32, 32, 128, 0), ("halving", 8, 8192, 32, 8, 128, 1),
    ("random", 64, 512, 32, 8, 128, 1), ("random", 32, 1024, 16, 16, 64, 0), ("random", 16, 2048, 32, 32, 64, 1),
    ("random", 12, 2048, 16, 4, 256, 1),
]  # fmt: skip
# channels, depth, height, width, window, padding, stride, type; the first is the reported problem
CONV3D = [
    (512, (61, 45, 80), (3, 5, 5), (0, 2, 2), (1, 1, 1), "bfloat16"),
    (384, (21, 60, 104), (3, 3, 3), (1, 1, 1), (1, 1, 1), "bfloat16"),
    (256, (16, 64, 64), (3, 7, 7), (1, 3, 3), (1, 1, 1), "bfloat16"),
    (96, (33, 120, 208), (3, 3, 3), (1, 1, 1), (1, 2, 2), "float16"),
]
COLUMNS = [1024 << step for step in range(7)]


def rows() -> Iterator[Row]:
    """Yield all rows of the table."""
    for group, epilogue, shapes in (("gemm", "none", SQUARES + TALL + LLM), ("gemm-gelu", "bias-gelu-erf", SQUARES + TALL + LLM + ENCODERS)):  # fmt: skip
        yield from (Row(group, "gemm", {**mnk(shape), "dtype": "bfloat16", "epilogue": epilogue}) for shape in shapes)
    for epilogue, shapes in (("none", FP8), ("bias-gelu-erf", FP8_GELU)):
        for shape in shapes:
            for fast in (False, True):
                yield Row("fp8", "gemm_fp8", {**mnk(shape), "fast_accum": fast, "epilogue": epilogue})
    yield from (Row("int4", "gemm_int4", mnk(shape), "triton") for shape in INT4)
    for batch, heads, kv_heads, length, size, causal in ATTENTION:
        yield Row("attention", "attention", heads_of(batch, heads, kv_heads, length, length, size, causal))
    yield from (Row("few-queries", "attention", heads_of(*shape, 0)) for shape in FEW_QUERIES)
    for lengths, sequences, longest, heads, kv_heads, size, causal in PACKED:
        sizes = {"sequences": sequences, "lengths": lengths, "longest_q": longest, "longest_k": longest}
        more = {"heads": heads, "kv_heads": kv_heads, "size": size, "causal": causal}
        yield Row("packed", "attention_packed", {**sizes, **more})
    for operation in ("softmax", "rmsnorm"):
        for columns in COLUMNS:
            sizes = {"rows": 4096, "columns": columns, "dtype": "bfloat16"}
            yield Row(operation, "reduction", {"operation": operation, **sizes}, "cuda")
    for channels, *triples, dtype in CONV3D:
        names = ("d h w", "kd kh kw", "pd ph pw", "sd sh sw")
        sizes = {
            n: v for text, triple in zip(names, triples, strict=True) for n, v in zip(text.split(), triple, strict=True)
        }
        yield Row("conv3d", "conv3d_depthwise", {"c": channels, **sizes, "dtype": dtype}, "cuda")
    for *shape, op in ((*sides, "nn") if len(sides) == 3 else sides for sides in FP32):
        yield Row("fp32", "gemm", {**mnk(shape), **({"op": op} if op != "nn" else {})}, "opencl")


def mnk(shape):
    return dict(zip("mnk", shape, strict=True))


def heads_of(batch, heads, kv_heads, length_q, length_k, size, causal):
    sizes = {"batch": batch, "heads": heads, "kv_heads": kv_heads, "length_q": length_q, "length_k": length_k}
    return {**sizes, "size": size, "dtype": "bfloat16", "causal": causal}
