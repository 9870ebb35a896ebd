from dendrometry.cut.coarsen import coarsen as coarsen
from dendrometry.cut.count import cut_at_most as cut_at_most
from dendrometry.cut.count import cut_count as cut_count
from dendrometry.cut.count import cut_counts as cut_counts
from dendrometry.cut.cut import Cut as Cut
from dendrometry.cut.dynamic_hybrid import cut_dynamic_hybrid as cut_dynamic_hybrid
from dendrometry.cut.dynamic_tree import cut_dynamic_tree as cut_dynamic_tree
from dendrometry.cut.excess_of_mass import cut_excess_of_mass as cut_excess_of_mass
from dendrometry.cut.fold import fold as fold
from dendrometry.cut.height import cut_gap as cut_gap
from dendrometry.cut.height import cut_height as cut_height
from dendrometry.cut.height import cut_heights as cut_heights
from dendrometry.cut.penalty import cut_penalty as cut_penalty
from dendrometry.cut.penalty import residual_squares as residual_squares
from dendrometry.cut.significant import cut_significant as cut_significant
from dendrometry.cut.size import cut_size as cut_size

__all__: list[str]
