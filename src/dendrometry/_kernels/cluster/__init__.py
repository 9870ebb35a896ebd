"""Loops of clustering: distances, merges and splits."""
