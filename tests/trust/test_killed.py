"""A process that is killed at any step of a write leaves the old file or the new one, and nobody is fooled later."""

import os
import subprocess
import sys

import pytest
from tests.trust.killed import KINDS

pytestmark = [
    pytest.mark.compiled,
    pytest.mark.skipif(os.name != "posix", reason="processes are forked and killed"),
]
QUICK = {"tree.nwk", "command.csv", "pair"}  # the others in make test-slow


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=() if kind in QUICK else pytest.mark.slow) for kind in KINDS]
)
def test_a_write_that_is_killed_at_any_step(kind, tmp_path):
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "Agg"}
    command = [sys.executable, "-m", "tests.trust.killed", kind, str(tmp_path)]
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    assert int(run.stdout.split()[-1]) >= 4  # open, half a file, rename, remove what is beside
