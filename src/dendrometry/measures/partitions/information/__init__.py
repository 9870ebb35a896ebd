"""Measures based on information: entropies and mutual information of two partitions."""
