"""YAML that PyYAML's own reader answers with any kind of error, or with none."""

import pytest
import yaml

from mmmath_tasks import yaml_text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "while parsing"),
        ("[" * 5_000, "nested too deep"),
        ("[" * 101 + "]" * 101, "nested too deep"),
        ("&a [*a]", "nested too deep"),
        ("- &a0 []\n" + "".join(f"- &a{i + 1} [*a{i}]\n" for i in range(200)), "nested too deep"),
        ("a: 2024-13-01", "month must be in 1..12"),
        (f"- {{b: {'1' * 5_000}}}", "Exceeds the limit"),
        (f"- {{b: 0x{'f' * 5_000}}}", "Exceeds the limit"),
        (f"? 0x{'f' * 5_000}\n: b", "Exceeds the limit"),
    ],
    ids=lambda text: text[:9],
)
def test_one_kind_of_error(text, said):
    with pytest.raises(yaml.YAMLError, match=said):
        yaml_text.loads(text)


def test_what_is_yaml_is_read_and_can_be_written():
    deep = "[" * 90 + "]" * 90
    assert yaml_text.loads(f"a: {{1: [x, 2.5, null]}}\nb: {deep}")["a"] == {1: ["x", 2.5, None]}
    read = yaml_text.loads(deep)
    assert yaml_text.loads(yaml.safe_dump(read)) == read


def test_aliases_of_aliases_cost_nothing():
    lines = ["- &a0 [x]", *(f"- &a{i + 1} [{', '.join([f'*a{i}'] * 9)}]" for i in range(50))]
    assert len(yaml_text.loads("\n".join(lines))) == 51
