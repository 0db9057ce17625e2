"""What the text of a kernel file tells about its values: numbers that stand in it, inputs that its reference never reads."""
