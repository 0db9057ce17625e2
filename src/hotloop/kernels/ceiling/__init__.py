"""Microbenchmarks that measure what a device can do at best: FMA rate, copy bandwidth, launch cost."""
