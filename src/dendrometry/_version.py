"""The version, read by the package, its pages and its build."""

__version__ = "0.1.0"
