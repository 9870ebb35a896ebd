"""The components of every page: markup, packed data, and the page itself."""
