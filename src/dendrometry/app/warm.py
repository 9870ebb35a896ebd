"""What a new process does before anybody asks, so that what it loads is there when somebody does."""

from pathlib import Path

from dendrometry.app.cards import Given
from dendrometry.app.inspection import inspect
from dendrometry.app.workers import Request

_N_ITEMS = 1024  # enough for the loops that small trees do without


def _write_pair(root: Path) -> tuple[Path, Path]:
    """Write two trees, and return their files."""
    folder = root / "warm"
    folder.mkdir(exist_ok=True)
    files = (folder / "a.nwk", folder / "b.nwk")
    for step, file in zip((1, 33), files, strict=True):
        rows = [f"i{i * step % _N_ITEMS}" for i in range(_N_ITEMS)]
        while len(rows) > 1:
            rows = [f"({','.join(rows[i : i + 2])})" for i in range(0, len(rows), 2)]
        file.write_text(f"{rows[0]};", encoding="ascii")
    return files


def compare_request(root: Path) -> Request:
    """Return a comparison."""
    a, b = _write_pair(root)
    outs = ["--report", "report.html", "--out", "measures.csv", "--json", "--force"]
    return Request(str(a.parent), ["compare", a.name, b.name, *outs])


def inspect_request(root: Path) -> Request:
    """Return a look at two trees."""
    a, b = _write_pair(root)
    return Request(str(a.parent), [], inspect, ("tree", [Given(str(path), path.name, {}) for path in (a, b)], {}))
