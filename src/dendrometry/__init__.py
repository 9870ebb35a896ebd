"""Measure hierarchical clusterings against each other: how alike, more than by chance, and where they differ.

The names of every day are here, the rest in rooms such as ``dendrometry.generate``. All of them stand in the stub
``__init__.pyi`` and load when they are first asked for, so that ``import dendrometry`` is quick.
"""

from dendrometry._lazy import attach
from dendrometry._version import __version__ as __version__

__getattr__, __dir__, __all__ = attach(__name__, __file__)
