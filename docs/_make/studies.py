"""Run studies in full, write tables to docs/results and pictures to docs/images: ``python docs/_make/studies.py``.

Names of studies may follow; without, all are run. ``--data PATH`` runs those that take Reuters-21578 on that copy.
Pictures have a palette of 256 colours, which makes them small.
"""

import argparse
import tempfile
from pathlib import Path

from PIL import Image

from dendrometry._studies import STUDIES, Study, reproduce

DOCS = Path(__file__).parents[1]


def main(names: list[str], data: str | None) -> None:
    """Run the studies of these names, and place what they save."""
    for name in names or [study.name for study in STUDIES.values() if _runs(study, data)]:
        with tempfile.TemporaryDirectory() as folder:
            for path in reproduce(name, data=data, progress=True).save(folder):
                place(path)


def _runs(study: Study, data: str | None) -> bool:
    """Return whether a study is run that was not named: with data those that take them, without them all others."""
    return not study.needs_data if data is None else study.takes_data


def place(path: Path) -> None:
    """Put a table or a text to the results, and a picture, made small, to the images."""
    if path.suffix == ".png":
        small = Image.open(path).convert("RGB").quantize(256, dither=Image.Dither.NONE)
        small.save(DOCS / "images" / path.name, optimize=True)
    else:
        (DOCS / "results" / path.name).write_bytes(path.read_bytes())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*")
    parser.add_argument("--data")
    arguments = parser.parse_args()
    main(arguments.names, arguments.data)
