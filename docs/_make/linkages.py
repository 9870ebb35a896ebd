"""Write the computed part of a section of the page on studies from its tables: ``python docs/_make/linkages.py``.

Everything between the two comments named "linkages" in docs/study.md is computed here from docs/results/linkages-*.csv.
"""

import csv
from pathlib import Path

import numpy as np

from dendrometry._studies.inputs.findings import SCALED, Condition, Findings
from dendrometry._studies.inputs.trees_of_table import AGREEMENT, EIGHT, PAIRS, RECOVERY

DOCS = Path(__file__).parents[1]
PAGE = DOCS / "study.md"
START, END = "<!-- linkages: computed -->", "<!-- linkages: end -->"
ABOUT = {
    "dendrogram_purity": "dendrogram purity",
    "triplet_recall": "triplets of the classes",
    "hierarchy_agreement": "hierarchy agreement",
    "adjusted_rand": "adjusted Rand of the cut",
    "adjusted_mutual_information": "adjusted mutual information of the cut",
    "element_centric": "element-centric similarity of the cut",
}


def rows_of(name: str) -> list[dict[str, str]]:
    """Return the rows of a committed table."""
    with (DOCS / "results" / f"linkages-{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_findings() -> Findings:
    """Return the findings from the committed values alone."""
    used = [row for row in rows_of("tables") if not row["same_as"] and row["rows_used"] != "0"]
    names = [row["table"] for row in used]
    at = {name: i for i, name in enumerate(names)}
    draws = rows_of("draws")
    n_draws = 1 + max(int(row["draw"]) for row in draws)
    recovery = np.full((len(names), n_draws, 2, len(EIGHT), len(RECOVERY)), np.nan)
    error = np.full((len(names), 2, len(EIGHT), len(RECOVERY)), np.nan)
    for row in rows_of("recovery"):
        place = at[row["table"]], int(row["scaled"] == "yes"), EIGHT.index(row["linkage"])
        recovery[place[0], 0, place[1], place[2]] = [float(row[name]) for name in RECOVERY]
        error[place] = [float(row[f"{name}_se"]) for name in RECOVERY]
    for row in draws:
        place = at[row["table"]], int(row["draw"]), int(row["scaled"] == "yes"), EIGHT.index(row["linkage"])
        recovery[place] = [float(row[name]) for name in RECOVERY]
    agreement, errors = (np.full((len(names), 2, len(PAIRS), len(AGREEMENT)), np.nan) for _ in range(2))
    for values, kind in ((agreement, "agreement"), (errors, "errors")):
        for scaled in SCALED:
            for row in rows_of(f"{kind}-{'scaled' if scaled else 'unscaled'}"):
                numbers = [float(row[f"{a}-{b}"]) for a, b in PAIRS]
                values[at[row["table"]], int(scaled), :, AGREEMENT.index(row["measure"])] = numbers
    measured = np.array([row["kind"] == "measured" for row in used])
    tied = tuple(int(row["tied_cuts"]) for row in used)
    return Findings(tuple(names), measured, tied, recovery, error, agreement, errors)


def computed(found: Findings) -> str:
    """Return the text between the comments: the tables used, ranks, pairs, agreement, scaling."""
    candidates = rows_of("tables")
    dropped = [f"{row['table']} ({row['same_as']})" for row in candidates if row["same_as"]]
    parts = [
        found.sentences(len(candidates))[0][:1].upper() + found.sentences(len(candidates))[0][1:],
        f"Left out as another table again: {', '.join(dropped)}.",
        _ranks(found),
        *_conclusions(found),
        "The sentences of the command, computed from the same tables: [text](results/linkages.txt).",
    ]
    return "\n\n".join(parts)


def _ranks(found: Findings) -> str:
    """Return a table of mean ranks by linkage and measure, scaled columns, with the range over draws and scalings."""
    lines = [
        f"| linkage | {' | '.join(ABOUT[name] for name in RECOVERY)} |",
        f"|---|{'---|' * len(RECOVERY)}",
    ]
    n_draws = found.recovery.shape[1]
    for i, linkage in enumerate(EIGHT):
        cells = []
        for measure in RECOVERY:
            mean = [
                found.ranks[Condition("all", scaled, draw, measure)].mean[i]
                for scaled in SCALED
                for draw in range(n_draws)
            ]
            cells.append(f"{mean[n_draws]:.1f} ({min(mean):.1f} to {max(mean):.1f})")
        lines.append(f"| {linkage} | {' | '.join(cells)} |")
    critical = found.ranks[Condition("all", True, 0, RECOVERY[0])].critical
    lines.append(
        f"\nMean ranks over the {len(found.names)} tables, 1 for the best, columns scaled; in brackets the range over"
        f" both scalings and {n_draws} draws. Two linkages differ by Nemenyi's test if their ranks are"
        f" {critical:.2f} or more apart. [All ranks](results/linkages-ranks.csv)."
    )
    return "\n".join(lines)


def _conclusions(found: Findings) -> list[str]:
    """Return the conclusions, each with what supports it and what weakens it."""
    rows = rows_of("pairs")
    kinds = {
        "cut": "the three measures of cuts into as many clusters as classes",
        "tree": "the three measures of whole trees",
        "all": "all six",
    }
    text = [
        "**Which linkage is better?** One of a pair is called better only if it is so by the critical difference under"
        " every condition: each measure, scaled or not, each draw of rows and ties, and with or without the tables that"
        " were simulated or made by rules. All other pairs are undecided."
    ]
    for kind, about in kinds.items():
        of_kind = [row for row in rows if row["measures"] == kind]
        decided = [row for row in of_kind if row["better"] != "undecided"]
        n_conditions = sum(int(of_kind[0][name]) for name in ("first_better", "second_better", "neither"))
        text.append(
            f"*By {about}*, under all {n_conditions} conditions, {len(decided)} of {len(of_kind)} pairs are decided"
            f"{':' if decided else '.'}"
        )
        if decided:
            text.append(
                "\n".join(
                    [
                        "| better | than | table most in favour | table most against |",
                        "|---|---|---|---|",
                        *_decided(decided),
                    ]
                )
            )
        text.append(_undecided([row for row in of_kind if row["better"] == "undecided"]))
    return [*text, "[All pairs](results/linkages-pairs.csv).", _measures(found), _scaling(found), _agreement(found)]


def _decided(rows: list[dict[str, str]]) -> list[str]:
    """Return a line for each decided pair, the better linkage first."""
    lines = []
    for row in rows:
        sides = ("first", "second") if row["better"] == row["first"] else ("second", "first")
        names, extremes = [row[side] for side in sides], [row[f"for_{side}"] for side in sides]
        lines.append(f"| {' | '.join([*names, *extremes])} |")
    return sorted(lines)


def _undecided(rows: list[dict[str, str]]) -> str:
    """Say of the pairs that are undecided how many have no difference at all, and what decides the others."""
    never = sum(row["first_better"] == row["second_better"] == "0" for row in rows)
    both = [row for row in rows if "0" not in (row["first_better"], row["second_better"])]
    words = ("the measure", "the scaling", "the draw", "which tables")
    counts = ", ".join(f"{word} for {sum(word in row['decided_by'] for row in rows)}" for word in words)
    opposite = ", ".join(f"{row['first']} and {row['second']}" for row in both)
    return (
        f"Undecided pairs: {len(rows)}. Told apart under no condition: {never}. Decided for one side under some"
        f" conditions and for the other under others: {len(both)}{f' ({opposite})' if both else ''}. Number of them of"
        f" which one choice alone can change the outcome: {counts}."
    )


def _measures(found: Findings) -> str:
    """Say what changes with the measure, in the first draw."""
    parts = []
    for scaled in SCALED:
        leaders = []
        for measure in RECOVERY:
            ranks = found.ranks[Condition("all", scaled, 0, measure)]
            order = np.argsort(ranks.mean, kind="stable").tolist()
            level = sum(not ranks.differs[order[0], i] for i in order[1:])
            leaders.append(f"{EIGHT[order[0]]} by {ABOUT[measure]} ({level} not told apart from it)")
        parts.append(f"{'scaled' if scaled else 'unscaled'}, the best mean rank is that of {', '.join(leaders)}")
    return f"**What changes with the measure.** {_capital('; '.join(parts))}."


def _scaling(found: Findings) -> str:
    """Return the sentences on scaling as a list."""
    sentences = [note for note in found.sentences(0) if note.startswith("scaling, ")]
    lines = "\n".join(f"- {ABOUT[note.split(', ')[1].split(':')[0]]}: {note.split(': ', 1)[1]}" for note in sentences)
    return (
        "**Scaling.** The mean gain by scaled columns over tables and linkages, with an interval of 95 % by drawing the"
        f" tables again; it is called undecided unless the interval of every draw is on one side of 0:\n\n{lines}"
    )


def _agreement(found: Findings) -> str:
    """Return a table of the agreement of linkages: the mean over pairs, the least and the most alike pair."""
    lines = ["| measure | columns | mean over pairs | least alike | most alike |", "|---|---|---|---|---|"]
    for measure in AGREEMENT:
        for scaled in SCALED:
            square = found.mean_agreement(measure, scaled)
            pairs = {(a, b): square[EIGHT.index(a), EIGHT.index(b)] for a, b in PAIRS}
            least, most = min(pairs, key=pairs.__getitem__), max(pairs, key=pairs.__getitem__)
            lines.append(
                f"| {measure.replace('_', ' ')} | {'scaled' if scaled else 'unscaled'} |"
                f" {np.mean(list(pairs.values())):.2f} | {' and '.join(least)}, {pairs[least]:.2f} |"
                f" {' and '.join(most)}, {pairs[most]:.2f} |"
            )
    return "\n".join(
        [
            "**How far linkages agree**, from 0 as by chance to 1 for identical trees, means over the tables"
            " ([with intervals](results/linkages-agreement.csv)):",
            "",
            *lines,
        ]
    )


def _capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def filled(page: str) -> str:
    """Return the page with its computed part written again."""
    before, rest = page.split(START)
    _, after = rest.split(END)
    return f"{before}{START}\n\n{computed(read_findings())}\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
