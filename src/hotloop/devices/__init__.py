"""What is known about devices: facts as data with their sources, and what the operating system tells."""
