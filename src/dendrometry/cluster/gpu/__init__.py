"""Agglomerative algorithms on an NVIDIA GPU."""
