"""Run the command line as ``dendrometry`` or ``python -m dendrometry``."""

import sys


def main() -> None:
    """Load and run the command line; an interrupt while it is loaded ends it with exit code 130, as later ones do."""
    try:
        from dendrometry.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
