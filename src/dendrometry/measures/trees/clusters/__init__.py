"""Measures of the clusters that two trees have in common, or matched: recall, precision, the Robinson-Foulds family."""
