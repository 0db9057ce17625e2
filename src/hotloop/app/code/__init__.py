"""Machine code of what a person names: found, compiled, analysed, gated."""
