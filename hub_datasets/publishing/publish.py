"""A built folder to a repo of the Hub: one commit that holds exactly the build, a tag, and the same again for a re-run.

What is written belongs to the build.json in the repo: files that a former build put there and this one has no more are
removed, files of anybody else are neither removed nor overwritten.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing import manifest
from mmmath_tasks.hub_datasets.publishing.manifest import Manifest
from mmmath_tasks.hub_datasets.publishing.retry import Retry
from mmmath_tasks.hub_datasets.publishing.snapshot import require_repo_id
from mmmath_tasks.hub_datasets.publishing.upstream import sha256

if TYPE_CHECKING:
    from huggingface_hub import HfApi

COMMIT_FILES = 50
"""The Hub times out on commits of hundreds of files. A build of more goes into a pull request, commit by commit, which
is then merged at once: main never holds half of it."""


@dataclass(frozen=True, slots=True)
class Changes:
    """What a publication would do to a repo.

    Attributes:
        add: paths that the repo lacks.
        replace: paths whose content differs.
        remove: paths that a former build put there and that this one has no more.
    """

    add: tuple[str, ...] = ()
    replace: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Tell whether there is anything to do."""
        return bool(self.add or self.replace or self.remove)


@dataclass(frozen=True, slots=True)
class Published:
    """What a publication did.

    Attributes:
        commit: of the branch (or the pull request) that now holds the build; "" after a dry run.
        changes: what was written; empty where the repo held the build already.
        tag: the tag that points at the commit; "" for a pull request or where none was wanted.
        pull_request: its URL; "".
        tries: how many times a step had to be repeated.
    """

    commit: str
    changes: Changes
    tag: str = ""
    pull_request: str = ""
    tries: int = 0


def publish(
    folder: Path,
    repo: str,
    *,
    api: HfApi | None = None,
    private: bool = False,
    pr: bool = False,
    dry_run: bool = False,
    overwrite: bool = False,
    tag: str | None = None,
    tries: int = 8,
    wait: float = 1.0,
    say: Callable[[str], object] | None = None,
) -> Published:
    """Make a data set repo hold exactly a built folder (and whatever others put beside it).

    Args:
        folder: from `build`.
        repo: "ORG/NAME"; created where it does not exist.
        api: the client; None: huggingface_hub's own, with the token and HF_ENDPOINT of the environment.
        private: create the repo as private; an existing one stays as it is.
        pr: open a pull request in place of a commit to main; one that already proposes the same build is found again.
        dry_run: tell what would be done, write nothing.
        overwrite: replace files that somebody else wrote or edited, and a build of another benchmark.
        tag: the name of the tag; None: the one of the build's own record.
        tries: how often each step is tried.
        wait: seconds before the second try, doubled for each further one.
        say: is called with a line before each wait: what failed, why, and how long the wait is; None: stderr has it.

    Returns:
        what was done.

    Raises:
        InputError: `repo` is not of that form, the folder is no whole build, the Hub refused or could not be reached,
            or files of somebody else are in the way. main is then as before.
    """
    require_repo_id(repo, "the repo")
    if api is None:
        from huggingface_hub import HfApi

        api = HfApi()
    record = manifest.load(folder)
    _whole(folder, record)
    mark = tag or record.tag or f"build-{sha256(folder / manifest.NAME)[:12]}"
    retry = Retry(tries=tries, wait=wait, say=say or Retry.say, crowded=True)
    job = _Job(api, repo, folder, record, overwrite, retry, f"Publish {record.benchmark} {mark}")
    before = job.first_look()
    if dry_run:
        return Published("", before)
    retry(lambda: api.create_repo(repo, repo_type="dataset", private=private or None, exist_ok=True), f"create {repo}")
    if pr:
        commit, url = job.pull_request() if before else (retry(job.head, f"read {repo}"), "")
        return Published(commit, before, "", url, retry.used)
    commit = job.merged() if len(_batches(before)) > 1 else retry(job.commit, f"commit to {repo}")
    retry(lambda: job.tag(mark, commit), f"tag {repo}")
    return Published(commit, before, mark, "", retry.used)


