"""Measures of the clusters that two trees have in common: recall, precision and the Robinson-Foulds family."""
