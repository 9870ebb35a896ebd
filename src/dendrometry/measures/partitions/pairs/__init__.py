"""Measures based on pairs of items that are together in both partitions, in one, or in neither."""
