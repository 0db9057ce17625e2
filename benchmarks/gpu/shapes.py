"""Shapes of layers of public models, which `layers` measures."""

from __future__ import annotations

import random

# channels, depth, height, width, window, padding: blocks of X3D, MoViNet, (2+1)D mobile nets, ConvNeXt-like and diffusion video models
VIDEOS = [
    (512, (61, 45, 80), (3, 5, 5), (0, 2, 2)), (54, (16, 56, 56), (3, 3, 3), (1, 1, 1)), (108, (16, 28, 28), (3, 3, 3), (1, 1, 1)),
    (216, (16, 14, 14), (3, 3, 3), (1, 1, 1)), (432, (16, 7, 7), (3, 3, 3), (1, 1, 1)), (40, (8, 86, 86), (1, 5, 5), (0, 2, 2)),
    (96, (13, 60, 104), (3, 3, 3), (1, 1, 1)), (192, (8, 28, 28), (3, 7, 7), (1, 3, 3)), (320, (16, 40, 64), (3, 1, 1), (1, 0, 0)),
    (640, (9, 30, 52), (5, 3, 3), (2, 1, 1)), (24, (32, 112, 112), (5, 1, 1), (2, 0, 0)), (256, (21, 30, 52), (3, 5, 5), (1, 2, 2)),
]  # fmt: skip
HEADS = ("batch", "heads", "kv", "queries", "keys", "size", "causal", "window", "shift")
"""What the rows of attention say."""
ATTENTION = [
    (1, 16, 16, 4096, 4096, 80, 0, 0, 0), (16, 16, 16, 577, 577, 88, 0, 0, 0), (2, 32, 32, 2048, 2048, 96, 1, 0, 0),
    (4, 16, 16, 4096, 4096, 64, 0, 0, 0), (2, 24, 24, 4608, 4608, 72, 0, 0, 0), (1, 32, 8, 8192, 8192, 128, 1, 1024, 0),
    (1, 8, 4, 8192, 8192, 256, 1, 4096, 0), (32, 32, 8, 1, 8192, 128, 0, 0, 0), (1, 32, 8, 1, 32768, 128, 0, 0, 0),
    (8, 16, 16, 1, 4096, 64, 0, 0, 0), (4, 32, 8, 8, 16384, 128, 1, 0, 16376), (16, 20, 20, 1, 1500, 64, 0, 0, 0),
    (1, 64, 8, 4, 65536, 128, 0, 0, 0), (8, 12, 12, 1024, 1024, 32, 1, 0, 0), (1, 10, 10, 9216, 9216, 40, 0, 0, 0),
    (2, 8, 8, 1024, 1024, 160, 0, 0, 0),
]  # fmt: skip
LARGE = [
    (1, 64, 64, 16384, 16384, 128, 1, 0, 0), (1, 32, 32, 16384, 16384, 128, 0, 0, 0), (1, 32, 32, 16384, 16384, 64, 0, 0, 0),
    (1, 64, 8, 16384, 16384, 128, 1, 0, 0), (2, 64, 64, 8192, 8192, 128, 1, 0, 0), (1, 64, 64, 8192, 8192, 128, 0, 0, 0),
    (1, 16, 16, 16384, 16384, 256, 1, 0, 0), (1, 16, 16, 8192, 8192, 256, 0, 0, 0), (4, 32, 32, 8192, 8192, 64, 1, 0, 0),
    (8, 32, 8, 4096, 4096, 128, 1, 0, 0),
]  # fmt: skip
EXPERTS = [
    (8, 4096, 14336, 4096),
    (64, 8192, 2048, 1408),
    (128, 4096, 768, 2048),
    (16, 512, 8192, 5120),
    (60, 2048, 1408, 2048),
]
"""Groups, rows of all, columns, depth: Mixtral, DeepSeek-V2-Lite, Qwen3-30B, Llama-4, Qwen1.5-MoE."""
BATCHES = [(64, 512, 512, 64), (16, 1024, 128, 1024), (256, 64, 256, 256), (8, 2048, 2048, 512)]
# rows; out features, in features: projections, MLPs and heads of GPT-2, BERT, ViT-B/L, Llama 2/3, Mistral, Qwen 2.5, Phi-3, T5
LINEAR = [
    (1, 4096, 4096), (1, 28672, 4096), (1, 4096, 14336), (8, 14336, 4096), (16, 4096, 14336), (32, 11008, 4096), (64, 5120, 13824),
    (77, 4096, 11008), (128, 3072, 768), (197, 2304, 768), (197, 3072, 768), (197, 768, 3072), (256, 6144, 4096), (333, 13824, 5120),
    (512, 4096, 4096), (577, 4096, 1024), (1024, 3072, 3072), (1024, 8192, 3072), (1576, 3072, 768), (2048, 6144, 4096),
    (2048, 4096, 14336), (3072, 1536, 8960), (4096, 4096, 4096), (4096, 11008, 4096), (8192, 5120, 5120), (12608, 3072, 768),
    (12608, 768, 3072), (16384, 4096, 1024),
]  # fmt: skip

