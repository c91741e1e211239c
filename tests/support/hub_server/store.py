"""What the Hub keeps: repos of every type, their commits, refs, objects and discussions, on disk and in memory."""

from __future__ import annotations

import hashlib
import shutil
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

LFS_SUFFIXES = {".parquet", ".arrow", ".zip", ".gz", ".png", ".jpg", ".jpeg", ".safetensors", ".bin"}
LFS_SIZE = 10 * 1024 * 1024
_START = datetime(2026, 1, 1, tzinfo=UTC)


class HubError(Exception):
    """An answer other than 2xx: status, X-Error-Code, message and what else the body holds."""

    def __init__(self, status: int, message: str, code: str | None = None, **body: str) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.body = status, message, code, body


@dataclass(frozen=True)
class Blob:
    """One version of one file: its git object id, its size, its SHA-256 where it is an LFS file."""

    oid: str
    size: int
    sha256: str | None = None


@dataclass(frozen=True)
class Commit:
    sha: str
    parent: str | None
    tree: dict[str, Blob]
    title: str
    description: str
    author: str
    number: int

    @property
    def date(self) -> str:
        return stamp(self.number)


@dataclass
class PullRequest:
    num: int
    title: str
    author: str
    base: str
    status: str = "open"
    merged: str | None = None


