"""Taxonomies as their publishers write them."""
