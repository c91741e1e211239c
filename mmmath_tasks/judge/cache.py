"""The answers that a judge has given, in one SQLite file: one row an answer, committed as it arrives."""

from __future__ import annotations

import os
import random
import socket
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from mmmath_tasks.errors import InputError

_SCHEMA = 1
_LEASE = 3_600  # seconds after which a claim is void whoever made it
_PATIENCE = 60  # seconds to wait for other processes that hold the file
_COLUMNS = "key, model, prompt, reply, tokens_in, tokens_out"


@dataclass(frozen=True, slots=True)
class Entry:
    """A cached answer.

    Attributes:
        key: from `Question.key`.
        model: the judge.
        prompt: "id@version" of the prompt.
        reply: the validated reply as JSON.
        tokens_in: tokens read by the judge for it, repairs included.
        tokens_out: tokens written by the judge.
    """

    key: str
    model: str
    prompt: str
    reply: str
    tokens_in: int
    tokens_out: int


def _keep_a_log(db: sqlite3.Connection) -> None:
    """Switch to a write-ahead log; SQLite refuses processes that do so at the same moment, whatever their timeout."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            db.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(random.uniform(0.001, 0.02))
        else:
            return


def _lives(host: str, process: int) -> bool:
    """Tell whether a process may still be there; of other machines nothing is known."""
    if host != socket.gethostname():
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


class Cache:
    """Answers by key, safe to use from several threads and processes; a killed run loses nothing it was told."""

    def __init__(self, path: Path | None) -> None:
        """Open or make the file; None keeps answers in memory.

        Raises:
            InputError: the file is not a cache of this kind, or cannot be written.
        """
        self._lock, self._path = threading.Lock(), path
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(str(path or ":memory:"), timeout=_PATIENCE, check_same_thread=False)
            # WAL with synchronous=NORMAL survives a killed process; only a power cut can lose the last rows.
            _keep_a_log(self._db)
            self._db.execute("PRAGMA synchronous=NORMAL")
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                self._db.execute(
                    "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, model TEXT NOT NULL, "
                    "prompt TEXT NOT NULL, reply TEXT NOT NULL, tokens_in INTEGER NOT NULL, "
                    "tokens_out INTEGER NOT NULL) WITHOUT ROWID"
                )
                self._db.execute(f"PRAGMA user_version={_SCHEMA}")
                self._db.commit()
            elif version != _SCHEMA:
                raise InputError(f"{path}: judge cache of version {version}, this release reads {_SCHEMA}")
            self._db.execute(
                "CREATE TABLE IF NOT EXISTS claims (key TEXT PRIMARY KEY, host TEXT NOT NULL, "
                "process INTEGER NOT NULL, until REAL NOT NULL) WITHOUT ROWID"
            )
            self._db.commit()
        except (sqlite3.Error, OSError) as error:
            raise InputError(f"{path}: not a judge cache that can be opened: {error}") from None

    def get(self, keys: Iterable[str]) -> dict[str, Entry]:
        """Return the entries that are there, by key.

        Raises:
            InputError: the file cannot be read.
        """
        todo, found = list(keys), {}
        for start in range(0, len(todo), 500):
            part = todo[start : start + 500]
            query = f"SELECT {_COLUMNS} FROM answers WHERE key IN ({', '.join('?' * len(part))})"  # noqa: S608
            with self._locked():
                found.update({row[0]: Entry(*row) for row in self._db.execute(query, part)})
        return found

    def put(self, entry: Entry) -> None:
        """Store one answer for good, in place of an older one to the same question.

        Raises:
            InputError: the file cannot be written (the disk is full, say).
        """
        row = (entry.key, entry.model, entry.prompt, entry.reply, entry.tokens_in, entry.tokens_out)
        with self._locked():
            self._db.execute(f"INSERT OR REPLACE INTO answers ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", row)  # noqa: S608
            self._db.execute("DELETE FROM claims WHERE key = ?", (entry.key,))
            self._db.commit()

    def claim(self, key: str) -> bool:
        """Say that this process is about to ask a question; False: another one is, or the answer is there by now.

        A claim ends with the answer, with `release`, with its process, and after an hour in any case.

        Raises:
            InputError: the file cannot be written.
        """
        if self._path is None:
            return True
        ours = socket.gethostname(), os.getpid()
        with self._locked():
            self._db.execute("BEGIN IMMEDIATE")
            if self._db.execute("SELECT 1 FROM answers WHERE key = ?", (key,)).fetchone():
                self._db.rollback()
                return False
            found = self._db.execute("SELECT host, process, until FROM claims WHERE key = ?", (key,)).fetchone()
            if found and found[:2] != ours and found[2] > time.time() and _lives(*found[:2]):
                self._db.rollback()
                return False
            self._db.execute("INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?)", (key, *ours, time.time() + _LEASE))
            self._db.commit()
            return True

    def release(self, key: str) -> None:
        """Give a claim back whose question was not answered.

        Raises:
            InputError: the file cannot be written.
        """
        if self._path is not None:
            with self._locked():
                ours = key, socket.gethostname(), os.getpid()
                self._db.execute("DELETE FROM claims WHERE key = ? AND host = ? AND process = ?", ours)
                self._db.commit()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except sqlite3.Error as error:
                raise InputError(f"{self._path or 'memory'}: the judge's cache: {error}") from None

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()
