"""What a kernel is judged and timed on: inputs, references and where they are computed."""
