"""Where a response ends in the middle of its thinking."""

import pytest

from mmmath_tasks.metrics.answers.document import closes_unopened, ends_in_thought


@pytest.mark.parametrize(
    "response",
    [
        "<think>So 5 +",
        "<think>\n",
        "<thinking>So \\boxed{5}, or",
        "Well. <Think>So 5 +",
        "<think>a</think>It is 5. <think>But then",
        "<|begin_of_thought|>So",
        "\u25c1think\u25b7So",
        "[THINK]So",
        "<seed:think>So",
        "<|channel|>analysis<|message|>So",
    ],
)
def test_it_does(response):
    assert ends_in_thought(response)


@pytest.mark.parametrize(
    "response",
    [
        "",
        "It is 5.",
        "I think it is 5",
        "<think>So 5.</think>",
        "<think>So 5.</think>It is",
        "So 5.</think>It is 5.",
        "[THINK]So[/THINK]5",
        "<|channel|>analysis<|message|>So<|end|><|start|>assistant<|channel|>final<|message|>5",
        "The set {x | x < think}",
    ],
)
def test_it_does_not(response):
    assert not ends_in_thought(response)


@pytest.mark.parametrize(
    ("prompt", "response", "wanted"),
    [
        ("Q<|im_start|>assistant\n<think>\n", "So 5 +", True),
        ("Q<|im_start|>assistant\n<think>\n", "", True),
        ("Q<|im_start|>assistant\n<think>\n", "So 5.</think>It is 5.", False),
        ("Q<|im_start|>assistant\n<think>\n\n</think>\n\n", "So 5 +", False),
        ("Write <think> before you think.", "So 5 +", False),
        ("", "So 5 +", False),
    ],
)
def test_a_prompt_may_have_opened_it(prompt, response, wanted):
    assert ends_in_thought(response, prompt) is wanted


@pytest.mark.parametrize(
    ("response", "wanted"),
    [("So</think>5", True), ("<think>So</think>5", False), ("So", False), ("So</think>5<think>", True)],
)
def test_thoughts_closed_without_being_opened(response, wanted):
    assert closes_unopened(response) is wanted
