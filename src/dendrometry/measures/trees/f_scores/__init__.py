"""F-scores of clusters and of related pairs."""
