"""A tree to click on in a notebook."""
