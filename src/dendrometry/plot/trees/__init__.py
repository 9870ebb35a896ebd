"""Drawings of trees."""