def _whole(folder: Path, record: Manifest) -> None:
    """Hold the folder to its record: a file added, lost or altered after the build must not reach the Hub."""
    here = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file()} - {manifest.NAME}
    if here != set(record.files):
        odd = sorted(here ^ set(record.files))
        raise InputError(f"{folder}: not as it was built: {', '.join(odd[:5])} (build it again, or see hub check)")
    for path, facts in record.files.items():
        if (folder / path).stat().st_size != facts["size"] or sha256(folder / path) != facts["sha256"]:
            raise InputError(f"{folder / path}: changed since it was built (build it again, or see hub check)")


@dataclass
class _Job:
    """One publication: what the repo holds, what it should hold, and the steps between."""

    api: HfApi
    repo: str
    folder: Path
    record: Manifest
    overwrite: bool
    retry: Retry
    message: str

    def first_look(self) -> Changes:
        """Return what differs between the build and main; all of it where there is no repo."""
        from huggingface_hub.errors import RepositoryNotFoundError

        def ask() -> Changes:
            try:
                head = self.head()
            except RepositoryNotFoundError as error:
                if error.response.status_code != 404:  # 401: it may well exist, and not for this token
                    raise
                head = ""
            return self.changes(head)

        return self.retry(ask, f"read {self.repo}")

    def head(self, revision: str = "main") -> str:
        """Return the commit that a branch, tag or pull request names now."""
        return self.api.dataset_info(self.repo, revision=revision).sha or ""

    def changes(self, revision: str) -> Changes:
        """Return what differs between the build and a commit of the repo ("" for no repo).

        Raises:
            InputError: a file of somebody else has the path of one of ours, or the repo holds another benchmark.
        """
        there = self._tree(revision) if revision else {}
        owned = self._owned(revision) if manifest.NAME in there else {}
        ours = [*self.record.files, manifest.NAME]

        def untouched(path: str) -> bool:
            return path in owned and self._holds(there[path], owned[path]["sha256"], revision)

        differing = tuple(path for path in ours if path in there and not self._same(path, there[path]))
        foreign = [path for path in differing if path != manifest.NAME and not untouched(path)]
        if foreign and not self.overwrite:
            raise InputError(
                f"{self.repo}: {', '.join(foreign[:5])}: written or edited by somebody else since the last "
                "publication; --overwrite replaces it"
            )
        return Changes(
            tuple(path for path in ours if path not in there),
            differing,
            tuple(path for path in owned if path not in ours and path in there and untouched(path)),
        )

    def commit(self, revision: str = "main") -> str:
        """Bring main or a pull request to the build, in one try; return its commit."""
        head = self.head(revision)
        for batch in _batches(self.changes(head)):
            head = self._commit(batch, revision, head).oid
        return head

    def pull_request(self) -> tuple[str, str]:
        """Propose the build in a pull request, a former try's if there is one; return its commit and its URL."""

        def open_or_find() -> tuple[str, str]:
            me = self.api.whoami()["name"]
            for found in self.api.get_repo_discussions(
                self.repo, repo_type="dataset", author=me, discussion_type="pull_request", discussion_status="open"
            ):
                if found.title == self.message:
                    return f"refs/pr/{found.num}", found.url
            parent = self.head()
            info = self._commit(_batches(self.changes(parent))[0], "main", parent, create_pr=True)
            return str(info.pr_revision), str(info.pr_url)

        revision, url = self.retry(open_or_find, f"pull request to {self.repo}")
        return self.retry(lambda: self.commit(revision), f"commit to {self.repo} {revision}"), url

    def merged(self) -> str:
        """Propose the build in a pull request and merge it; return main's commit."""
        _, url = self.pull_request()
        number = int(url.rsplit("/", 1)[1])

        def merge() -> str:
            if self.api.get_discussion_details(self.repo, number, repo_type="dataset").status != "merged":
                self.api.merge_pull_request(self.repo, number, repo_type="dataset")
            return self.head()

        head = self.retry(merge, f"merge {url}")
        if self.retry(lambda: self.changes(head), f"read {self.repo}"):
            raise InputError(f"{self.repo}: main was changed while {url} was merged; publish again")
        return head

    def tag(self, name: str, commit: str) -> None:
        """Let a new tag point at the commit; one of that name may exist where it points at the same build.

        Raises:
            InputError: it points at another build.
        """
        refs = self.api.list_repo_refs(self.repo, repo_type="dataset")
        there = {ref.name: ref.target_commit for ref in refs.tags}
        if name not in there:
            # Refused (409) where somebody else was quicker: the next try sees where that tag points.
            self.api.create_tag(self.repo, tag=name, revision=commit, repo_type="dataset")
        elif there[name] != commit and self.changes(self.head(name)):
            raise InputError(f"{self.repo}: the tag {name} exists and points at another build, at {there[name]}")

    def _commit(self, batch: Changes, revision: str, parent: str, *, create_pr: bool = False) -> Any:
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        added = [
            CommitOperationAdd(path_in_repo=path, path_or_fileobj=str(self.folder / path))
            for path in (*batch.add, *batch.replace)
        ]
        return self.api.create_commit(
            self.repo,
            [*added, *(CommitOperationDelete(path_in_repo=path) for path in batch.remove)],
            repo_type="dataset",
            revision=revision,
            commit_message=self.message,
            commit_description=f"mmmath-tasks {self.record.version}",
            parent_commit=parent,
            create_pr=create_pr,
        )

    def _tree(self, revision: str) -> dict[str, Any]:
        entries = self.api.list_repo_tree(self.repo, recursive=True, revision=revision, repo_type="dataset")
        return {entry.path: entry for entry in entries if hasattr(entry, "blob_id")}

    def _owned(self, revision: str) -> dict[str, Mapping[str, Any]]:
        """Return the files that the build.json of a commit names as its own."""
        try:
            there = Manifest.from_bytes(self._fetch(manifest.NAME, revision), f"{self.repo}/{manifest.NAME}")
        except InputError as error:
            if self.overwrite:
                return {}
            raise InputError(f"{error}; --overwrite replaces it") from None
        if there.benchmark != self.record.benchmark and not self.overwrite:
            raise InputError(
                f"{self.repo}: holds a build of {there.benchmark}, this is one of {self.record.benchmark}; "
                "--overwrite replaces it"
            )
        return dict(there.files)

    def _fetch(self, path: str, revision: str) -> bytes:
        """Return a small file's bytes at a commit."""
        return Path(self.api.hf_hub_download(self.repo, path, repo_type="dataset", revision=revision)).read_bytes()

    def _same(self, path: str, entry: Any) -> bool:
        if path != manifest.NAME:
            facts = self.record.files[path]
            if entry.size != facts["size"]:
                return False
            if entry.lfs:
                return bool(entry.lfs.sha256 == facts["sha256"])
        elif entry.lfs:
            return bool(entry.lfs.sha256 == sha256(self.folder / path))
        return bool(entry.blob_id == _git_oid((self.folder / path).read_bytes()))

    def _holds(self, entry: Any, digest: str, revision: str) -> bool:
        """Tell whether a file in the repo has the content of that SHA-256."""
        if entry.lfs:
            return bool(entry.lfs.sha256 == digest)
        return hashlib.sha256(self._fetch(entry.path, revision)).hexdigest() == digest


def _git_oid(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _batches(changes: Changes) -> list[Changes]:
    """Split changes that are too many for one commit; [] for none."""
    steps = [(kind, path) for kind in ("add", "replace", "remove") for path in getattr(changes, kind)]
    return [
        Changes(
            **{
                kind: tuple(path for of, path in steps[start : start + COMMIT_FILES] if of == kind)
                for kind in ("add", "replace", "remove")
            }
        )
        for start in range(0, len(steps), COMMIT_FILES)
    ]
