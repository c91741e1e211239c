"""Zip files from elsewhere, unpacked so that nothing lands outside the folder meant for it."""

from __future__ import annotations

import shutil
import stat
import zipfile
from pathlib import Path, PurePosixPath

from mmmath_tasks.errors import InputError

MAX_BYTES = 200 * 1024**3
"""More than any of the benchmarks holds: an archive that claims to unpack to more is refused."""


def unpack(archive: Path, folder: Path) -> None:
    """Unpack a zip file into a folder of its own.

    Args:
        archive: the zip file.
        folder: where its members go; created. Where all members lie below one folder named as the archive
            ("images/..." in images.zip), that folder is `folder` itself.

    Raises:
        InputError: it is no zip file, is damaged or encrypted, or has a member that is a link, a device, an absolute
            path or one that leads out of the folder. Nothing is unpacked then, a damaged member aside.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            members = opened.infolist()
            targets = [(member, _target(archive, member)) for member in members if not member.is_dir()]
            if sum(member.file_size for member in members) > MAX_BYTES:
                raise InputError(f"{archive}: unpacks to more than {MAX_BYTES} bytes")
            stem = archive.stem
            if targets and all(path.parts[0] == stem and len(path.parts) > 1 for _, path in targets):
                targets = [(member, path.relative_to(stem)) for member, path in targets]
            for member, path in targets:
                place = folder / path
                place.parent.mkdir(parents=True, exist_ok=True)
                with opened.open(member) as packed, place.open("wb") as file:
                    shutil.copyfileobj(packed, file, 1 << 20)
    except (zipfile.BadZipFile, NotImplementedError, EOFError) as error:
        raise InputError(f"{archive}: not a whole zip file: {error}") from None
    except RuntimeError as error:  # zipfile's word for an encrypted member
        raise InputError(f"{archive}: {error}") from None


def _target(archive: Path, member: zipfile.ZipInfo) -> PurePosixPath:
    # A backslash is a separator on Windows only; no benchmark has one in a name.
    path = PurePosixPath(member.filename)
    if path.is_absolute() or ".." in path.parts or "\\" in member.filename or ":" in path.parts[0]:
        raise InputError(f"{archive}: member {member.filename!r} leads out of the folder it is unpacked into")
    mode = member.external_attr >> 16
    if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise InputError(f"{archive}: member {member.filename!r} is a link or a device, expected plain files")
    return path
