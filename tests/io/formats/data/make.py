"""Write the files of this folder: pip install dendropy==5.1.3 biopython==1.88, then run this script here."""

from io import StringIO

import dendropy
from Bio import Phylo

TREES = "((ape:1,'sea lion':1)mammals:2,(owl_1:1,'d''Arcy':1):2);\n(((ape:1,owl_1:1):1,'sea lion':2):1,'d''Arcy':3);"

if __name__ == "__main__":
    trees = dendropy.TreeList.get(data=TREES, schema="newick", preserve_underscores=True)
    trees.write(path="dendropy.nex", schema="nexus", translate_tree_taxa=True, simple=False)
    trees.write(path="dendropy.nwk", schema="newick", suppress_rooting=True)
    Phylo.write(list(Phylo.parse(StringIO(TREES.replace("d''", "D")), "newick")), "biopython.nex", "nexus")
