import stat
import zipfile
from pathlib import Path

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing.archive import unpack
from support.upstream_folders import content


def packed(path, *members):
    with zipfile.ZipFile(path, "w") as file:
        for name, data, mode in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            file.writestr(info, data)
    return path


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["images/", "images/1.png", "images/a/2.png", "images/a/3.png"], {"1.png", "a/2.png", "a/3.png"}),
        (["1.png", "other/2.png"], {"1.png", "other/2.png"}),
        (["images_v1/1.png"], {"images_v1/1.png"}),
        (["images"], {"images"}),
    ],
)
def test_members_land_below_the_folder(tmp_path, names, expected):
    archive = packed(tmp_path / "images.zip", *((name, Path(name).name, stat.S_IFREG | 0o644) for name in names))
    unpack(archive, tmp_path / "out")
    assert content(tmp_path / "out") == {name: Path(name).name.encode() for name in expected}


@pytest.mark.parametrize(
    ("name", "mode"),
    [
        ("../outside.png", stat.S_IFREG),
        ("images/../../outside.png", stat.S_IFREG),
        ("/outside.png", stat.S_IFREG),
        ("..\\outside.png", 0),
        ("C:/outside.png", 0),
        ("images/link.png", stat.S_IFLNK),
        ("images/device", stat.S_IFCHR),
        ("images/fifo", stat.S_IFIFO),
    ],
)
def test_a_member_that_leads_out_is_refused_and_nothing_is_unpacked(tmp_path, name, mode):
    archive = packed(tmp_path / "images.zip", ("images/1.png", b"1", stat.S_IFREG), (name, b"/etc/passwd", mode))
    with pytest.raises(InputError, match=r"images\.zip: member '.*' (leads out|is a link)"):
        unpack(archive, tmp_path / "in" / "out")
    assert content(tmp_path) == {"images.zip": archive.read_bytes()}


def test_damage_is_named(tmp_path):
    whole = packed(tmp_path / "images.zip", ("images/1.png", b"1" * 5000, 0)).read_bytes()
    for number, data in enumerate([b"", b"PK", whole[:-30], whole.replace(b"1" * 100, b"2" * 100, 1)]):
        archive = tmp_path / f"{number}.zip"
        archive.write_bytes(data)
        with pytest.raises(InputError, match=rf"{number}\.zip: not a whole zip file"):
            unpack(archive, tmp_path / "out" / str(number))


def test_a_bomb_is_refused_by_what_it_claims(tmp_path, monkeypatch):
    monkeypatch.setattr("mmmath_tasks.hub_datasets.publishing.archive.MAX_BYTES", 1000)
    for size in (400, 401):
        with zipfile.ZipFile(tmp_path / f"{size}.zip", "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("images/zeros", bytes(size))
            file.writestr("images/more", bytes(600))
    unpack(tmp_path / "400.zip", tmp_path / "out")
    with pytest.raises(InputError, match=r"401\.zip: unpacks to more than 1000 bytes$"):
        unpack(tmp_path / "401.zip", tmp_path / "out")
