"""Whatever kind of picture a data set holds reaches a model as RGB, or is named in an error."""

import base64
import io
import pickle

import pytest
from PIL import Image

from mmmath_tasks.errors import InputError
from mmmath_tasks.pictures import Picture, Pictures
from support.picture_files import BROKEN, INK, PAPER, USABLE, drawn, encode


def opened(data):
    return Picture(data, "x.png", "set: problem 7").open()


def near(pixel, wanted, slack=12):
    return all(abs(a - b) <= slack for a, b in zip(pixel, wanted, strict=True))


@pytest.mark.parametrize("name", USABLE)
def test_every_kind_becomes_rgb_of_a_size_that_models_take(name):
    picture = opened(USABLE[name])
    assert picture.mode == "RGB"
    assert min(picture.size) >= 28
    assert max(picture.size) <= 200 * min(picture.size)
    picture.load()


@pytest.mark.parametrize("name", ["rgb.png", "rgb.jpg"])
def test_a_plain_picture_is_passed_on_untouched(name):
    assert Picture(USABLE[name], None, "").encoded() == USABLE[name]


@pytest.mark.parametrize(
    ("name", "left", "right"),
    [
        ("rgba.png", INK, PAPER),
        ("palette.png", INK, PAPER),
        ("palette_transparent.png", INK, PAPER),
        ("cmyk.jpg", INK, PAPER),
        ("animated.gif", INK, PAPER),
        ("animated.webp", INK, PAPER),
        ("animated.png", INK, PAPER),
        ("turned.png", INK, PAPER),
        ("grey.png", (82,) * 3, PAPER),
        ("la.png", (82,) * 3, PAPER),
        ("grey16.png", (127,) * 3, PAPER),
        ("grey32.tif", (127,) * 3, PAPER),
        ("float.tif", (127,) * 3, PAPER),
    ],
)
def test_ink_stays_ink_and_paper_paper(name, left, right):
    picture = opened(USABLE[name])
    assert picture.size == (60, 40)
    assert near(picture.getpixel((10, 20)), left)
    assert near(picture.getpixel((50, 20)), right)


def test_one_bit_is_black_and_white():
    colours = {
        colour for _, colour in opened(encode(drawn("L").point(lambda v: v > 100 and 255).convert("1"))).getcolors()
    }
    assert colours == {(0, 0, 0), (255, 255, 255)}


@pytest.mark.parametrize(
    ("name", "size", "inked"),
    [
        ("dot.png", (28, 28), None),
        ("low.png", (60, 28), (10, 14)),
        ("narrow.png", (28, 400), (10, 200)),
        ("strip.png", (20000, 100), (10, 50)),
    ],
)
def test_small_sides_are_padded_with_white_around_the_centre(name, size, inked):
    picture = opened(USABLE[name])
    assert picture.size == size
    assert picture.getpixel((0, 0)) == PAPER
    assert inked is None or picture.getpixel(inked) == INK


def test_beyond_the_bomb_guard_a_picture_is_scaled_down_to_it(monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 60 * 40 - 1)
    picture = opened(USABLE["rgb.png"])
    assert picture.width * picture.height < 60 * 40
    assert abs(picture.width / picture.height - 1.5) < 0.05
    assert near(picture.getpixel((10, 20)), INK)


@pytest.mark.parametrize("name", ["turned.png", "rgba.png", "palette_transparent.png", "animated.gif"])
def test_what_is_scaled_down_is_still_upright_and_on_white(monkeypatch, name):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 60 * 40 - 1)
    picture = opened(USABLE[name])
    assert picture.width > picture.height
    assert near(picture.getpixel((10, 20)), INK)
    assert near(picture.getpixel((50, 20)), PAPER)


def test_far_beyond_the_bomb_guard_a_picture_is_refused(monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 60 * 40 // 2 - 1)
    with pytest.raises(InputError, match=r"set: problem 7: picture x\.png: too large"):
        opened(USABLE["rgb.png"])


@pytest.mark.slow
def test_a_hundred_megapixels_reach_a_model():
    picture = opened(encode(drawn("L", (10_000, 10_000)), "JPEG"))
    assert 80e6 < picture.width * picture.height <= Image.MAX_IMAGE_PIXELS
    assert picture.getpixel((picture.width - 1, 0)) == PAPER


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_picture_is_named(name):
    with pytest.raises(InputError, match=rf"^set: problem 7: picture {name}: "):
        Picture(BROKEN[name], name, "set: problem 7").open()


def test_a_missing_picture_is_named(tmp_path):
    with pytest.raises(InputError, match=r"^set: problem 7: picture .*gone\.png: No such file"):
        Picture(None, str(tmp_path / "gone.png"), "set: problem 7").open()
    with pytest.raises(InputError, match=r"^set: problem 7: the row holds no picture$"):
        Picture(None, None, "set: problem 7").open()


def test_a_log_shows_a_name_and_no_bytes():
    assert str(Picture(b"x", "/somewhere/deep/1.png", "")) == "1.png"
    assert str(Picture(b"x", None, "")) == "sha256:2d711642b726b044"
    assert "secret" not in repr(Picture(b"secret", None, ""))


def test_pictures_forget_their_pixels():
    pictures = Pictures([USABLE["rgb.png"]] * 2)
    assert isinstance(pictures, list)
    assert len(pictures) == 2
    for picture in pictures:
        picture.load()
    assert pictures[0] is not pictures[0]
    assert isinstance(pictures[:1], Pictures)
    assert len(pictures[:1]) == 1


def test_pictures_pickle_as_files():
    noise = encode(Image.effect_noise((500, 500), 3).convert("RGB"), "JPEG")
    packed = pickle.dumps(Pictures([noise]))
    assert len(packed) < 2 * len(noise)
    assert encode(pickle.loads(packed)[0]) == encode(Image.open(io.BytesIO(noise)))  # noqa: S301 (our own bytes)


@pytest.mark.parametrize(("form", "kind"), [("PNG", "png"), ("JPEG", "jpeg"), ("WEBP", "webp"), ("BMP", "png")])
def test_a_data_url_is_in_a_format_that_every_endpoint_takes(form, kind):
    stored = io.BytesIO()
    Image.new("RGB", (60, 40), "red").save(stored, form)
    head, _, data = Picture(stored.getvalue(), None, "").data_url().partition(";base64,")
    assert head == f"data:image/{kind}"
    sent = base64.b64decode(data)
    assert (sent == stored.getvalue()) == (kind == form.lower())
    assert Image.open(io.BytesIO(sent)).format == kind.upper()
