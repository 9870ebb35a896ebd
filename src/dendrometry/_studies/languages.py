"""Languages by descent, by grammar and by place: how alike the three hierarchies are."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from dendrometry._check.numbers import random_generator
from dendrometry._studies import alike
from dendrometry._studies.inputs.languages import Languages, feature_distances, planted_languages
from dendrometry._studies.inputs.languages import languages as load
from dendrometry._studies.result import StudyResult
from dendrometry._typing import FloatArray, IntArray
from dendrometry.cluster.agglomerate import agglomerate_distances
from dendrometry.cluster.linkages import Linkage
from dendrometry.hierarchy import Hierarchy
from dendrometry.io.formats.paths import from_paths

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_TITLE = "How alike are the hierarchies of languages by descent, by grammar and by place?"
_LINKAGES: tuple[Linkage, ...] = ("average", "complete", "ward")
_DEPTHS = 3  # levels of the genealogy: families, their branches, and so on
_MOST = 25  # languages in the table of those moved most
_LEAST = 10  # languages of a family in the table of families


def languages(*, quick: bool = False, rng: np.random.Generator | int | None = 0, progress: bool = False) -> StudyResult:
    """Compare the genealogy of languages with trees of their grammars and of their places.

    The genealogy is that of Glottolog 5.2. Grammars are the features of Grambank that are known for both languages, of
    languages with at most a quarter unknown; their distance is the share that differs. Places are compared by
    great-circle distance. Trees of grammars and of places are built by three linkages each.

    Parameters
    ----------
    quick, rng, progress
        As for `reproduce`; ``quick`` has 60 languages that are made up.

    Returns
    -------
    StudyResult
        Tables "claims", "alike" (measures adjusted for chance, with p-values and 95% intervals), "levels", "moved" (the
        languages about which descent and grammar disagree most) and "families"; figure "map".

    Raises
    ------
    InvalidInputError
        If the data cannot be fetched.

    Examples
    --------
    >>> from dendrometry._studies.languages import languages
    >>> languages(quick=True)
    StudyResult(languages: tables claims, alike, levels, moved, families; figures map)
    """
    source = random_generator(rng)
    data = planted_languages(60, source) if quick else load()
    descent = _descent(data)
    grammar = [_view(f"grammar, {linkage}", data, feature_distances(data.grammar), linkage) for linkage in _LINKAGES]
    place = [_view(f"place, {linkage}", data, great_circle_distances(data.place), linkage) for linkage in _LINKAGES]
    pairs = [(descent, view) for view in (*grammar, *place)] + list(zip(grammar, place, strict=True))
    found = alike.agree(pairs, *(alike.QUICK if quick else alike.FULL), source, progress)
    moved = {view.name: alike.disagreement(descent, view, source) for view in grammar}
    claims = _claims(found)
    families = [name.partition(" [")[0] for name in data.families]
    tables = {
        "claims": alike.claims_table(claims),
        "alike": alike.measures_table(found),
        "levels": alike.levels_table(found),
        "moved": alike.moved_table(moved, data.names, families, _MOST),
        "families": alike.groups_table(moved, families, 2 if quick else _LEAST),
    }
    notes = (_size(data), *alike.claim_notes(claims))
    mean = np.mean(list(moved.values()), axis=0)
    return StudyResult("languages", _TITLE, tables, notes, figures={"map": partial(_map, data.place, mean)})


def _size(data: Languages) -> str:
    """Say how many languages and families there are."""
    unknown = float(np.isnan(data.grammar).mean())
    return (
        f"{len(data.items):,} languages of {len(set(data.families)):,} families and isolates,"
        f" {data.grammar.shape[1]} features, of which {unknown:.0%} are unknown."
    )


def _descent(data: Languages) -> alike.View:
    """Return the genealogy, with its levels; a language whose lineage is shorter stays alone."""
    tree = from_paths(data.lineage, data.items).without_unary()
    names = ("family", *(f"branch {depth}" for depth in range(1, _DEPTHS)))
    levels = {name: _classes([path[: depth + 1] for path in data.lineage]) for depth, name in enumerate(names)}
    return alike.View("descent", tree, levels)


def _classes(paths: Sequence[tuple[str, ...]]) -> IntArray:
    """Return the class of each language, numbered."""
    number = {path: i for i, path in enumerate(dict.fromkeys(paths))}
    return np.array([number[path] for path in paths])


def _view(name: str, data: Languages, distance: FloatArray, linkage: Linkage) -> alike.View:
    """Return a tree of the languages by distance, which is built again for some of them."""

    def built(some: IntArray) -> Hierarchy:
        names = [data.items[i] for i in some.tolist()]
        return agglomerate_distances(distance[np.ix_(some, some)], linkage=linkage, item_names=names).hierarchy

    return alike.View(name, built(np.arange(len(data.items))), {}, built)


def great_circle_distances(place: FloatArray) -> FloatArray:
    """Return the angles between places in degrees of latitude and longitude, in radians."""
    latitude, longitude = np.radians(place).T
    flat = np.cos(latitude)
    at = np.column_stack([flat * np.cos(longitude), flat * np.sin(longitude), np.sin(latitude)])
    chord = np.sqrt(((at[:, None, :] - at[None, :, :]) ** 2).sum(axis=2))
    angle: FloatArray = 2.0 * np.arcsin(np.minimum(chord / 2.0, 1.0))
    return angle


def _claims(found: Sequence[alike.Agreement]) -> list[alike.Claim]:
    """Return what the study claims, with the margin for each measure and linkage."""
    of = {(one.first.name, one.second.name): one for one in found}
    settings = [(measure, linkage) for linkage in _LINKAGES for measure in alike.MEASURES_USED]
    by_grammar, by_place, both = (
        {f"{m}, {k}": of[first.format(k), second.format(k)].measured(m) for m, k in settings}
        for first, second in (
            ("descent", "grammar, {}"),
            ("descent", "place, {}"),
            ("grammar, {}", "place, {}"),
        )
    )
    families = {k: of["descent", f"grammar, {k}"] for k in _LINKAGES}
    return [
        alike.Claim("descent and grammar are more alike than by chance", by_grammar),
        alike.Claim("place is nearer to descent than grammar is", {s: by_place[s] - by_grammar[s] for s in by_place}),
        alike.Claim("grammar is nearer to descent than to place", {s: by_grammar[s] - both[s] for s in by_grammar}),
        alike.Claim(
            "cuts of grammar agree more with families than with their first branches",
            {k: one.at("family") - one.at("branch 1") for k, one in families.items()},
        ),
    ]


def _map(place: FloatArray, moved: FloatArray) -> "Figure":
    """Draw the languages where they are spoken, coloured by how much descent and grammar disagree about each."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10.0, 5.2), layout="constrained")
    ax = figure.subplots()
    order = np.argsort(moved)
    limits = np.quantile(moved, [0.02, 0.98]).tolist()
    east = (place[:, 1] + 30.0) % 360.0 - 30.0  # the Pacific in one piece
    dots = ax.scatter(
        east[order],
        place[order, 0],
        c=moved[order],
        cmap="cividis_r",
        s=11,
        linewidths=0,
        vmin=limits[0],
        vmax=limits[1],
    )
    bar = figure.colorbar(dots, ax=ax, shrink=0.8, pad=0.01)
    bar.set_label("disagreement of descent and grammar (1: as by chance)", fontsize=8)
    bar.ax.tick_params(labelsize=8)
    ax.set_aspect("equal")
    ax.set_xticks([])
    ax.set_yticks([])
    ax.spines[:].set_visible(False)
    ax.set_title(f"{len(moved):,} languages where they are spoken", fontsize=10, loc="left")
    return figure
