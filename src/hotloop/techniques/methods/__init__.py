"""One module, one technique: what it changes, what it needs and costs, when it fails, and its own examples."""
