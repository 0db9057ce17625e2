"""hotloop makes compute kernels faster: measure, verify, explain, change one thing, compare, keep or revert."""
