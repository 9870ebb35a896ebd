"""Measures that count pairs of items: together in both partitions, in one, or in none."""
