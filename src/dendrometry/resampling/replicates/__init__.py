"""Replicates: data drawn again, and the trees built from them."""
