"""How a call of an operation finds its kernel: candidates, one choice, the launch; families declare operators against this."""
