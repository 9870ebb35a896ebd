"""Commands that describe the package itself."""
