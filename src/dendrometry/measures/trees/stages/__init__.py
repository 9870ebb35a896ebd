"""Measures of the partitions at every number of clusters."""
