"""Drawings of comparisons."""
