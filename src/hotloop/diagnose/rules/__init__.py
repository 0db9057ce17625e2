"""One module, one bottleneck rule: its documentation, its formula and its own examples."""
