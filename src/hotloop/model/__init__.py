"""The nouns of hotloop as frozen data; no input or output, no vendor library, no behaviour beyond validation."""
