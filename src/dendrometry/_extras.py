"""Optional packages: imported by the functions that need them; if one is missing, the error names its extra."""

from importlib import import_module
from typing import Any

from dendrometry.errors import Argument, MissingExtraError

_PACKAGES = {"sklearn": "scikit-learn"}  # modules whose package has a different name


def require(module: str, *, extra: str | None, for_: str | Argument) -> Any:
    """Return an optional module, or raise an error that states what needs it and how to install it.

    Parameters
    ----------
    module : str
        The module to import, such as "pandas" or "matplotlib.pyplot".
    extra : str or None
        The extra of this package that includes it, None if none does.
    for_ : str or Argument
        The function that needs it, in the form the user calls it: "to_frame()"; or the argument.

    Returns
    -------
    module
        The module.

    Raises
    ------
    MissingExtraError
        If the module is not installed. Errors inside an installed package are passed on unchanged.

    Examples
    --------
    >>> from dendrometry._extras import require
    >>> require("no_such_module", extra="tables", for_="to_frame()")
    Traceback (most recent call last):
    dendrometry.errors.MissingExtraError: to_frame() needs no_such_module: pip install 'dendrometry[tables]'
    """
    top = module.partition(".")[0]
    try:
        import_module(top)
        return import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != top:
            raise
        package = _PACKAGES.get(top, top)
        install = package if extra is None else f"'dendrometry[{extra}]'"
        raise MissingExtraError(for_, f" needs {package}: pip install {install}") from None
