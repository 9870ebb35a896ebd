"""Import the package before its rooms are collected, so that ``dendrometry.compare`` is the function."""

import dendrometry  # noqa: F401 - imported for what it does
