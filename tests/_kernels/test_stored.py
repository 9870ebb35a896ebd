"""The compiled code on disk: whatever is wrong with it, kernels are compiled and give their results."""

import errno
import functools
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import warnings
from collections import namedtuple
from pathlib import Path

import pytest
from tests._kernels.test_packaged import obey_permissions

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
    from dendrometry._kernels._compiler import COMPILED
    print(len(COMPILED))
"""
WARNING = "the folder for compiled code must be there, intact, and writable by this user alone"


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

    It returns the result, whether code was made, and the number of warnings, of which nothing else may be said.
    """
    from dendrometry._kernels import _compiler, _stored

    place = _stored.Place(folder / "cache", ("some processor", ""))
    monkeypatch.setattr(_stored, "_places", lambda: [place])

    def load_and_call(x=21):
        monkeypatch.setattr(_stored, "_warned", threading.Lock())
        _stored._text_hash.cache_clear()
        spec = importlib.util.spec_from_file_location("kernel", folder / "kernel.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        before = len(_compiler.COMPILED)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = module.double(x)
        assert all(isinstance(w.message, SlowStartWarning) and WARNING in str(w.message) for w in caught)
        return result, len(_compiler.COMPILED) > before, len(caught)

    return load_and_call


def _environment(folder, **more):
    """Return the environment, with a folder for compiled code."""
    return os.environ | {"NUMBA_CACHE_DIR": str(folder)} | more


def _start(folder, *args, **options):
    command = [sys.executable, str(folder / "kernel.py"), *args]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, **pipes, **{"env": _environment(folder), **options})


def _end(process):
    """Return the result, the number of kernels that were compiled, and the number of warnings: nothing else is said."""
    out, err = process.communicate(timeout=600)
    assert process.returncode == 0, err
    assert err.count("Warning") == err.count(f"SlowStartWarning: {WARNING}"), err
    return *map(int, out.split()), err.count(f"SlowStartWarning: {WARNING}")


def _stored_in(folder):
    return sorted(folder.glob("*/double-*"))


def test_code_is_kept_and_used_again(folder, call):
    assert call() == (42, True, 0)
    assert len(_stored_in(folder)) == 1
    assert call() == (42, False, 0)


