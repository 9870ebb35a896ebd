"""One study a file."""
