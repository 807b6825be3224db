"""A memory as an object. It asks a server of mindfile, and starts one of its own where none is named."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import weakref
from typing import Any, Union
from urllib.parse import quote, urlencode, urlsplit

from .operations import AsyncOperations, Operations

__all__ = ["AsyncMemory", "Memory", "MindfileError"]

#: How long a server may take until it listens.
PATIENCE = 60.0


class MindfileError(Exception):
    """What the program says is wrong: `kind`, a message, and a `hint` that says what helps.

    `status` is that of HTTP. `now` is what stands there, where a note is not what was read.
    """

    def __init__(self, message, kind="environment", hint=None, status=None, now=None):
        super().__init__(f"{message} ({hint})" if hint else message)
        self.message = message
        self.kind = kind
        self.hint = hint
        self.status = status
        self.now = now

    @classmethod
    def of(cls, answer, status=None):
        error = answer.get("error", {})
        return cls(error.get("message", "no reason is given"), error.get("type", "bug"), error.get("hint"), status, error.get("now"))


class Memory(Operations):
    """The memory in a folder of Markdown.

    workspace: The folder; else the one that the program is configured with.
    state_dir: Where the program keeps its index and settings.
    agent: Whose memory it is, where there are several.
    url, token: A server that runs already; else `MINDFILE_URL` and `MINDFILE_TOKEN`, else one is started, which ends with
        this object and with this process.
    program: The program; else `MINDFILE`, else `mindfile` in `PATH`.
    create: Make the workspace if there is none.
    """

    def __init__(
        self,
        workspace: Union[str, os.PathLike, None] = None,
        *,
        state_dir: Union[str, os.PathLike, None] = None,
        agent: Union[str, None] = None,
        url: Union[str, None] = None,
        token: Union[str, None] = None,
        program: Union[str, None] = None,
        create: bool = False,
        timeout: float = 120.0,
    ) -> None:
        url = url or (None if workspace or state_dir or agent else os.environ.get("MINDFILE_URL"))
        self._local = threading.local()
        self._timeout = timeout
        if url:
            self._server = None
            self._place = _Address(url, token or os.environ.get("MINDFILE_TOKEN"))
            return
        words = [program or os.environ.get("MINDFILE") or "mindfile"]
        for name, value in (("--state-dir", state_dir), ("--agent", agent)):
            words += [name, os.fspath(value)] if value is not None else []
        folder = [os.fspath(workspace)] if workspace is not None else []
        if create and not (folder and os.path.isdir(folder[0])):
            _run([*words, "init", "--json", *folder])
        words += ["--workspace", *folder] if folder else []
        self._server = _Server(words)
        self._place = _Socket(self._server.path)

    def close(self) -> None:
        """Ends the server that was started for this object."""
        if self._server:
            self._server.end()

    def __enter__(self):
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def _ask(self, method: str, path: str, fields: dict[str, Any]) -> Any:
        given = {name: value for name, value in fields.items() if value is not None}
        for name in [name for name in given if f"{{{name}}}" in path]:
            safe = "/" if name == "path" else ""
            path = path.replace(f"{{{name}}}", quote(str(given.pop(name)), safe=safe))
        if method in ("GET", "DELETE"):
            query = urlencode({name: _word(value) for name, value in given.items()})
            return self._send(method, f"{path}?{query}" if query else path, None)
        return self._send(method, path, json.dumps(given).encode())

    def _send(self, method: str, target: str, body: Union[bytes, None]) -> Any:
        headers = {"Content-Type": "application/json", **self._place.headers}
        # A connection that was kept may have been closed meanwhile: what only reads is asked once more on a new one.
        for attempt in (0, 1):
            kept = getattr(self._local, "connection", None)
            connection = kept or self._place.connect(self._timeout)
            self._local.connection = connection
            try:
                connection.request(method, target, body, headers)
                answer = connection.getresponse()
                read = answer.read()
                break
            except (OSError, http.client.HTTPException) as error:
                connection.close()
                self._local.connection = None
                if attempt or not kept or method != "GET":
                    raise MindfileError(f"the server cannot be asked: {error}") from error
        try:
            said = json.loads(read)
        except ValueError as error:
            raise MindfileError(f"the server answered {answer.status} without JSON", status=answer.status) from error
        if answer.status >= 400:
            raise MindfileError.of(said, answer.status)
        return said


class AsyncMemory(AsyncOperations):
    """The same, awaited: each question is asked on a thread, so that nothing else has to wait for it."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._memory = Memory(*arguments, **options)

    async def close(self) -> None:
        await asyncio.to_thread(self._memory.close)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    async def _ask(self, method: str, path: str, fields: dict[str, Any]) -> Any:
        return await asyncio.to_thread(self._memory._ask, method, path, fields)


class _Address:
    def __init__(self, url, token):
        self.url = urlsplit(url)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def connect(self, timeout):
        kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
        if self.url.scheme not in kinds or not self.url.hostname:
            raise MindfileError(f"{self.url.geturl()!r} is no address of a server", "usage", "such as http://127.0.0.1:7377")
        return kinds[self.url.scheme](self.url.hostname, self.url.port, timeout=timeout)


class _Socket:
    headers: dict[str, str] = {}

    def __init__(self, path):
        self.path = path

    def connect(self, timeout):
        connection = http.client.HTTPConnection("localhost", timeout=timeout)
        connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.sock.settimeout(timeout)
        connection.sock.connect(self.path)
        return connection


class _Server:
    """A program that listens at a socket of its own, and ends when its input is closed: also when this process is killed."""

    def __init__(self, words):
        self.folder = tempfile.mkdtemp(prefix="mindfile-")
        self.path = os.path.join(self.folder, "socket")
        command = [*words, "serve", "--json", "--attached", "--no-heartbeat", "--socket", self.path]
        pipe = subprocess.PIPE
        try:
            self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        except OSError as error:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise _missing(words[0], error) from error
        self.end = weakref.finalize(self, _end, self.process, self.folder)
        try:
            self._listens()
        except BaseException:
            self.end()
            raise

    def _listens(self):
        patience = threading.Timer(PATIENCE, self.process.kill)
        patience.start()
        said = self.process.stdout.readline()
        patience.cancel()
        told = json.loads(said) if said.startswith("{\"ok\":true") else None
        if told is None:
            more, complaint = self.process.communicate()
            raise _failure(said + more, complaint, "it did not listen")
        # What it says later has nobody to read it, and must not fill the pipe.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()


def _end(process, folder):
    try:
        process.stdin.close()
        process.wait(timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        process.kill()
        process.wait()
    process.stdout.close()
    shutil.rmtree(folder, ignore_errors=True)


def _run(command):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError as error:
        raise _missing(command[0], error) from error
    if done.returncode:
        raise _failure(done.stdout, done.stderr, f"{' '.join(command)} ended with {done.returncode}")


def _missing(program, error):
    hint = "install it, or name it with program or MINDFILE"
    return MindfileError(f"{program} cannot be started: {error}", hint=hint)


def _failure(said, complained, else_said):
    try:
        return MindfileError.of(json.loads(said))
    except (ValueError, AttributeError):
        return MindfileError(complained.strip() or else_said)


def _word(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value
