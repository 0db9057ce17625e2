"""Configurations of the persistent kernel that won on an H200, by shape."""

from __future__ import annotations

from hotloop.kernels.gemm.shared.row import table

TABLE = table("""
       m      n     k       epilogue     us  ratio   BM   BN   BK  GROUP  RESIDENT  HALVES  FLATTEN  CHAIN  num_warps  num_stages
    1024   1024  1024           none   5.65   0.99   64  128  128      8         1       0        1      1          4           4
      64  14336  4096           none  30.42  1.019   64  128  128      8         1       0        1      2          4           4
     256   4096  4096           none  15.88   0.97   64  128  128      8         1       0        1      2          4           4
     256  14336  4096           none  46.51   0.98  128  256   64      8         1       1        1      1          8           4
     256  14336  4096  bias-gelu-erf  49.11  1.093  128  256   64      8         1       1        1      1          8           4
""")
