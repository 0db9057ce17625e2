"""Configurations of the warp-specialized kernel that won on an H200, by shape."""

from __future__ import annotations

from hotloop.kernels.gemm.shared.row import table

TABLE = table("""
        m     n     k       epilogue       us  ratio   BM   BN  BK  GROUP  SPLITS  STAGES  GROUPS  TAKE_TURNS  AHEAD  BUFFERS  CHAIN
     2048  2048  2048           none    24.14  1.014  128  128  64      8       1       6       2           1      0        1      1
     4096  4096  4096           none   173.93  1.004  128  256  64     16       1       4       2           0      0        2      1
     8192  8192  8192           none  1559.82   1.02  256  128  64      8       1       4       2           0      2        1      1
      256  8192  8192           none     49.7  0.991  128  128  64      8       1       6       2           0      0        2      1
     1024  1024  1024  bias-gelu-erf     6.41  1.426   64  128  64      8       1       8       1           0      0        1      1
     2048  2048  2048  bias-gelu-erf    27.03  1.186  128  128  64      8       1       6       2           0      0        2      1
     4096  4096  4096  bias-gelu-erf   185.88  1.086  128  256  64      8       1       4       2           0      3        2      1
     8192  8192  8192  bias-gelu-erf  1621.82  1.039  256  128  64      8       1       4       2           0      2        1      0
      256  8192  8192  bias-gelu-erf    51.35  1.064  128  128  64      8       1       6       2           0      0        2      1
     8192  4096  1024  bias-gelu-erf   114.31  1.423   64  256  64     16       1       5       2           1      0        1      0
    16384  3072   768  bias-gelu-erf   130.41  1.555   64  256  64     16       1       5       2           1      0        1      0
     4096  5120  1280  bias-gelu-erf    87.85   1.35   64  256  64     16       1       5       2           1      0        1      0
     4096  6400  1600  bias-gelu-erf   142.77  1.351   64  256  64     16       1       5       2           1      0        1      0
""")
