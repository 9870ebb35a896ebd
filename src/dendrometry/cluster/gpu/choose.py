"""The device that a user asks for: what is installed and found, its array namespace, and its memory."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dendrometry._extras import require
from dendrometry._memory import size_text
from dendrometry.cluster.gpu.plain import Plain
from dendrometry.errors import Argument, InvalidInputError, Message

DeviceName = Literal["cpu", "cuda", "auto"]
_CUDA = Argument("device", "cuda")


class Backend(NamedTuple):
    """An array library on a device: its namespace, the device, the searches, and how steps are repeated.

    ``repeat(step, count)`` calls a function that only works on arrays of fixed shapes ``count`` times.
    """

    name: str
    xp: Any
    where: Any
    searches: Any
    repeater: Callable[[Callable[[], None]], Callable[[int], None]]

    def array(self, values: NDArray[Any]) -> Any:
        """Return NumPy's values as an array on the device."""
        return self.xp.asarray(values, device=self.where)

    def numpy(self, values: Any) -> NDArray[Any]:
        """Return an array of the device as NumPy's."""
        return np.asarray(values.cpu()) if hasattr(values, "cpu") else np.asarray(values)

    def peak_memory(self) -> int:
        """Return the largest number of bytes in use on the device since its backend was made; 0 where unknown."""
        return int(self._torch().cuda.max_memory_allocated(self.where)) if self.name == "cuda" else 0

    def free_memory(self) -> int | None:
        """Return the bytes that can be allocated on the device; None for the main memory."""
        if self.name != "cuda":
            return None
        cuda = self._torch().cuda
        kept = cuda.memory_reserved(self.where) - cuda.memory_allocated(self.where)
        return int(cuda.mem_get_info(self.where)[0] + kept)

    def _torch(self) -> Any:
        return require("torch", extra="gpu", for_=_CUDA)


def numpy_backend() -> Backend:
    """Return the plain array code on NumPy, by which it is tested."""
    xp = require("array_api_compat.numpy", extra="gpu", for_="the array code of a device")
    return Backend("numpy", xp, "cpu", Plain(xp), _loop)


def cuda_is_there() -> bool:
    """Return whether PyTorch and array-api-compat are installed, and PyTorch finds a CUDA device of NVIDIA."""
    if find_spec("torch") is None or find_spec("array_api_compat") is None:
        return False
    torch = require("torch", extra="gpu", for_="")
    return bool(torch.cuda.is_available()) and torch.version.hip is None


def cuda_backend() -> Backend:
    """Return PyTorch on the current CUDA device, with fused kernels if Triton is installed."""
    torch = require("torch", extra="gpu", for_=_CUDA)
    xp = require("array_api_compat.torch", extra="gpu", for_=_CUDA)
    if not cuda_is_there():
        raise InvalidInputError(_CUDA, f" requires an NVIDIA GPU; PyTorch {torch.__version__} finds none")
    where = torch.device("cuda", torch.cuda.current_device())
    torch.cuda.reset_peak_memory_stats(where)
    searches = Plain(xp)
    if find_spec("triton") is not None:
        from dendrometry.cluster.gpu.triton.fused import Fused

        searches = Fused(xp)
    return Backend("cuda", xp, where, searches, _graph)


def require_device_memory(backend: Backend, needed: int, what: str, alternatives: Message) -> None:
    """Raise an error if a computation does not fit on the device; the message gives the amount and alternatives."""
    free = backend.free_memory()
    if free is not None and needed > free:
        raise InvalidInputError(
            f"{what} needs {size_text(needed)} of device memory; {size_text(free)} are available. ",
            *alternatives,
        )


def _loop(step: Callable[[], None]) -> Callable[[int], None]:
    """Return a function that repeats a step."""

    def repeat(count: int) -> None:
        for _ in range(count):
            step()

    return repeat


def _graph(step: Callable[[], None]) -> Callable[[int], None]:
    """Return a function that repeats a step which is recorded once as a CUDA graph, to start its kernels quickly.

    The step is run thrice before it is recorded, as recording requires; it must allow that.
    """
    torch = require("torch", extra="gpu", for_=_CUDA)
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()

    def repeat(count: int) -> None:
        for _ in range(count):
            graph.replay()

    return repeat