def test_code_is_made_anew_after_a_kernel_in_another_file_has_changed(folder, call, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    called = "from dendrometry._kernels._jit import njit\n\n@njit\ndef times(x):\n    return x * {}\n"
    text = KERNEL.replace("\n@njit", "from kernel_called import times\n@njit").replace("x * 2", "times(x)")
    (folder / "kernel.py").write_text(text)
    for factor in (2, 10):
        (folder / "kernel_called.py").write_text(called.format(factor))
        monkeypatch.delitem(sys.modules, "kernel_called", raising=False)
        importlib.invalidate_caches()
        assert call() == (21 * factor, True, 0)


def test_code_is_made_anew_after_a_constant_in_another_file_has_changed(folder, call, monkeypatch):
    monkeypatch.syspath_prepend(folder)
    text = KERNEL.replace("\n@njit", "from kernel_constant import FACTOR\n@njit").replace("x * 2", "x * FACTOR")
    (folder / "kernel.py").write_text(text)
    for factor in (2, 10):
        (folder / "kernel_constant.py").write_text(f"FACTOR = {factor}\n")
        monkeypatch.delitem(sys.modules, "kernel_constant", raising=False)
        importlib.invalidate_caches()
        assert call() == (21 * factor, True, 0)


def test_code_is_made_anew_after_what_builtins_compile_to_has_changed(call, monkeypatch):
    from dendrometry._kernels import _stored

    assert call() == (42, True, 0)
    text_hash = _stored._text_hash.__wrapped__
    changed = functools.cache(lambda file: b"another" if "_fused" in file else text_hash(file))
    monkeypatch.setattr(_stored, "_text_hash", changed)
    assert call() == (42, True, 0)


def test_a_truncated_file_is_replaced_with_one_warning(folder, call):
    call()
    (file,) = _stored_in(folder)
    os.truncate(file, 20)
    assert call() == (42, True, 1)
    assert call() == (42, False, 0)


def test_a_damaged_file_is_replaced_with_one_warning(folder, call):
    call()
    (file,) = _stored_in(folder)
    data = bytearray(file.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 512] = bytes(512)
    file.write_bytes(data)
    assert call() == (42, True, 1)
    assert call() == (42, False, 0)


@pytest.mark.parametrize("kind", ["link", "pipe", "open to others"])
def test_what_another_user_may_have_put_in_place_is_not_read(folder, call, kind):
    call()
    (file,) = _stored_in(folder)
    if kind == "link":
        file.rename(folder / "elsewhere")
        file.symlink_to(folder / "elsewhere")
    elif kind == "pipe":
        file.unlink()
        os.mkfifo(file, 0o600)
    else:
        file.chmod(0o666)
    assert call() == (42, True, 1)


def test_a_link_to_a_folder_of_ones_own_is_followed(folder, call):
    (folder / "own").mkdir(mode=0o700)
    (folder / "cache").symlink_to(folder / "own")
    assert call() == (42, True, 0)
    assert call() == (42, False, 0)


def test_code_is_made_anew_after_the_fields_of_an_argument_have_changed(folder):
    from dendrometry._kernels import _stored
    from dendrometry._kernels.signatures import types

    stored = _stored.Stored(lambda pair: pair.first, [])
    pairs = [namedtuple("Pair", fields, module="pairs") for fields in ("first second", "second first")]
    kinds = [types.BaseTuple.from_types([types.int64] * 2, pair) for pair in pairs]
    place = _stored.Place(folder, ("some processor", ""))
    assert stored.path(place, (kinds[0],)) != stored.path(place, (kinds[1],))
    assert stored.path(place, (kinds[0],)) == stored.path(place, (kinds[0],))


def test_comments_and_documentation_change_nothing(folder, call):
    for text, is_new in (('"""Double."""', True), ('"""Return twice x."""\n    # really', False)):
        (folder / "kernel.py").write_text(KERNEL.replace("def double(x):\n", f"def double(x):\n    {text}\n"))
        assert call() == (42, is_new, 0)


def test_the_version_of_a_system_does_not_matter():
    from dendrometry._kernels._stored import system

    assert system("arm64-apple-darwin24.6.0") == system("arm64-apple-darwin25.0.0") == "arm64-apple-darwin"
    assert system("x86_64-unknown-linux-gnu") == "x86_64-unknown-linux-gnu"


def test_a_user_without_a_home_runs_kernels(call, monkeypatch):
    from dendrometry._kernels import _stored

    def refuse():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(_stored._CONFIG, "CACHE_DIR", "")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(_stored.Path, "home", refuse)
    assert _stored._user_folder() is None
    monkeypatch.setattr(_stored, "_places", list)
    assert call() == (42, True, 0)


def test_waiting_for_another_process_can_be_interrupted(folder, call, monkeypatch):
    from dendrometry import _interrupt
    from dendrometry._kernels import _stored

    waits = []
    monkeypatch.setattr(_stored.fcntl, "lockf", _refuse_lock)
    monkeypatch.setattr(_stored.time, "sleep", lambda _: waits.append(1))
    monkeypatch.setattr(_interrupt, "raise_deferred", lambda: _raise_interrupt() if len(waits) == 3 else None)
    with pytest.raises(KeyboardInterrupt):
        call()
    assert len(waits) == 3


def _refuse_lock(*_):
    raise BlockingIOError(errno.EAGAIN, "held")


def _raise_interrupt():
    raise KeyboardInterrupt


def test_code_for_other_types_is_not_used(folder, call):
    call()
    (of_integers,) = _stored_in(folder)
    call(2.5)
    (of_floats,) = set(_stored_in(folder)) - {of_integers}
    shutil.copy(of_floats, of_integers)
    assert call() == (42, True, 1)


def test_code_in_a_folder_that_others_can_write_to_is_not_used(folder, call):
    call()
    (folder / "cache").chmod(0o777)
    assert call() == (42, True, 1)


def test_code_of_the_package_is_used_on_another_processor(folder, call, monkeypatch):
    from dendrometry._kernels import _stored

    call()
    places = [_stored.Place(folder / "cache", ("some processor", "")), _stored.Place(folder / "own", ("this one", ""))]
    monkeypatch.setattr(_stored, "_places", lambda: places)
    assert call() == (42, False, 0)
    assert not (folder / "own").exists()
    assert call(2.5) == (5.0, True, 0)
    assert len(list((folder / "own").glob("double-*"))) == 1


@pytest.mark.further
def test_a_full_disk_costs_one_warning(folder):
    assert _end(_start(folder, "full")) == (42, 1, 1)
    assert not _stored_in(folder)


@pytest.mark.further
def test_two_processes_never_compile_the_same(folder):
    both = [_start(folder), _start(folder)]
    results, made, n_warnings = zip(*map(_end, both), strict=True)
    assert results == (42, 42)
    assert sorted(made) == [0, 1]
    assert n_warnings == (0, 0)


@pytest.mark.further
def test_a_package_that_cannot_be_written_to_works(folder):
    package = Path(dendrometry.__file__).parent
    shutil.copytree(package, folder / "dendrometry", ignore=shutil.ignore_patterns("__pycache__", "compiled"))
    subprocess.run(["chmod", "-R", "a+rX,a-w", str(folder)], check=True)
    home = {"HOME": str(folder), "PYTHONPATH": str(folder)}
    assert _end(_start(folder, env=_environment(folder, **home), preexec_fn=obey_permissions)) == (42, 1, 1)
    assert not _stored_in(folder)
