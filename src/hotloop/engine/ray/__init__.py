"""The engine over a Ray cluster, a process of ours beside each device, or over the GPUs of this machine; the run itself is where it was started."""
