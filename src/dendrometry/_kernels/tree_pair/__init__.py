"""Loops over two trees."""
