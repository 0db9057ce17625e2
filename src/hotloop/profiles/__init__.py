"""What a profiler wrote, in one shape for all tools."""