# m, n, k, type, bias and GELU
UNTUNED_GEMM = [
    (37, 1000, 3000, "bfloat16", False), (777, 1544, 2056, "bfloat16", False), (3000, 3000, 3000, "float16", False),
    (129, 5000, 12008, "bfloat16", False), (5, 11008, 4096, "bfloat16", False), (1500, 520, 10000, "bfloat16", False),
    (6144, 1536, 768, "bfloat16", True), (2049, 3304, 1096, "float16", True), (4097, 4104, 4088, "bfloat16", False),
    (300, 301, 303, "bfloat16", False),
]  # fmt: skip
# as HEADS, without window and shift
UNTUNED_ATTENTION = [
    (2, 12, 12, 1337, 1337, 64, 1), (1, 24, 8, 5000, 5000, 128, 1), (3, 16, 4, 333, 333, 128, 0), (1, 40, 40, 2111, 2111, 128, 0),
    (6, 8, 2, 100, 3001, 64, 0), (2, 10, 10, 900, 900, 256, 1), (5, 6, 6, 77, 77, 64, 0), (2, 20, 20, 1500, 1500, 64, 0),
    (3, 28, 4, 1, 2777, 128, 0), (1, 9, 9, 700, 700, 80, 1),
]  # fmt: skip
# n, channels, size, window, options, type
UNTUNED_CONV3D = [
    (1, 96, (17, 33, 47), (3, 3, 3), {"padding": 1}, "bfloat16"),
    (2, 64, (9, 30, 30), (3, 5, 5), {"padding": (1, 2, 2)}, "bfloat16"),
    (1, 200, (13, 57, 101), (3, 3, 3), {"padding": (0, 1, 1)}, "float16"),
    (1, 384, (21, 45, 39), (1, 7, 7), {"padding": (0, 3, 3)}, "bfloat16"),
    (2, 48, (8, 112, 90), (3, 3, 3), {"stride": (1, 2, 2), "padding": 1}, "bfloat16"),
    (1, 130, (11, 37, 61), (5, 5, 5), {"padding": 2}, "bfloat16"),
    (1, 72, (30, 33, 33), (3, 3, 3), {"padding": (2, 2, 2), "dilation": 2}, "bfloat16"),
    (1, 56, (19, 50, 70), (3, 3, 3), {"padding": 1}, "float32"),
]
UNTUNED_SOFTMAX = [
    ((4097, 1000), "bfloat16"), ((333, 50257), "bfloat16"), ((70001, 65), "bfloat16"), ((8192, 3000), "float32"),
    ((12, 128256), "bfloat16"), ((300001, 17), "float16"), ((777, 8193), "float32"), ((3, 16, 1023, 1023), "bfloat16"),
]  # fmt: skip
# rows; out features, in features, of models from which no other shape here was taken: Gemma 2 2B/9B, Qwen 2.5 0.5B/3B, Qwen 3 4B, Phi 4, Mixtral 8x22B,
# Llama 3.2 1B, Falcon 7B, GPT-J, StarCoder 2, DeepSeek V2 Lite, SmolLM 2, TinyLlama, Whisper, CLIP H, SigLIP, DINOv2 g, BERT large, DeBERTa, T5 1.1,
# XLM-R XL, ModernBERT, Flux, SD3, SDXL, Mamba 2.8B, RWKV, Command R, Nemotron mini, Granite, MiniCPM
FRESH = [
    (1, 9216, 2304), (7, 2304, 9216), (48, 14336, 3584), (640, 3584, 14336), (900, 4096, 3584), (4, 4864, 896), (1800, 896, 4864), (250, 1152, 896),
    (96, 11008, 2048), (1400, 2048, 11008), (20, 9728, 2560), (700, 2560, 9728), (5000, 4096, 2560), (2, 17920, 5120), (1500, 5120, 17920),
    (120, 16384, 6144), (3000, 6144, 16384), (12, 8192, 2048), (6000, 2048, 8192), (400, 18176, 4544), (9, 4544, 18176), (2500, 16384, 4096),
    (30, 4096, 16384), (3500, 12288, 3072), (150, 3072, 12288), (1100, 18432, 4608), (24, 4608, 18432), (800, 10944, 2048), (60, 2048, 10944),
    (2200, 2560, 960), (5, 960, 2560), (4500, 5632, 2048), (180, 2048, 5632), (1500, 5120, 1280), (1500, 1280, 5120), (448, 1280, 1280),
    (4112, 5120, 1280), (257, 1280, 5120), (729, 4304, 1152), (5832, 1152, 4304), (1370, 8192, 1536), (1370, 1536, 4096), (10000, 4096, 1024),
    (384, 1024, 4096), (512, 6144, 1536), (4096, 1536, 6144), (900, 2816, 1024), (130, 10240, 4096), (2000, 4096, 10240), (600, 10240, 2560),
    (8000, 2304, 768), (350, 5248, 1024), (4608, 12288, 3072), (4608, 3072, 12288), (4250, 6144, 1536), (2048, 10240, 1280), (1000, 8960, 2560),
    (300, 22528, 8192), (2800, 9216, 3072), (200, 12800, 4096), (40, 5760, 2304),
]  # fmt: skip


