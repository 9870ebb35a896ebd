"""Commands that tell about the package itself."""
