"""What backends and operators share: runtimes opened, programs built, memory and launches on each."""
