"""Axes, colours and text that all plots share."""
