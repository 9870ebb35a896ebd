"""Clusterings of other packages: layers of labels, and fitted models."""
