"""Pictures on their way to a model: kept as encoded bytes or a path, opened only where they are used.

What a model gets is always RGB, and is the stored picture unless that would lose it or break a model:
- transparent pictures are laid on white (a plain conversion would turn the ground, often white paper, black);
- palette, grey, 1-bit, CMYK and other modes are converted; 16-bit and floating grey is scaled to 8 bits;
- the first frame of an animation is taken; an EXIF orientation is applied, as the Hub's own loader does;
- a side under 28 pixels, or under a 200th of the longer one, is padded with white around the centred picture (the
  least that Qwen2-VL's processor takes, the strictest known);
- above the number of pixels from which Pillow suspects a decompression bomb (89 million) it is scaled down to it;
  above twice that number it is refused.
"""

from __future__ import annotations

import base64
import hashlib
import io
import math
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from mmmath_tasks.errors import InputError

if TYPE_CHECKING:
    from PIL import Image

_LEAST_SIDE = 28
_MOST_RATIO = 200
_ORIENTATION = 0x0112


@dataclass(frozen=True, slots=True)
class Picture:
    """One stored picture, not yet opened.

    Attributes:
        data: the encoded file; None where it lies at `path`.
        path: where the file lies, or only its name where `data` holds it; None: unknown.
        where: what an error calls the picture's row: the file or data set, and the row's id.
    """

    data: bytes | None = field(repr=False)
    path: str | None
    where: str

    def __str__(self) -> str:
        """Return the picture's file name, or the start of its hash: what a log shows for it."""
        if self.path:
            return Path(self.path).name
        return f"sha256:{hashlib.sha256(self.data or b'').hexdigest()[:16]}"

    def open(self) -> Image.Image:
        """Return what `encoded` returns, opened, its pixels not yet in memory."""
        return _opened(self.encoded())

    def encoded(self) -> bytes:
        """Return the picture's file, checked by decoding it once: the stored one, or a PNG of what had to be changed.

        Raises:
            InputError: there is no such file, or it cannot be decoded; the message names the row and the file.
        """
        from PIL import Image

        data = self.read()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            try:
                with Image.open(io.BytesIO(data)) as stored:
                    if not _is_plain(stored):
                        return _encoded(_normalised(stored))
                    stored.load()
            except Exception as error:  # Pillow's readers raise whatever a broken file leads them to
                raise InputError(f"{self.where}: picture {self}: {_reason(error)}") from error
        return data

    def data_url(self) -> str:
        """Return what `encoded` returns as a data URL; what is neither PNG, JPEG, GIF nor WebP becomes PNG.

        Raises:
            InputError: as of `encoded`.
        """
        data = self.encoded()
        with _opened(data) as picture:
            kind = str(picture.format).lower()
            if kind not in ("png", "jpeg", "gif", "webp"):
                kind, data = "png", _encoded(picture)
        return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"

    def read(self) -> bytes:
        """Return the stored file, unchecked.

        Raises:
            InputError: there is none.
        """
        if self.data is not None:
            return self.data
        if self.path is None:
            raise InputError(f"{self.where}: the row holds no picture")
        try:
            return Path(self.path).read_bytes()
        except OSError as error:
            raise InputError(f"{self.where}: picture {self.path}: {error.strerror}") from None


class Pictures(list["Image.Image"]):
    """Checked pictures whose pixels are in memory only while somebody works with them.

    A list of opened pictures, as harnesses want it, but each access opens its picture anew: a picture that has been
    looked at keeps its pixels, which for a run of 1,000 would be gigabytes (perf/picture_memory.py). It pickles as the
    encoded files.
    """

    def __init__(self, encoded: Iterable[bytes]) -> None:
        """Take encoded pictures that Pillow can open, such as those of `Picture.encoded`."""
        self._encoded = list(encoded)
        super().__init__(map(_opened, self._encoded))

    def __iter__(self) -> Iterator[Image.Image]:
        """Open one after the other."""
        return map(_opened, self._encoded)

    def __getitem__(self, which: Any) -> Any:
        """Open one, or return a slice as Pictures."""
        chosen = self._encoded[which]
        return Pictures(chosen) if isinstance(which, slice) else _opened(chosen)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the encoded files, not the pixels."""
        return Pictures, (self._encoded,)


def _opened(encoded: bytes) -> Image.Image:
    from PIL import Image

    return Image.open(io.BytesIO(encoded))


def _reason(error: Exception) -> str:
    from PIL import Image, UnidentifiedImageError

    if isinstance(error, UnidentifiedImageError):
        return "not a picture in a format that Pillow reads"
    if isinstance(error, Image.DecompressionBombError):
        return f"too large: {error}"
    return f"cannot be decoded: {error or type(error).__name__}"


def _most_pixels() -> int:
    from PIL import Image

    return Image.MAX_IMAGE_PIXELS or 2**31


def _is_plain(picture: Image.Image) -> bool:
    """Say whether the stored file can go to a model as it is; reads the header only."""
    width, height = picture.size
    return (
        picture.mode == "RGB"
        and "transparency" not in picture.info
        and getattr(picture, "n_frames", 1) == 1
        and picture.getexif().get(_ORIENTATION, 1) == 1
        and _padded_size(width, height) == (width, height)
        and width * height <= _most_pixels()
    )


def _padded_size(width: int, height: int) -> tuple[int, int]:
    least = max(_LEAST_SIDE, math.ceil(max(width, height) / _MOST_RATIO))
    return max(width, least), max(height, least)


def _normalised(picture: Image.Image) -> Image.Image:
    from PIL import Image, ImageOps

    picture.seek(0)
    shrink = math.sqrt(_most_pixels() / (picture.width * picture.height))
    if shrink < 1:
        size = (max(1, int(picture.width * shrink)), max(1, int(picture.height * shrink)))
        picture.draft("RGB", size)
        picture = _rgb(picture).resize(size, Image.Resampling.LANCZOS)
    upright = ImageOps.exif_transpose(picture) or picture
    flat = _rgb(upright)
    size = _padded_size(*flat.size)
    if size == flat.size:
        return flat
    canvas = Image.new("RGB", size, "white")
    canvas.paste(flat, ((size[0] - flat.width) // 2, (size[1] - flat.height) // 2))
    return canvas


def _range(picture: Image.Image) -> tuple[float, float]:
    """Return which values of a deep grey picture are black and white: those of the least depth that holds them all."""
    if picture.mode.startswith("I;16"):
        return 0, 65535
    low, high = cast("tuple[float, float]", picture.getextrema())
    depths = (1.0, 255.0, 65535.0) if picture.mode == "F" else (255.0, 65535.0)
    return next(((0.0, white) for white in depths if low >= 0 and high <= white), (low, high))


def _rgb(picture: Image.Image) -> Image.Image:
    from PIL import Image

    if picture.mode == "F" or picture.mode.startswith("I"):
        black, white = _range(picture)
        scale = 255 / (white - black)
        return picture.convert("F").point(lambda value: value * scale - black * scale).convert("L").convert("RGB")
    if picture.has_transparency_data:
        layer = picture.convert("RGBA")
        ground = Image.new("RGBA", layer.size, "white")
        return Image.alpha_composite(ground, layer).convert("RGB")
    return picture.convert("RGB")


def _encoded(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=1)
    return out.getvalue()