@dataclass
class Repo:
    kind: str
    name: str
    private: bool = False
    gated: bool = False
    owner: str = "someone"
    commits: dict[str, Commit] = field(default_factory=dict)
    refs: dict[str, str] = field(default_factory=dict)
    discussions: list[PullRequest] = field(default_factory=list)

    def resolve(self, revision: str) -> Commit:
        """Return the commit that a branch, tag, PR ref or (at least 7 letters of a) SHA names."""
        for ref in (f"refs/heads/{revision}", f"refs/tags/{revision}", revision):
            if ref in self.refs:
                return self.commits[self.refs[ref]]
        found = [sha for sha in self.commits if len(revision) >= 7 and sha.startswith(revision)]
        if len(found) != 1:
            raise HubError(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return self.commits[found[0]]

    def files(self, revision: str = "main") -> set[str]:
        return set(self.resolve(revision).tree)


def stamp(number: int) -> str:
    """Return the date of the n-th event: one second apart, so that runs are alike."""
    return (_START + timedelta(seconds=number)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def git_oid(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()  # noqa: S324


class Store:
    """All repos of one Hub; every change happens under one lock."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lock = threading.RLock()
        self.repos: dict[tuple[str, str], Repo] = {}
        self._count = 0
        for kind in ("git", "lfs", "parts"):
            (folder / kind).mkdir(parents=True, exist_ok=True)

    def tick(self) -> int:
        self._count += 1
        return self._count

    def repo(self, kind: str, name: str) -> Repo:
        try:
            return self.repos[kind, name]
        except KeyError:
            raise HubError(404, "Repository not found", "RepoNotFound") from None

    def create(self, kind: str, name: str, *, private: bool = False, author: str = "someone") -> Repo:
        with self.lock:
            if (kind, name) in self.repos:
                raise HubError(409, "You already created this repo")
            repo = self.repos[kind, name] = Repo(kind, name, private, owner=author)
            attributes = "".join(f"*{s} filter=lfs diff=lfs merge=lfs -text\n" for s in sorted(LFS_SUFFIXES)).encode()
            tree = {".gitattributes": self.put_git(attributes)}
            self._record(repo, "refs/heads/main", None, tree, "initial commit", "", author)
            return repo

    # objects

    def put_git(self, content: bytes) -> Blob:
        oid = git_oid(content)
        path = self.folder / "git" / oid
        if not path.exists():  # somebody may be reading it
            path.write_bytes(content)
        return Blob(oid, len(content))

    def put_lfs(self, sha256: str, source: Path) -> None:
        digest = hashlib.sha256()
        with source.open("rb") as file:
            while chunk := file.read(1 << 20):
                digest.update(chunk)
        if digest.hexdigest() != sha256:
            raise HubError(400, f"content does not match oid {sha256}")
        shutil.move(source, self.folder / "lfs" / sha256)

    def lfs_path(self, sha256: str) -> Path:
        return self.folder / "lfs" / sha256

    def path(self, blob: Blob) -> Path:
        return self.folder / "lfs" / blob.sha256 if blob.sha256 else self.folder / "git" / blob.oid

    def put(self, kind: str, name: str, files: dict[str, bytes]) -> Commit:
        """Commit files to a repo, created where there is none, as an upload would."""
        repo = self.repos.get((kind, name)) or self.create(kind, name)
        tree = dict(repo.resolve("main").tree)
        for path, content in files.items():
            tree[path] = self.put_git(content)
            if Path(path).suffix in LFS_SUFFIXES:
                sha = hashlib.sha256(content).hexdigest()
                self.lfs_path(sha).write_bytes(content)
                tree[path] = Blob(tree[path].oid, len(content), sha)
        return self._record(repo, "refs/heads/main", repo.resolve("main").sha, tree, "put", "", "someone")

    def read(self, kind: str, name: str, path: str, revision: str = "main") -> bytes:
        """Return a file's bytes, for assertions."""
        return self.path(self.repo(kind, name).resolve(revision).tree[path]).read_bytes()

    # commits

    def _record(
        self, repo: Repo, ref: str, parent: str | None, tree: dict[str, Blob], title: str, text: str, author: str
    ) -> Commit:
        number = self.tick()
        content = repr((repo.kind, repo.name, parent, sorted((p, b.oid) for p, b in tree.items()), title, number))
        sha = hashlib.sha1(content.encode()).hexdigest()  # noqa: S324
        repo.commits[sha] = commit = Commit(sha, parent, tree, title, text, author, number)
        repo.refs[ref] = sha
        return commit

    def commit(
        self, repo: Repo, revision: str, header: dict, operations: list[dict], *, create_pr: bool, author: str
    ) -> tuple[Commit, PullRequest | None]:
        """Apply one commit whole or not at all; 412 where `parentCommit` is no longer the branch's head."""
        with self.lock:
            head = repo.resolve(revision)
            expected = header.get("parentCommit")
            if expected and not create_pr and not head.sha.startswith(expected):
                raise HubError(412, "A commit has happened since. Please refresh and try again.")
            base = repo.resolve(expected) if create_pr and expected else head
            tree = self._apply(dict(base.tree), operations)
            title = header.get("summary", "")
            text = header.get("description", "")
            if not title:
                raise HubError(400, "summary is required")
            opened = None
            if create_pr:
                if f"refs/heads/{revision}" not in repo.refs:
                    raise HubError(404, "Invalid rev id: a pull request is opened against a branch", "RevisionNotFound")
                opened = PullRequest(len(repo.discussions) + 1, title, author, f"refs/heads/{revision}")
                repo.discussions.append(opened)
                ref = f"refs/pr/{opened.num}"
            elif f"refs/heads/{revision}" in repo.refs:
                ref = f"refs/heads/{revision}"
            elif revision.startswith("refs/pr/") and revision in repo.refs:
                ref = revision
            else:
                raise HubError(400, "commits go to a branch or a pull request")
            return self._record(repo, ref, base.sha, tree, title, text, author), opened

    def _apply(self, tree: dict[str, Blob], operations: list[dict]) -> dict[str, Blob]:
        from base64 import b64decode

        for operation in operations:
            key, value = operation["key"], operation["value"]
            path = value["path"]
            if path.startswith("/") or ".." in path.split("/"):
                raise HubError(400, f"invalid path {path!r}")
            if key == "file":
                tree[path] = self.put_git(b64decode(value["content"]))
            elif key == "lfsFile":
                file = self.lfs_path(value["oid"])
                if not file.exists():
                    raise HubError(400, f"LFS object {value['oid']} was not uploaded")
                size = file.stat().st_size
                if value.get("size", size) != size:
                    raise HubError(400, f"LFS object {value['oid']} has {size} bytes, not {value['size']}")
                pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{value['oid']}\nsize {size}\n"
                tree[path] = Blob(git_oid(pointer.encode()), size, value["oid"])
            elif key == "deletedFile":
                if path not in tree:
                    raise HubError(404, f"A file with this name doesn't exist: {path}", "EntryNotFound")
                del tree[path]
            else:
                raise HubError(400, f"unknown operation {key!r}")
        return tree

    def merge(self, repo: Repo, found: PullRequest, author: str) -> None:
        """Bring a pull request's changes onto its base; a file changed on both sides since is a conflict."""
        with self.lock:
            base, head = repo.resolve(found.base), repo.resolve(f"refs/pr/{found.num}")
            fork = self._fork(repo, base, head)
            changed = {p for p in {*fork.tree, *head.tree} if fork.tree.get(p) != head.tree.get(p)}
            clash = {p for p in changed if fork.tree.get(p) != base.tree.get(p) != head.tree.get(p)}
            if clash:
                raise HubError(409, f"conflicts in {', '.join(sorted(clash))}")
            tree = {p: b for p, b in base.tree.items() if p not in changed or p in head.tree}
            tree |= {p: head.tree[p] for p in changed if p in head.tree}
            merged = self._record(repo, found.base, base.sha, tree, found.title, "", author)
            found.merged, found.status = merged.sha, "merged"

    @staticmethod
    def _fork(repo: Repo, base: Commit, head: Commit) -> Commit:
        seen = {base.sha}
        while base.parent:
            base = repo.commits[base.parent]
            seen.add(base.sha)
        while head.sha not in seen and head.parent:
            head = repo.commits[head.parent]
        return head
