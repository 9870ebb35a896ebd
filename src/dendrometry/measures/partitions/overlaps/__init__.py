"""Measures based on overlaps: each cluster against its best partner, one to one, or against its parts."""
