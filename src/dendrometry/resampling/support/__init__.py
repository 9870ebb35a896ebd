"""The support of the nodes of a tree by replicates."""
