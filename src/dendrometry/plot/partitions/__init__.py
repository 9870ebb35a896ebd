"""Plots of flat clusterings."""
