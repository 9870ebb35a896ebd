"""Algorithms that merge clusters, one in each file."""
