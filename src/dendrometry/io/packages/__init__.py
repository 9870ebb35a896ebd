"""Trees of other packages, one in each file: HDBSCAN, BERTopic, AnnData, NetworkX."""
