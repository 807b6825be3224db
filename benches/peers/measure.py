"""Runs one command and says what it and all its children cost."""

import dataclasses
import os
import signal
import statistics
import subprocess
import tempfile
import threading
import time

STEP_SECONDS = 3600


class StepFailed(Exception):
    """A command failed, or did not do what it was asked to do."""


@dataclasses.dataclass(frozen=True)
class Cost:
    cpu: float
    """User and system seconds of the process and every descendant that was waited for."""
    wall: float
    peak: float
    """Megabytes of the largest single process among them."""

    @staticmethod
    def median(costs):
        return Cost(*(statistics.median(getattr(cost, name) for cost in costs) for name in ("cpu", "wall", "peak")))


def measure(command, environment, folder):
    """Answers the cost and the standard output."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.monotonic()
        process = subprocess.Popen(
            command, env=environment, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
            start_new_session=True,
        )
        status, usage = wait(process)
        wall = time.monotonic() - started
        if status != 0:
            raise StepFailed(f"`{' '.join(command)}` ended with {status}:\n{tail(errors)}{tail(output)}")
        return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024), read(output)


def wait(process):
    """`wait4`, because only it reports the usage of this one process tree; the group ends with us or at the limit."""
    limit = threading.Timer(STEP_SECONDS, os.killpg, (process.pid, signal.SIGKILL))
    limit.daemon = True
    limit.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    finally:
        limit.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage


def read(file):
    file.seek(0)
    return file.read().decode(errors="replace")


def tail(file):
    return read(file)[-2000:]
