"""Six figures."""

from io import BytesIO

from PIL import Image, ImageDraw

SHAPES = {"triangle": 3, "square": 4, "pentagon": 5}


def rows():
    return [
        {
            "gid": f"{shape}-{size}",
            "asked": "How many corners has the figure?",
            "corners": str(sides),
            "shape": shape,
            "size": size,
            "figure": {"bytes": _png(sides, 20 if size == "1" else 40), "path": f"{shape}-{size}.png"},
        }
        for shape, sides in SHAPES.items()
        for size in ("1", "2")
    ]


def _png(sides, radius):
    picture, file = Image.new("RGB", (100, 100), "white"), BytesIO()
    ImageDraw.Draw(picture).regular_polygon((50, 50, radius), sides, outline="black")
    picture.save(file, "PNG")
    return file.getvalue()
