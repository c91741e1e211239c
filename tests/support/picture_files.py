"""Pictures of every kind that data sets hold, as files: usable ones, and broken ones."""

from __future__ import annotations

import io
import struct

from PIL import Image

INK, PAPER = (200, 30, 40), (255, 255, 255)


def encode(picture: Image.Image, kind: str = "PNG", **options) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def drawn(mode: str = "RGB", size: tuple[int, int] = (60, 40)) -> Image.Image:
    """Return paper whose left half is inked."""
    picture = Image.new("RGB", size, PAPER)
    picture.paste(INK, (0, 0, size[0] // 2, size[1]))
    return picture.convert(mode)


def transparent(mode: str) -> Image.Image:
    """Return ink on a fully transparent ground that is black underneath."""
    picture = Image.new("RGBA", (60, 40), (0, 0, 0, 0))
    picture.paste((*INK, 255), (0, 0, 30, 40))
    return picture.convert(mode)


def palette_with_transparency() -> bytes:
    picture = Image.new("P", (60, 40), 1)
    picture.putpalette([*INK, 0, 0, 0])
    picture.paste(0, (0, 0, 30, 40))
    return encode(picture, transparency=1)


def deep_grey(mode: str, kind: str, top: float) -> bytes:
    """Return grey whose left half is half as light as the right one, which is white."""
    code = {"I;16": "<H", "I": "<i", "F": "<f"}[mode]
    dark, light = (struct.pack(code, type(top)(top / part)) for part in (2, 1))
    return encode(Image.frombytes(mode, (60, 40), (dark * 30 + light * 30) * 40), kind)


def animation(kind: str) -> bytes:
    frames = [drawn(), Image.new("RGB", (60, 40), "blue"), Image.new("RGB", (60, 40), "green")]
    return encode(frames[0], kind, save_all=True, append_images=frames[1:])


def turned() -> bytes:
    """Return a picture stored lying on its side, with the EXIF mark that says so."""
    exif = Image.Exif()
    exif[0x0112] = 6
    return encode(drawn().transpose(Image.Transpose.ROTATE_90), exif=exif)


USABLE = {
    "rgb.png": encode(drawn()),
    "rgb.jpg": encode(drawn(), "JPEG", quality=95),
    "rgba.png": encode(transparent("RGBA")),
    "la.png": encode(transparent("LA")),
    "palette.png": encode(drawn().quantize(4)),
    "palette_transparent.png": palette_with_transparency(),
    "grey.png": encode(drawn("L")),
    "one_bit.png": encode(drawn("1")),
    "cmyk.jpg": encode(drawn("CMYK"), "JPEG", quality=95),
    "grey16.png": deep_grey("I;16", "PNG", 65535),
    "grey32.tif": deep_grey("I", "TIFF", 65535),
    "float.tif": deep_grey("F", "TIFF", 1.0),
    "animated.gif": animation("GIF"),
    "animated.webp": animation("WEBP"),
    "animated.png": animation("PNG"),
    "turned.png": turned(),
    "dot.png": encode(drawn(size=(1, 1))),
    "low.png": encode(drawn(size=(60, 9))),
    "narrow.png": encode(drawn(size=(10, 400))),
    "strip.png": encode(drawn(size=(20000, 10))),
}
_WHOLE = encode(Image.effect_noise((64, 64), 50).convert("RGB"))
BROKEN = {
    "cut.png": _WHOLE[: len(_WHOLE) // 2],
    "cut.jpg": encode(Image.effect_noise((64, 64), 50).convert("RGB"), "JPEG")[:-900],
    "head_only.png": _WHOLE[:30],
    "text.jpg": b"<html>404 Not Found</html>",
    "empty.png": b"",
    "drawing.svg": b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'></svg>",
}