def drawn(seed: int, count: int = 60) -> list[tuple[int, int, int]]:
    """Return rows, out features and in features as models of some size may have them, drawn at random: nobody chose them.

    Rows are drawn evenly over their logarithm, from 1 to 8192; features are 2 ^ 9 to 2 ^ 13, rounded to 64, of which one is widened as in a feed-forward block.
    """
    draw, shapes = random.Random(seed), []
    for _ in range(count):
        width = 64 * round(2 ** draw.uniform(9, 13) / 64)
        wide = 64 * round(width * draw.choice((1, 1, 1.5, 2.6875, 3, 3.5, 4, 4)) / 64)
        shapes.append((round(2 ** draw.uniform(0, 13)), *draw.choice(((width, wide), (wide, width)))))
    return shapes


# hidden, feed-forward, columns of queries with keys and values, those of queries alone, words: from the configurations that the models are published with
PUBLIC = {
    "Llama 3.1 8B": (4096, 14336, 6144, 4096, 128256), "Qwen 2.5 7B": (3584, 18944, 4608, 3584, 152064),
    "Gemma 2 9B": (3584, 14336, 8192, 4096, 256000), "Phi 3 mini": (3072, 8192, 9216, 3072, 32064),
    "Llama 3.2 3B": (3072, 8192, 5120, 3072, 128256), "GPT-2 XL": (1600, 6400, 4800, 1600, 50257),
    "BERT large": (1024, 4096, 3072, 1024, 30522), "ViT-B/16": (768, 3072, 2304, 768, 1000),
    "Whisper large": (1280, 5120, 3840, 1280, 51866), "DiT-XL/2": (1152, 4608, 3456, 1152, 6912),
}  # fmt: skip


