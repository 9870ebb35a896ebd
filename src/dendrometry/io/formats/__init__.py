"""Formats, one in each file: Newick, Nexus, JSON, hclust, linkage matrices, tables."""
