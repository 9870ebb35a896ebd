"""What the measures read of two trees: their pairs, clusters, matches and levels."""
