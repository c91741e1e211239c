"""The Hub's endpoints as huggingface_hub 2.4 and datasets 5.2 call them, checked against the clients' code."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import parse_qs, unquote

import yaml

from support.hub_server.store import LFS_SIZE, LFS_SUFFIXES, Blob, Commit, HubError, PullRequest, Repo, Store, stamp
from support.hub_server.transport import Answer, Request

_KINDS = {"models": "model", "datasets": "dataset", "spaces": "space"}
_NAME = r"(?P<name>[^/]+/[^/]+)"
_REPO = rf"/api/(?P<kind>models|datasets|spaces)/{_NAME}"
_Route = tuple[str, re.Pattern[str], Callable[..., Any]]


class Routes:
    """Answers requests."""

    def __init__(self, store: Store, tokens: dict[str, str]) -> None:
        self.store, self.tokens = store, tokens
        self.url = self.cdn = ""
        self._routes: list[_Route] = [
            (method, re.compile(pattern + r"\Z"), action)
            for method, pattern, action in (
                ("GET", r"/api/whoami-v2", self._whoami),
                ("POST", r"/api/repos/create", self._create),
                ("POST", r"/api/validate-yaml", self._validate),
                ("GET", _REPO, self._info),
                ("GET", _REPO + r"/revision/(?P<rev>[^/]+)", self._info),
                ("GET", _REPO + r"/tree/(?P<rev>[^/]+)(?:/(?P<path>.+))?", self._tree),
                ("POST", _REPO + r"/paths-info/(?P<rev>[^/]+)", self._paths),
                ("GET", _REPO + r"/refs", self._refs),
                ("POST", _REPO + r"/preupload/(?P<rev>[^/]+)", self._preupload),
                ("POST", _REPO + r"/commit/(?P<rev>[^/]+)", self._commit),
                ("POST", _REPO + r"/tag/(?P<rev>[^/]+)", self._tag),
                ("GET", _REPO + r"/discussions", self._discussions),
                ("GET", _REPO + r"/discussions/(?P<num>\d+)", self._discussion),
                ("POST", _REPO + r"/discussions/(?P<num>\d+)/(?P<what>status|merge)", self._change),
                ("POST", rf"/(?:(?P<kind>datasets|spaces)/)?{_NAME}\.git/info/lfs/objects/batch", self._batch),
                ("PUT", r"/lfs/upload/(?P<oid>[0-9a-f]{64})", self._upload),
                ("POST", r"/lfs/verify", self._verify),
                ("GET", r"/cdn/(?P<oid>[0-9a-f]{64})", self._cdn),
                ("GET", rf"/(?:(?P<kind>datasets|spaces)/)?{_NAME}/resolve/(?P<rev>[^/]+)/(?P<path>.+)", self._resolve),
            )
        ]

    def __call__(self, request: Request) -> Answer:
        method = "GET" if request.method == "HEAD" else request.method
        for wanted, pattern, action in self._routes:
            if wanted == method and (found := pattern.match(request.path)):
                groups = {k: v and unquote(v) for k, v in found.groupdict().items()}
                with self._alone(request):
                    if "name" in groups:
                        kind = _KINDS[groups.pop("kind") or "models"]
                        groups["repo"] = self._open(request, kind, groups.pop("name"), method)
                    answer = action(request, **groups)
                return answer if isinstance(answer, Answer) else Answer(answer)
        raise HubError(404, f"no such endpoint here: {request.method} {request.path}")

    def _alone(self, request: Request) -> AbstractContextManager[object]:
        """Let nobody see half of a change, a repo that has no commit yet; files come and go at the same time."""
        if request.path.startswith(("/lfs/upload/", "/cdn/")):
            return nullcontext()
        _ = request.body  # a slow client must not hold up the others
        return self.store.lock

    # who may what

    def _user(self, request: Request) -> str | None:
        header = request.headers.get("Authorization")
        if header is None:
            return None
        user = self.tokens.get(header.removeprefix("Bearer "))
        if user is None:
            raise HubError(401, "Invalid credentials in Authorization header")
        return user

    def _writer(self, request: Request) -> str:
        user = self._user(request)
        if user is None:
            raise HubError(401, "Invalid username or password.")
        return user

    def _open(self, request: Request, kind: str, name: str, method: str) -> Repo:
        user = self._user(request)
        try:
            repo = self.store.repo(kind, name)
        except HubError:
            if user is None:  # the Hub does not tell strangers what exists
                raise HubError(401, "Invalid username or password.", "RepoNotFound") from None
            raise
        if repo.private and user is None:
            raise HubError(401, "Invalid username or password.", "RepoNotFound")
        if repo.private and user != repo.owner:
            raise HubError(404, "Repository not found", "RepoNotFound")
        if repo.gated and user != repo.owner and "/resolve/" in request.path:
            raise HubError(401 if user is None else 403, f"Access to {name} is restricted.", "GatedRepo")
        if method != "GET" and not request.path.endswith("/objects/batch") and "/paths-info/" not in request.path:
            self._writer(request)
        return repo

    def _whoami(self, request: Request) -> dict:
        return {"type": "user", "name": self._writer(request), "fullname": "Some One", "orgs": [], "auth": {}}

    # repos

    def _create(self, request: Request) -> dict:
        user, wanted = self._writer(request), request.json()
        name = f"{wanted.get('organization') or user}/{wanted['name']}"
        kind = wanted.get("type") or "model"
        private = wanted.get("visibility") == "private" or bool(wanted.get("private"))
        url = f"{self.url}/" + ("" if kind == "model" else f"{kind}s/") + name
        if (kind, name) in self.store.repos:
            raise HubError(409, "You already created this repo", url=url)
        self.store.create(kind, name, private=private, author=user)
        return {"url": url, "name": name}

    def _validate(self, request: Request) -> Answer:
        content = request.json()["content"]
        found = re.match(r"---\r?\n(.*?)\r?\n---(\r?\n|\Z)", content, re.DOTALL)
        if not found:
            return Answer({"errors": [], "warnings": [{"message": "empty or missing yaml metadata in repo card"}]})
        try:
            loaded = yaml.safe_load(found[1])
        except yaml.YAMLError as error:
            return Answer({"errors": [{"message": str(error)}], "warnings": []}, 400)
        if not isinstance(loaded, dict):
            return Answer({"errors": [{"message": "YAML metadata must be an object"}], "warnings": []}, 400)
        errors = []
        names = [c.get("config_name") for c in loaded.get("configs", [])]
        if len(set(names)) != len(names):
            errors.append({"message": "configs: config_name must be unique"})
        if loaded.get("license") is not None and not isinstance(loaded["license"], str | list):
            errors.append({"message": "license must be a string"})
        return Answer({"errors": errors, "warnings": []}, 400 if errors else 200)

    def _info(self, request: Request, repo: Repo, rev: str = "main") -> dict:
        commit = repo.resolve(rev)
        return {
            "_id": f"{len(repo.name):024x}",
            "id": repo.name,
            "author": repo.name.split("/")[0],
            "sha": commit.sha,
            "lastModified": commit.date,
            "createdAt": stamp(0),
            "private": repo.private,
            "gated": repo.gated,
            "disabled": False,
            "downloads": 0,
            "likes": 0,
            "tags": [],
            "siblings": [{"rfilename": path} for path in sorted(commit.tree)],
        }

    # trees and refs

    def _entry(self, path: str, blob: Blob, commit: Commit, expand: bool) -> dict:
        entry: dict[str, Any] = {"type": "file", "path": path, "size": blob.size, "oid": blob.oid}
        if blob.sha256:
            entry["lfs"] = {"oid": blob.sha256, "size": blob.size, "pointerSize": 130}
        if expand:
            entry["lastCommit"] = {"id": commit.sha, "title": commit.title, "date": commit.date}
        return entry

    def _list(self, commit: Commit, path: str, recursive: bool, expand: bool) -> list[dict]:
        prefix = f"{path.strip('/')}/" if path else ""
        if path and path in commit.tree:
            return [self._entry(path, commit.tree[path], commit, expand)]
        files, folders = [], set()
        for name, blob in sorted(commit.tree.items()):
            if not name.startswith(prefix):
                continue
            parents = [str(p) for p in PurePosixPath(name).parents][:-1]
            deeper = [p for p in parents if p.startswith(prefix) and p != prefix.rstrip("/")]
            folders |= set(deeper if recursive else deeper[-1:])
            if recursive or not deeper:
                files.append(self._entry(name, blob, commit, expand))
        if prefix and not files and not folders:
            raise HubError(404, f"{path} does not exist on {commit.sha}", "EntryNotFound")
        return [{"type": "directory", "path": p, "size": 0, "oid": "0" * 40} for p in sorted(folders)] + files

    def _tree(self, request: Request, repo: Repo, rev: str, path: str | None = None) -> list[dict]:
        recursive, expand = (request.query.get(k, "").lower() in ("1", "true") for k in ("recursive", "expand"))
        return self._list(repo.resolve(rev), path or "", recursive, expand)

    def _paths(self, request: Request, repo: Repo, rev: str) -> list[dict]:
        commit = repo.resolve(rev)
        body = request.body.decode()
        if "json" in (request.headers.get("Content-Type") or ""):
            paths = json.loads(body)["paths"]
        else:
            paths = parse_qs(body).get("paths", [])
        entries: list[dict] = []
        for path in paths:
            if path in commit.tree:
                entries.append(self._entry(path, commit.tree[path], commit, expand=False))
            elif any(p.startswith(path.rstrip("/") + "/") for p in commit.tree):
                entries.append({"type": "directory", "path": path, "size": 0, "oid": "0" * 40})
        return entries

    def _refs(self, request: Request, repo: Repo) -> dict:
        def of(prefix: str) -> list[dict]:
            return [
                {"name": ref.removeprefix(prefix), "ref": ref, "targetCommit": sha}
                for ref, sha in sorted(repo.refs.items())
                if ref.startswith(prefix)
            ]

        found = {"branches": of("refs/heads/"), "converts": [], "tags": of("refs/tags/")}
        if request.query.get("include_prs"):
            found["pullRequests"] = of("refs/pr/")
        return found

    def _tag(self, request: Request, repo: Repo, rev: str) -> dict:
        ref = f"refs/tags/{request.json()['tag']}"
        if ref in repo.refs:
            raise HubError(409, "Tag already exists")
        repo.refs[ref] = repo.resolve(rev).sha
        return {}

    # uploads

    def _preupload(self, request: Request, repo: Repo, rev: str) -> dict:
        tree, files = repo.resolve(rev).tree, []
        for file in request.json()["files"]:
            binary = b"\0" in b64decode(file["sample"])
            lfs = PurePosixPath(file["path"]).suffix in LFS_SUFFIXES or file["size"] > LFS_SIZE or binary
            there = tree.get(file["path"])
            files.append(
                {
                    "path": file["path"],
                    "uploadMode": "lfs" if lfs else "regular",
                    "shouldIgnore": False,
                    "oid": (there.sha256 or there.oid) if there else None,
                }
            )
        return {"files": files}

    def _batch(self, request: Request, repo: Repo) -> dict:
        self._writer(request)
        objects = []
        for item in request.json()["objects"]:
            oid, size = item["oid"], item["size"]
            entry: dict[str, Any] = {"oid": oid, "size": size}
            if not self.store.lfs_path(oid).exists():
                links = {"upload": f"lfs/upload/{oid}", "verify": "lfs/verify"}
                entry["actions"] = {name: {"href": f"{self.url}/{path}"} for name, path in links.items()}
            objects.append(entry)
        return {"transfer": "basic", "objects": objects}

    def _upload(self, request: Request, oid: str) -> Answer:
        with self.store.lock:
            scratch = self.store.folder / "parts" / f"upload-{self.store.tick()}"
        request.save(scratch)
        self.store.put_lfs(oid, scratch)
        return Answer(b"", headers={"ETag": f'"{oid}"'})

    def _verify(self, request: Request) -> dict:
        self._writer(request)
        wanted = request.json()
        file = self.store.lfs_path(wanted["oid"])
        if not file.exists() or file.stat().st_size != wanted["size"]:
            raise HubError(404, "object not found")
        return {}

    def _commit(self, request: Request, repo: Repo, rev: str) -> dict:
        user = self._writer(request)
        lines = [json.loads(line) for line in request.body.splitlines() if line.strip()]
        if not lines or lines[0]["key"] != "header":
            raise HubError(400, "the first line must be the header")
        for line in lines[1:]:
            content = line["value"].get("content", "")
            if line["key"] == "file" and len(content) > LFS_SIZE * 4 // 3 + 4:
                raise HubError(400, "files over 10 MB must go through LFS")
        create_pr = request.query.get("create_pr") == "1"
        commit, opened = self.store.commit(repo, rev, lines[0]["value"], lines[1:], create_pr=create_pr, author=user)
        prefix = f"{self.url}/" + ("" if repo.kind == "model" else f"{repo.kind}s/") + repo.name
        answer = {
            "success": True,
            "commitOid": commit.sha,
            "commitUrl": f"{prefix}/commit/{commit.sha}",
            "hookOutput": "",
        }
        if opened:
            answer["pullRequestUrl"] = f"{prefix}/discussions/{opened.num}"
        return answer

    # discussions, of which all are pull requests

    def _summary(self, repo: Repo, found: PullRequest) -> dict:
        return {
            "num": found.num,
            "title": found.title,
            "author": {"name": found.author},
            "createdAt": stamp(found.num),
            "status": found.status,
            "isPullRequest": True,
            "repo": {"name": repo.name, "type": repo.kind},
        }

    def _find(self, repo: Repo, num: str) -> PullRequest:
        if not 0 < int(num) <= len(repo.discussions):
            raise HubError(404, "Discussion not found")
        return repo.discussions[int(num) - 1]

    def _discussions(self, request: Request, repo: Repo) -> dict:
        status, author = request.query.get("status", "all"), request.query.get("author")
        found = [
            d
            for d in reversed(repo.discussions)
            if (status == "all" or (d.status == "open") == (status == "open")) and author in (None, d.author)
        ]
        start = 10 * int(request.query.get("p", 0))
        page = [self._summary(repo, d) for d in found[start : start + 10]]
        return {"discussions": page, "count": len(found), "start": start}

    def _discussion(self, request: Request, repo: Repo, num: str) -> dict:
        found = self._find(repo, num)
        changes = {"base": found.base, **({"mergeCommitId": found.merged} if found.merged else {})}
        return {**self._summary(repo, found), "events": [], "changes": changes, "filesWithConflicts": []}

    def _change(self, request: Request, repo: Repo, num: str, what: str) -> dict:
        user, found = self._writer(request), self._find(repo, num)
        if what == "status":
            found.status = request.json()["status"]
            event = {"id": "0", "type": "status-change", "createdAt": stamp(found.num), "author": {"name": user}}
            return {"newStatus": {**event, "data": {"status": found.status}}}
        if found.status != "open":
            raise HubError(400, "only an open pull request can be merged")
        self.store.merge(repo, found, user)
        return {}

    # downloads

    def _resolve(self, request: Request, repo: Repo, rev: str, path: str) -> Answer:
        commit = repo.resolve(rev)
        blob = commit.tree.get(path)
        if blob is None:
            raise HubError(404, f"{path} does not exist on {commit.sha}", "EntryNotFound")
        headers = {"X-Repo-Commit": commit.sha, "Accept-Ranges": "bytes"}
        if blob.sha256:
            headers |= {
                "Location": f"{self.cdn}/cdn/{blob.sha256}",
                "X-Linked-Size": str(blob.size),
                "X-Linked-Etag": f'"{blob.sha256}"',
                "ETag": f'"{blob.oid}"',
            }
            return Answer(b"", 302, headers)
        return self._ranged(request, blob, headers | {"ETag": f'"{blob.oid}"'})

    def _cdn(self, request: Request, oid: str) -> Answer:
        if request.headers.get("Authorization"):
            raise HubError(400, "the token was sent to the storage host")
        file = self.store.lfs_path(oid)
        if not file.exists():
            raise HubError(404, "no such object")
        return self._ranged(request, Blob("", file.stat().st_size, oid), {"ETag": f'"{oid}"', "Accept-Ranges": "bytes"})

    def _ranged(self, request: Request, blob: Blob, headers: dict[str, str]) -> Answer:
        headers["Content-Type"] = "application/octet-stream"
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", request.headers.get("Range") or "")
        if not found:
            return Answer(None, 200, headers, self.store.path(blob), 0, blob.size)
        start, end = int(found[1]), min(int(found[2] or blob.size - 1), blob.size - 1)
        if start > end:
            raise HubError(416, "range not satisfiable")
        headers["Content-Range"] = f"bytes {start}-{end}/{blob.size}"
        return Answer(None, 206, headers, self.store.path(blob), start, end - start + 1)
