"""``dendrometry warm-up``: compile the loops ahead of their first use."""

__all__ = ["warm_up"]


def warm_up() -> None:
    """Compile all loops now, and keep them on disk.

    Small inputs need no compiled loops; the first larger one of each kind
    compiles for some seconds. This does it for all kinds at once, for some
    minutes, for an image or a cluster. NUMBA_CACHE_DIR names the folder, if
    not beside the package.

    \b
    Example:
      dendrometry warm-up
    """
    from dendrometry._progress import on_terminal
    from dendrometry._warm_up import warm_up as compile_all

    compile_all(progress=on_terminal())
    print("compiled")
