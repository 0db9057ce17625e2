"""``python -m hotloop``."""

from hotloop.cli.main import main

main()
