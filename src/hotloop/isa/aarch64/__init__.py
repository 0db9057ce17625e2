"""Machine code of Arm's 64-bit processors."""
