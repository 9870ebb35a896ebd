from dendrometry.io.clusterings.hdbscan import from_hdbscan as from_hdbscan
from dendrometry.io.clusterings.layers import from_hiercc as from_hiercc
from dendrometry.io.clusterings.layers import from_layers as from_layers
from dendrometry.io.files import read as read
from dendrometry.io.files import read_many as read_many
from dendrometry.io.files import write as write
from dendrometry.io.hclust import from_hclust as from_hclust
from dendrometry.io.hclust import to_hclust as to_hclust
from dendrometry.io.labels import from_labels as from_labels
from dendrometry.io.linkage import from_linkage as from_linkage
from dendrometry.io.linkage import from_sklearn as from_sklearn
from dendrometry.io.linkage import to_linkage as to_linkage
from dendrometry.io.nested.json import from_json as from_json
from dendrometry.io.nested.json import to_json as to_json
from dendrometry.io.nested.newick import from_newick as from_newick
from dendrometry.io.nested.newick import to_newick as to_newick
from dendrometry.io.nested.nexus import from_nexus as from_nexus
from dendrometry.io.nested.nexus import to_nexus as to_nexus
from dendrometry.io.networkx import from_networkx as from_networkx
from dendrometry.io.networkx import to_networkx as to_networkx
from dendrometry.io.parents import from_parents as from_parents
from dendrometry.io.parents import to_parents as to_parents
from dendrometry.io.tables.levels import from_levels as from_levels
from dendrometry.io.tables.paths import from_paths as from_paths
from dendrometry.io.tables.paths import to_paths as to_paths

__all__: list[str]
