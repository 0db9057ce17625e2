"""Configurations of the stream-K kernel for few rows that won on an H200, by shape."""

from __future__ import annotations

from hotloop.kernels.gemm.shared.row import table

TABLE = table("""
     m     n      k       epilogue     us  ratio  BM  BN   BK  STAGES  CHAIN
     1  4096  14336  bias-gelu-erf  29.37  1.081  16  64  256       5      4
     1  8192   8192  bias-gelu-erf  31.75  1.112   8  64  128      11      1
    16  4096  14336  bias-gelu-erf  29.39  1.211  16  64  256       5      4
    16  8192   8192  bias-gelu-erf   31.8  1.085  16  64  256       5      4
""")
