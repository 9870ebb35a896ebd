"""Plots of trees."""
