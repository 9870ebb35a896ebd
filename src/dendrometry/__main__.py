"""Run the command line as ``dendrometry`` or ``python -m dendrometry``."""

import signal
import sys


def main() -> None:
    """Load and run the command line; an interrupt while it is loaded ends it with exit code 130, as later ones do.

    One that comes when all is written is ignored: without this, Python would die by the signal as it ends.
    """
    try:
        from dendrometry.cli import main as run

        try:
            run()
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
