"""Trees of many points: exact above given clusters, on a graph of neighbours below."""
