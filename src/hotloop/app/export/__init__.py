"""A run's winner as code that needs no hotloop: one module, or a package in the layout of Hugging Face's `kernels`."""
