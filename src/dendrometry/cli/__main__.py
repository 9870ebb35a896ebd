"""Run the command line as ``python -m dendrometry.cli``."""

from dendrometry.cli import main

main()
