"""Run studies in full, write tables to docs/results and pictures to docs/images: ``python docs/_make/studies.py``.

Names of studies may follow; without, all are run. Pictures have a palette of 256 colours, which makes them small. The
study "wire" needs the path of Reuters-21578 in the environment variable REUTERS_21578.
"""

import os
import sys
import tempfile
from pathlib import Path

from PIL import Image

from dendrometry._studies import STUDIES, reproduce

DOCS = Path(__file__).parents[1]


def main(names: list[str]) -> None:
    """Run the studies of these names, and place what they save."""
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            data = os.environ["REUTERS_21578"] if name == "wire" else None
            for path in reproduce(name, data=data, progress=True).save(folder):
                place(path)


def place(path: Path) -> None:
    """Put a table or a text to the results, and a picture, made small, to the images."""
    if path.suffix == ".png":
        small = Image.open(path).convert("RGB").quantize(256, dither=Image.Dither.NONE)
        small.save(DOCS / "images" / path.name, optimize=True)
    else:
        (DOCS / "results" / path.name).write_bytes(path.read_bytes())


if __name__ == "__main__":
    main(sys.argv[1:] or list(STUDIES))
