"""The use case `predict`: how long a kernel takes on a machine that is not here."""
