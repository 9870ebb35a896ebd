"""A matrix of data beside the trees of its rows and columns."""
