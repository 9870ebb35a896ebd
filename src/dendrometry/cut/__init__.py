"""Hierarchies in, flat clusterings out."""
