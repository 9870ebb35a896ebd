"""Draw the contraction of two small trees, stage by stage: ``python docs/_make/contraction.py``."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

PICTURE = Path(__file__).parents[1] / "images" / "contraction.svg"
ITEMS = ("ape", "cat", "elk", "owl")
MERGES_A = (("ape", "cat"), ("ape", "elk"), ("ape", "owl"))  # each joins the clusters of two items
MERGES_B = (("ape", "cat"), ("elk", "owl"), ("ape", "elk"))
TITLES = (
    "k = 4: every item alone",
    "k = 3: ape and cat merge in both",
    "k = 2: elk joins others in each",
    "k = 1: all together",
)
NOTES = (
    "no pair is together",
    "two edges met: T + 1 · 1",
    "edges moved, none met",
    "met: T + 1 · 1, then + 2 · 2",
)
WIDTH, HEIGHT, LEFT, RIGHT, TOP, ROW = 330, 296, 118, 228, 92, 38

STYLE = """
  .ground { fill: #ffffff; } .panel { fill: #f4f6f8; }
  text { font: 14px system-ui, sans-serif; fill: #1f2933; } .title { font-weight: 600; } .small { font-size: 13px; }
  .edge { stroke: #7b8794; stroke-linecap: round; } .met { stroke: #0072b2; }
  .dot { fill: #1f2933; } .count { fill: #ffffff; stroke: #7b8794; } .accent { fill: #0072b2; font-weight: 600; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #1e2129; } .panel { fill: #2a2e39; }
    text, .dot { fill: #e4e7eb; } .edge { stroke: #9aa5b1; } .met { stroke: #56b4e9; }
    .count { fill: #2a2e39; stroke: #9aa5b1; } .accent { fill: #56b4e9; }
  }
"""

Cluster = frozenset[str]


def stages(merges: tuple[tuple[str, str], ...]) -> Iterator[list[Cluster]]:
    """Yield the clusters before the first merge and after each."""
    clusters = [frozenset([item]) for item in ITEMS]
    yield clusters
    for pair in merges:
        joined = frozenset().union(*(c for c in clusters if c & set(pair)))
        clusters = [c for c in clusters if not c & joined] + [joined]
        yield clusters


def n_together(*partitions: list[Cluster]) -> int:
    """Return how many pairs of items are in one cluster of every partition."""
    return sum(all(any(set(pair) <= c for c in clusters) for clusters in partitions) for pair in combinations(ITEMS, 2))


def height_of(cluster: Cluster) -> float:
    """Return where a cluster stands: in the middle of the places of its items."""
    return TOP + ROW * sum(map(ITEMS.index, cluster)) / len(cluster)


def text(x: float, y: float, content: str, kind: str = "", anchor: str = "start") -> str:
    """Return a line of text."""
    return f'<text x="{x:g}" y="{y:g}" class="{kind}" text-anchor="{anchor}">{content}</text>'


def panel(stage: int, a: list[Cluster], b: list[Cluster], before: set[Cluster]) -> Iterator[str]:
    """Yield one stage: clusters of a on the left, of b on the right, their overlaps as edges."""
    x, y = WIDTH * (stage % 2), HEIGHT * (stage // 2)
    yield f'<g transform="translate({x} {y})">'
    yield f'<rect class="panel" x="8" y="8" width="{WIDTH - 16}" height="{HEIGHT - 16}" rx="8"/>'
    yield text(24, 34, TITLES[stage], "title")
    overlaps = [(c, d, c & d) for c in a for d in b if c & d]
    for c, d, both in overlaps:
        met = " met" if stage and len(both) > 1 and both not in before else ""
        yield (
            f'<line class="edge{met}" x1="{LEFT}" y1="{height_of(c):g}" x2="{RIGHT}" y2="{height_of(d):g}"'
            f' stroke-width="{1 + 1.5 * len(both):g}"/>'
        )
    for c, d, both in overlaps:
        at = (height_of(c) + height_of(d)) / 2
        yield f'<circle class="count" cx="{(LEFT + RIGHT) / 2:g}" cy="{at:g}" r="10"/>'
        yield text((LEFT + RIGHT) / 2, at + 5, str(len(both)), "small", "middle")
    for name, where, anchor in (("tree a", LEFT, "end"), ("tree b", RIGHT, "start")):
        yield text(where, 62, name, "small", anchor)
    for clusters, where, side, anchor in ((a, LEFT, -12, "end"), (b, RIGHT, 12, "start")):
        for cluster in clusters:
            yield f'<circle class="dot" cx="{where}" cy="{height_of(cluster):g}" r="5"/>'
            names = sorted(cluster)
            for line, name in enumerate(names):
                yield text(where + side, height_of(cluster) + 5 + 15 * (line - (len(names) - 1) / 2), name, "", anchor)
    counts = f"P {n_together(a)}  Q {n_together(b)}  T {n_together(a, b)}"
    yield text(24, HEIGHT - 42, counts.replace("  ", " \u2003 "), "title")
    yield text(24, HEIGHT - 22, NOTES[stage], "accent small" if "T +" in NOTES[stage] else "small")
    yield "</g>"


def drawn() -> str:
    """Return the picture."""
    both = list(zip(stages(MERGES_A), stages(MERGES_B), strict=True))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {2 * HEIGHT}" role="img">',
        "<title>Two trees contracted stage by stage: clusters as dots, overlaps as edges</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="ground" width="{2 * WIDTH}" height="{2 * HEIGHT}" rx="8"/>',
    ]
    before: set[Cluster] = set()
    for stage, (a, b) in enumerate(both):
        lines.extend(panel(stage, a, b, before))
        before = {c & d for c in a for d in b}
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(drawn(), encoding="utf-8")
