"""Dynamic tree cut: clusters found by the shape of their branches."""
