"""A model behind an OpenAI-compatible endpoint on loopback that answers from a list and keeps what it was sent."""

from contextlib import contextmanager

from support import json_server


@contextmanager
def serving(answers):
    """Serve a model that answers each prompt with `answers[prompt]`.

    Yields:
        the base URL, and the list to which the content of each message is added as it arrives.
    """
    asked = []

    def answer(body):
        if body is None:
            return 200, {"data": [{"id": "scripted", "object": "model"}], "object": "list"}
        content = body["messages"][-1]["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        asked.append(parts)
        prompt = "".join(part["text"] for part in parts if part["type"] == "text")
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return 200, json_server.chat_completion(answers[prompt], created=0, model="scripted", usage=usage)

    with json_server.serving(answer) as url:
        yield url, asked
