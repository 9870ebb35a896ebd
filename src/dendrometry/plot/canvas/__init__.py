"""Axes, colours and text shared by all plots."""
