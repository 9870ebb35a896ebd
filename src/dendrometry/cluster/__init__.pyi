from dendrometry.cluster.agglomerate import agglomerate as agglomerate
from dendrometry.cluster.agglomerate import agglomerate_distances as agglomerate_distances
from dendrometry.cluster.agglomeration import Agglomeration as Agglomeration
from dendrometry.cluster.agglomeration import BuildReport as BuildReport
from dendrometry.cluster.agglomeration import GraphReport as GraphReport
from dendrometry.cluster.approximate.cluster_approximate import cluster_approximate as cluster_approximate
from dendrometry.cluster.approximate.graph import agglomerate_graph as agglomerate_graph
from dendrometry.cluster.divisive.bisect import bisect as bisect
from dendrometry.cluster.divisive.buckshot import Buckshot as Buckshot
from dendrometry.cluster.divisive.buckshot import BuckshotReport as BuckshotReport
from dendrometry.cluster.divisive.buckshot import buckshot as buckshot
from dendrometry.cluster.divisive.constrained import ConstrainedDivision as ConstrainedDivision
from dendrometry.cluster.divisive.constrained import TripletReport as TripletReport
from dendrometry.cluster.divisive.constrained import bisect_constrained as bisect_constrained
from dendrometry.cluster.divisive.division import Division as Division
from dendrometry.cluster.divisive.division import DivisionReport as DivisionReport
from dendrometry.cluster.divisive.principal_direction import principal_direction as principal_direction
from dendrometry.cluster.estimators import HierarchicalClustering as HierarchicalClustering
from dendrometry.cluster.linkages import LINKAGES as LINKAGES
from dendrometry.cluster.linkages import METRICS as METRICS
from dendrometry.cluster.linkages import Linkage as Linkage
from dendrometry.cluster.linkages import LinkageRule as LinkageRule
from dendrometry.cluster.medoids import medoids as medoids
from dendrometry.cluster.optimality import combination_similarity as combination_similarity
from dendrometry.cluster.optimality import is_optimal as is_optimal

__all__: list[str]
