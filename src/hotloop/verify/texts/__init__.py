"""What a candidate's text is looked through for before anything compiles it."""
