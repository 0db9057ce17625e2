"""The engine over a Ray cluster: a process of ours beside each device, the run itself where it was started."""
