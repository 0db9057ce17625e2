from __future__ import annotations

collect_ignore = ["interpreted.py"]  # a program for a process of its own, which needs PyTorch
