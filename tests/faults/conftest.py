"""The laboratory's modules import each other by name, and benchmarks/faults.py imports them too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
