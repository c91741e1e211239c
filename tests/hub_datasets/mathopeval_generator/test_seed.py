"""A secret seed: another set of the same distribution, and nothing in it or beside it that gives the seed away."""

import json
import re

import pytest

from mmmath_tasks.cli import main
from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.mathopeval_generator.seed import digest, private_seed
from support.needs import needs

pytestmark = pytest.mark.medium


def build(tmp_path, name, *words):
    status = main(["hub", "build", "mathopeval", "--out", str(tmp_path / name), "--samples", "1", *map(str, words)])
    return status, tmp_path / name


def test_a_seed_file_is_read_whatever_surrounds_it(tmp_path):
    (tmp_path / "one").write_text("0123456789abcdef0123456789abcdef\n")
    (tmp_path / "two").write_text("0123456789abcdef0123456789abcdef")
    (tmp_path / "other").write_text("0123456789abcdef0123456789abcdee")
    one, two, other = (private_seed(tmp_path / name) for name in ("one", "two", "other"))
    assert one == two != other
    assert digest(one) != digest(other)
    assert re.fullmatch(r"[0-9a-f]{64}", digest(one))
    assert f"{one:x}" not in digest(one)


@pytest.mark.parametrize(("held", "why"), [("42", "2 bytes are no secret"), ("a" * 40, "40 bytes are no secret")])
def test_what_could_be_guessed_is_refused(tmp_path, held, why):
    (tmp_path / "seed").write_text(held)
    with pytest.raises(InputError, match=f"seed: {why}; expected 16 random ones or more"):
        private_seed(tmp_path / "seed")
    with pytest.raises(InputError, match="nowhere: the seed cannot be read"):
        private_seed(tmp_path / "nowhere")


@needs("sandbox")
def test_card_and_record_name_the_digest_and_never_the_seed(tmp_path):
    held = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    (tmp_path / "seed").write_text(held)
    status, out = build(tmp_path, "out", "--seed-file", tmp_path / "seed")
    assert status == 0
    record = json.loads((out / "build.json").read_text())
    secret = private_seed(tmp_path / "seed")
    assert record["source"] == {"kind": "generated", "edition": 2, "seed_digest": digest(secret), "samples": 1}
    card = (out / "README.md").read_text()
    assert digest(secret) in card
    assert "`mmmath hub build mathopeval --edition 2 --samples 1 --seed-file FILE`" in card
    everything = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert held.encode() not in everything
    assert str(secret).encode() not in everything
    again = build(tmp_path, "again", "--seed-file", tmp_path / "seed")[1]
    public = build(tmp_path, "public")[1]
    texts = [next((folder / "data").rglob("mc-*")).read_bytes() for folder in (out, again, public)]
    assert texts[0] == texts[1] != texts[2]
    assert json.loads((public / "build.json").read_text())["source"]["seed"] == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--seed", "3", "--seed-file", "FILE"), "a set has one seed: name --seed or --seed-file, not both"),
        (("--edition", "3"), "mathopeval has the editions 1, 2, no 3"),
    ],
)
def test_wrong_options_are_one_message(tmp_path, capsys, words, why):
    (tmp_path / "seed").write_text("0f1e2d3c4b5a69788796a5b4c3d2e1f0")
    words = [str(tmp_path / "seed") if word == "FILE" else word for word in words]
    assert build(tmp_path, "out", *words)[0] == 2
    assert why in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["seed"]
