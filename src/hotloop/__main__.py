"""``python -m hotloop``."""

from hotloop.cli.start import main

main()