def drawn_public(seed: int) -> list[tuple[int, int, int, bool]]:
    """Return rows, out features, in features and whether bias and GELU follow, for each layer of `PUBLIC` at two numbers of rows drawn at random.

    Rows are drawn evenly over their logarithm, from 1 to 16384, of heads over words to 2048. What widens is fused at one of its two.
    """
    draw, rows = random.Random(seed), []
    for hidden, wide, qkv, inner, words in PUBLIC.values():
        for out, into, most in (
            (qkv, hidden, 14),
            (hidden, inner, 14),
            (wide, hidden, 14),
            (hidden, wide, 14),
            (words, hidden, 11),
        ):
            fused = (False, (out, into) == (wide, hidden))
            rows += [(round(2 ** draw.uniform(0, most)), out, into, each) for each in fused]
    return rows


def drawn_experts(seed: int, count: int) -> list[tuple[int, int, int, int]]:
    """Return groups, rows of all, columns and depth of products of experts, drawn at random as in `EXPERTS`."""
    draw, rows = random.Random(seed), []
    for _ in range(count):
        groups = draw.choice((8, 16, 32, 60, 64, 128))
        narrow, deep = (64 * round(2 ** draw.uniform(*ends) / 64) for ends in ((9.5, 12), (10, 12.3)))
        rows.append(
            (groups, max(2 * groups, round(2 ** draw.uniform(7, 14))), *draw.choice(((narrow, deep), (deep, narrow))))
        )
    return rows


def drawn_batches(seed: int, count: int) -> list[tuple[int, int, int, int]]:
    """Return products of a batch, their rows, columns and depth, drawn at random."""
    draw = random.Random(seed)
    return [
        (draw.choice((8, 12, 16, 32, 48, 64, 128)), round(2 ** draw.uniform(4, 11)), *(8 * round(2 ** draw.uniform(2.5, 8)) for _ in range(2)))
        for _ in range(count)
    ]  # fmt: skip


def drawn_attention(seed: int, count: int) -> list[tuple[int, ...]]:
    """Return attention problems in the order of `HEADS`, drawn at random: long prompts, few queries over caches, windows, heads of any multiple of 8."""
    draw, rows = random.Random(seed), []
    for number in range(count):
        size = draw.choice((64, 64, 80, 96, 128, 128, 128, 8 * draw.randint(4, 32)))
        heads = draw.choice((8, 12, 16, 24, 32, 40))
        kv = draw.choice([kv for kv in (heads, heads, heads // 4, heads // 8 or 1) if heads % kv == 0])
        keys = round(2 ** draw.uniform(8, 14))
        queries = draw.choice((1, 4, 16)) if number % 4 == 3 else keys
        batch = max(1, min(16, round(2**14 / keys))) if queries == keys else draw.choice((1, 8, 32))
        causal = draw.random() < 0.6
        window = draw.choice((0, 0, 0, 512)) if causal and queries == keys else 0
        rows.append((batch, heads, kv, queries, keys, size, int(causal), window, keys - queries if causal else 0))
    return rows


def drawn_videos(seed: int, count: int) -> list[tuple[int, tuple[int, int, int], tuple[int, int, int], str]]:
    """Return channels, sizes, windows and forms of depthwise convolutions over video, drawn at random."""
    draw, rows = random.Random(seed), []
    windows = ((3, 3, 3), (3, 3, 3), (5, 5, 5), (1, 3, 3), (3, 1, 1), (3, 7, 7), (7, 7, 7), (5, 3, 3))
    for _ in range(count):
        extent = draw.choice((14, 20, 28, 32, 40, 56, 64, 90, 112))
        size = draw.choice((4, 8, 9, 16, 17, 32)), extent, draw.choice((extent, round(extent * 16 / 9)))
        most = max(8, min(1024, 2**27 // (size[0] * size[1] * size[2])))
        channels = min(most, 8 * draw.choice((3, 6, 12, 24, 36, 48, 64, 96)))
        rows.append(
            (channels, size, draw.choice(windows), draw.choice(("bias", "bias", "plain", "bias, channels last")))
        )
    return rows


def drawn_rows(seed: int, count: int) -> list[tuple[int, int]]:
    """Return rows and columns of matrices for softmax, drawn at random."""
    draw = random.Random(seed)
    return [(round(2 ** draw.uniform(4, 15)), round(2 ** draw.uniform(6, 17))) for _ in range(3 * count)][::3]
