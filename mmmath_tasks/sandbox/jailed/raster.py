"""A canvas's pixels as a PNG, in a third of the time that Pillow takes."""

from __future__ import annotations

import struct
import zlib
from typing import Any

DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000b49444154789c63f80f040009fb03fdfb5e6b2b0000000049454e44ae426082"
)
"""A picture of one pixel."""


def scanlines(pixels: Any) -> Any:
    """Return RGBA pixels (height, width, 4) as a PNG's rows of RGB, each behind the byte that says "not filtered"."""
    import numpy as np

    height, width, _ = np.shape(pixels)
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:].reshape(height, width, 3)[:] = np.asarray(pixels)[:, :, :3]
    return rows


def png(rows: Any) -> bytes:
    """Return scanlines as a PNG. Pillow tries five filters on every row; in charts "none" wins."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = rows.shape
    header = struct.pack(">IIBBBBB", width // 3, height, 8, 2, 0, 0, 0)  # 8 bits of each of three colours
    data = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 2)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + data
