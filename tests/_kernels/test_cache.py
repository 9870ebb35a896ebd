"""The compiled code on disk: whatever is wrong with it, kernels are compiled and give their results."""

import ctypes
import importlib.util
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import threading
import warnings
from pathlib import Path

import pytest

import dendrometry
from dendrometry.errors import SlowStartWarning

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(os.name != "posix", reason="needs users, permissions and limits of files"),
]

KERNEL = """
import sys
from dendrometry._kernels._jit import always_compiling, njit

@njit
def double(x):
    return x * 2

if __name__ == "__main__":
    if "full" in sys.argv:
        import resource
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))
    with always_compiling():
        print(double(21))
"""
WARNING = "the folder for compiled code must be there, writable and intact"


@pytest.fixture
def folder():
    """Yield a folder that every user may enter, with a module that has one kernel."""
    with tempfile.TemporaryDirectory() as path:
        folder = Path(path)
        folder.chmod(0o755)
        (folder / "kernel.py").write_text(KERNEL)
        yield folder
        subprocess.run(["chmod", "-R", "u+w", path], check=True)


@pytest.fixture
def call(folder, monkeypatch):
    """Return a function that loads the module anew, as a new process does, and calls its kernel.

    It returns the result and the number of warnings, of which nothing else may be said.
    """
    from dendrometry._kernels import _compiler

    monkeypatch.setattr(_compiler.numba.core.config, "CACHE_DIR", "")

    def load_and_call(x=21):
        monkeypatch.setattr(_compiler, "_warned", threading.Lock())
        spec = importlib.util.spec_from_file_location("kernel", folder / "kernel.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = module.double(x)
        assert all(isinstance(w.message, SlowStartWarning) and WARNING in str(w.message) for w in caught)
        return result, len(caught)

    return load_and_call


def _environment(**more):
    """Return the environment, without a folder for compiled code."""
    return {k: v for k, v in os.environ.items() if k != "NUMBA_CACHE_DIR"} | more


def _start(folder, *args, **options):
    command = [sys.executable, str(folder / "kernel.py"), *args]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, **pipes, **{"env": _environment(), **options})


def _end(process):
    """Return what was printed and the number of warnings, of which nothing else may be said."""
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert err.count("Warning") == err.count(f"SlowStartWarning: {WARNING}"), err
    return out.strip(), err.count(f"SlowStartWarning: {WARNING}")


def _cached(folder, pattern):
    return sorted((folder / "__pycache__").glob(pattern))


def test_code_is_kept_and_used_again(folder, call):
    assert call() == (42, 0)
    (data,) = _cached(folder, "*.nbc")
    written = data.stat().st_mtime_ns
    assert call() == (42, 0)
    assert data.stat().st_mtime_ns == written


def test_code_is_made_anew_after_a_kernel_in_another_file_has_changed(folder, call, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    called = "from dendrometry._kernels._jit import njit\n\n@njit\ndef times(x):\n    return x * {}\n"
    text = KERNEL.replace("\n@njit", "from kernel_called import times\n@njit").replace("x * 2", "times(x)")
    (folder / "kernel.py").write_text(text)
    for factor in (2, 10):
        (folder / "kernel_called.py").write_text(called.format(factor))
        monkeypatch.delitem(sys.modules, "kernel_called", raising=False)
        importlib.invalidate_caches()
        assert call() == (21 * factor, 0)


def test_code_is_made_anew_after_what_builtins_compile_to_has_changed(folder, call, monkeypatch):
    from dendrometry._kernels import _compiler

    assert call() == (42, 0)
    (data,) = _cached(folder, "*.nbc")
    written, stamp = data.stat().st_mtime_ns, _compiler._stamp
    monkeypatch.setattr(_compiler, "_stamp", lambda file: stamp(file) if "_compiler" not in file else "another")
    assert call() == (42, 0)
    assert data.stat().st_mtime_ns > written


@pytest.mark.parametrize(("pattern", "left"), [("*.nbi", 0), ("*.nbc", 20)])
def test_a_truncated_file_is_replaced_with_one_warning(folder, call, pattern, left):
    call()
    (file,) = _cached(folder, pattern)
    os.truncate(file, left)
    assert call() == (42, 1)
    assert call() == (42, 0)


def test_an_index_of_another_version_is_replaced(folder, call):
    call()
    (index,) = _cached(folder, "*.nbi")
    index.write_bytes(pickle.dumps("0.1") + b"in another format")
    assert call() == (42, 0)
    assert b"in another format" not in index.read_bytes()


def test_code_for_other_types_is_not_used(folder, call):
    call()
    call(2.5)
    of_integers, of_floats = _cached(folder, "*.nbc")
    shutil.copy(of_floats, of_integers)
    assert call() == (42, 0)


def test_a_full_disk_costs_one_warning(folder):
    assert _end(_start(folder, "full")) == ("42", 1)
    assert not _cached(folder, "*.tmp*")


def test_two_processes_may_compile_at_once(folder):
    both = [_start(folder), _start(folder)]
    assert [_end(process) for process in both] == [("42", 0), ("42", 0)]
    assert len(_cached(folder, "*.nbc")) == 1


def _obey_permissions():
    """Take from root, for what is run next, the right to write wherever it likes."""
    if os.getuid() == 0:
        drop_capability, override = 24, 1
        ctypes.CDLL(None).prctl(drop_capability, override, 0, 0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="root obeys permissions on Linux alone")
def test_a_package_that_cannot_be_written_to_works(folder):
    package = Path(dendrometry.__file__).parent
    shutil.copytree(package, folder / "dendrometry", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(["chmod", "-R", "a+rX,a-w", str(folder)], check=True)
    home = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder), "PYTHONPATH": str(folder)}
    assert _end(_start(folder, env=_environment(**home), preexec_fn=_obey_permissions)) == ("42", 1)
    assert not _cached(folder, "*")
