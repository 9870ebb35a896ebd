"""Trees of many points from a graph of neighbours, with exact merges above."""
