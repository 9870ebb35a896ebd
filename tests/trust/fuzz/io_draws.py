"""Random arguments of the functions that read hierarchies, over the items of a scene."""

from tests.strategies import random_linkage
from tests.trust.fuzz.good import DPUT

from dendrometry.io import to_networkx, to_tables

ODD = ["", "a b", "<b>", "'", "Ä", "\u202e"]

IO_DRAWS = {
    "thing": lambda scene: scene.one_of(
        scene.tree(), scene.labels(), scene.points(), random_linkage(scene.n, scene.rng), to_networkx(scene.tree())
    ),
    "io.from_tables.nodes": lambda scene: (
        to_tables(scene.tree()).nodes | {"height": [scene.one_of(None, 0.0, 1.5, 1e300, -0.5)] * scene.latest.n_nodes}
    ),
    "io.from_tables.items": lambda scene: scene.one_of(None, to_tables(scene.latest).items),
    "communities": lambda scene: {
        "community": list(range(scene.n)),
        "parent": [-1] + [scene.one_of(0, -1, i - 1) for i in range(1, scene.n)],
        "level": list(range(scene.n)),
        "entity_ids": [[name] for name in scene.names],
    },
    "lineages": lambda scene: [f"d__{scene.one_of('a', 'b')}; p__{name}" for name in scene.names],
    "io.from_dput.text": lambda scene: DPUT.replace(
        scene.one_of("1L", "c(", ",", '"a"', "5L"), scene.one_of("1L", "2:3"), 1
    ),
    "io.from_ncbi.nodes": lambda scene: "".join(f"{v}\t|\t{scene.one_of(v // 2, v // 3)}\t|\n" for v in range(scene.n)),
    "io.from_ncbi.names": lambda scene: f"0\t|\t{scene.one_of(*ODD)}\t|\t\t|\tscientific name\t|",
    "io.from_skos.text": lambda scene: (
        "@prefix s: <http://www.w3.org/2004/02/skos/core#> . "
        + "".join(
            f"<http://a/{name}> s:broader <http://a/{scene.one_of('x', *scene.names[:i])}> . "
            for i, name in enumerate(scene.names)
        )
    ),
    "io.from_infomap.text": lambda scene: "\n".join(f'1:{i} 0.5 "{name}" {i}' for i, name in enumerate(scene.names)),
    "io.from_obo.text": lambda scene: "".join(f"[Term]\nid: {name}\n" for name in scene.names),
    "io.from_product_taxonomy.text": lambda scene: "\n".join(f"{i} - a > {name}" for i, name in enumerate(scene.names)),
    "io.from_hiercc.table": lambda scene: {
        "strain": scene.names,
        "HC0": list(range(scene.n)),
        "HC5": scene.one_of([0] * scene.n, scene.labels()),
    },
    "io.from_nexus.text": lambda scene: f"#NEXUS begin trees; tree a = {scene.text_of_tree()} end;",
}
