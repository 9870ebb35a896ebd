"""Comparison of hierarchical clusterings: how alike they are, whether more than by chance, and where they differ.

The most used names are in this module, the others in subpackages such as ``dendrometry.generate``. All names of this
module are listed in the stub ``__init__.pyi`` and load on first use, so that ``import dendrometry`` is quick.
"""

from dendrometry._lazy import attach
from dendrometry._version import __version__ as __version__

__getattr__, __dir__, __all__ = attach(__name__, __file__)
