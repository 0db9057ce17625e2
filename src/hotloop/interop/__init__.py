"""Other tools' formats, read and written without loss: `recording` is what they have in common, `formats` has one file for each."""
