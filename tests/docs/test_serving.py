"""The command for a server of OpenAI's protocol, as the page on serving prints it, over one on this machine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import json_server, mathvista_folder

PAGE = Path(__file__).resolve().parents[2] / "docs/howto/serving.md"
COUNT = 5


@pytest.mark.slow
@pytest.mark.parametrize("model", ["local-chat-completions", "openai-chat-completions"])
def test_the_command_for_an_api_asks_with_pictures(tmp_path, model):
    printed = next(b for b in PAGE.read_text().split("```sh\n") if "local-chat-completions" in b).partition("```")[0]
    asked = []

    def answer(body):
        asked.append(body)
        return 200, json_server.chat_completion("The answer is (A).", "length" if len(asked) == 1 else "stop")

    with json_server.serving(answer) as url:
        command = printed.replace("local-chat-completions", model).replace("http://localhost:8000/v1", url)
        assert f"base_url={url}/chat/completions,num_concurrent=16" in command
        environment = os.environ | {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "MMMATH_DATA": str(mathvista_folder.write(tmp_path / "data", count=COUNT)),
            "OPENAI_API_KEY": "not-a-key",
            "HF_HUB_OFFLINE": "1",
        }
        done = subprocess.run(
            ["bash", "-euc", command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
        )
    assert done.returncode == 0, done.stderr
    assert len(asked) == COUNT
    for body in asked:
        (message,) = body["messages"]
        assert [part["type"] for part in message["content"]] == ["image_url", "text"]
        assert body["model"] == "NAME"
    card = json.loads(next(tmp_path.glob("out/*/scorecard_*.json")).read_text())
    assert (card["counts"]["scored"], card["counts"]["truncated"]) == (COUNT, 1)
    assert card["provenance"]["task"] == "mathvista_testmini"
    assert "not-a-key" not in done.stdout + done.stderr
