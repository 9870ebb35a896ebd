"""Distances between points, and the nearest of them."""
