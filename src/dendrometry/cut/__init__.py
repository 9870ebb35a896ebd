"""Cut a tree into clusters: by number, height, gap or penalty."""

from dendrometry.cut.penalty import residual_squares

__all__ = ["residual_squares"]
