"""Two partitions of the same items: how alike they are, and where they differ."""
