"""Configurations of the kernels that split k, `split` and `meet`, that won on an H200, by shape."""

from __future__ import annotations

from hotloop.kernels.gemm.shared.row import table

SPLIT = table("""
      m      n      k       epilogue     us  ratio   BM   BN   BK  GROUP  SPLITS  CHAIN  num_warps  num_stages
      1   4096   4096           none   10.8  1.151   16   64  128      1       2      1          4           5
      1  14336   4096           none  29.85   1.04   16   64  128      1       1      2          4           5
      1   4096  14336           none  30.03  1.006   16   64  128      1       2      1          4           6
      1   8192   8192           none   32.7  1.001   16   64  128      1       1      1          4           6
     16   4096   4096           none  10.99  1.139   16   32  256      1       1      3          4           4
     16  14336   4096           none  30.46  0.984   16   64  128      1       1      2          4           5
     16   4096  14336           none  30.34  1.015   16   64  256      1       2      1          4           3
     16   8192   8192           none  32.45  1.002   16   64  128      1       1      3          4           5
     64   4096   4096           none  11.12  1.002   64   32  256      1       1      3          4           4
     64   8192   8192           none  33.83  1.005   64   64  128      1       1      3          4           5
      1   4096   4096  bias-gelu-erf  10.96  1.276   16   64  128      1       2      1          4           5
      1  14336   4096  bias-gelu-erf  29.68  1.196   16   64  128      1       1      3          4           5
     16   4096   4096  bias-gelu-erf  10.76  1.319   16   32  256      1       1      3          4           4
     16  14336   4096  bias-gelu-erf   30.3   1.05   16   64  128      1       1      3          4           5
     64   4096   4096  bias-gelu-erf  11.55  1.199   64   32  256      1       1      3          4           4
     64  14336   4096  bias-gelu-erf  30.87  1.118   64  128  128      1       1      2          4           4
     64   8192   8192  bias-gelu-erf  34.22  1.065   64   64  128      1       1      2          4           5
    256   4096   4096  bias-gelu-erf  16.18  1.173  128   64   64      8       1      3          4           7
""")
MEET = table("""
      m     n      k       epilogue     us  ratio   BM   BN   BK  GROUP  SPLITS  CHAIN  num_warps  num_stages
    512   512  16384           none  17.94  0.992  128   64   64      8       4      3          4           8
    256  1024  32768           none  30.77  1.026  128  128   64      8       8      1          8           6
     64  4096  14336           none  31.98  1.052   64   64  128      1       2      0          4           5
    256  4096  14336           none  47.68  1.019  128  128   64      8       2      1          8           6
    512   512  16384  bias-gelu-erf  17.84  1.744   64  128   64      8       4      3          4           8
    256  1024  32768  bias-gelu-erf  31.32  1.839   64  128   64      8       4      3          4           8
     64  4096  14336  bias-gelu-erf  31.84  1.015   64   64  128      1       2      3          4           5
    256  4096  14336  bias-gelu-erf  48.55  1.127  128  128   64      8       2      3          4           6
""")
