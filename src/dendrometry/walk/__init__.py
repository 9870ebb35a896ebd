"""Simultaneous traversals of two trees, from which the measures are computed."""
