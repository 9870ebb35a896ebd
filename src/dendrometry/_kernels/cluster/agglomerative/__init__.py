"""Loops that merge clusters, from points, matrices, lists of neighbours or an index."""
