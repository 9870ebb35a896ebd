"""Measures of two trees."""
