"""Loops of clustering."""
