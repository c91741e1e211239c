"""A small HTTP server that speaks the OpenAI chat protocol and misbehaves on demand.

It imports nothing of mmmath_tasks, so that it is an independent witness: a rule-following judge that reads the
material between the markers of a prompt, and nothing else, and a log of every request and of what was sent back.

    python chat_server.py [--faults 0.3] [--delay 0.2] [--seed 0] [--log FILE] [--key KEY] [--gate FILE]

prints the port it listens on (loopback only) and serves until it is killed.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import random
import re
from collections import Counter
from pathlib import Path

FAULTS = ("429", "429_date", "500", "timeout", "drop", "half_body", "half_json", "prose", "empty", "not_json", "echo")
MARKED = re.compile(r"<<<([A-Z_]+) ([0-9a-f]{12})>>>\n(.*?)\n<<<END \1 \2>>>", re.DOTALL)


def material(messages: list[dict]) -> dict[str, str]:
    """Return the marked parts of the user's message by name."""
    content = next(m["content"] for m in messages if m["role"] == "user")
    text = content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
    return {name.lower(): body for name, _, body in MARKED.findall(text)}


def last_answer(text: str) -> str:
    """The rule of this judge: what stands after the last "The answer is", else nothing."""
    found = re.findall(r"The answer is:? (\S+?)\.?(?:\s|$)", text)
    return found[-1] if found else ""


def plain_judge(text: str) -> str:
    """Answer prompts in the form of MathVerse's authors: no system message, no JSON, the last block is the question."""
    if text.endswith("Extracted Answer: "):
        response = text.rpartition("Model response: '")[2].removesuffix("'\nExtracted Answer: ")
        return f"Extracted Answer: {last_answer(response) or 'none'}"
    block = text.rpartition("[Question]: ")[2]
    gold, answer = (re.search(rf"\[{name}\] ?: (.*)", block)[1].strip() for name in ("Standard Answer", "Model_answer"))
    if gold == "unclear":
        return "They may well agree."
    return f"Judgement: {int(gold == answer)}"


def judge(messages: list[dict]) -> str:
    """Answer as a judge who follows its instructions and treats the material as data."""
    if len(messages) == 1:
        return plain_judge(messages[0]["content"])
    system = messages[0]["content"]
    parts = material(messages)
    response = parts.get("response", "")
    if '"extracted_answer"' in system:
        return json.dumps({"extracted_answer": last_answer(response) or None})
    if '"agrees"' in system:
        return json.dumps({"agrees": int(parts["answer"].strip() == parts["reference"].strip())})
    if '"steps"' in system:
        steps = [line for line in response.splitlines() if line.startswith("Step")]
        return json.dumps({"steps": steps, "final_answer": last_answer(response) or None})
    if '"verdicts"' in system:
        steps = re.findall(r"^\d+\. (.*)$", parts["steps"], re.MULTILINE)
        marks = [{"correct": int("wrong" not in step), "analysis": "as marked"} for step in steps]
        right = int(parts["final_answer"].strip() == parts["reference"].strip())
        return json.dumps({"verdicts": marks, "answer": {"correct": right, "analysis": "compared"}})
    if '"error_type"' in system:
        offered = re.findall(r'"([a-z_]+)": ', system.split('"error_type" is one of: ')[1])
        chosen = next((name for name in offered if re.search(rf"\b{name}\b", response)), offered[0])
        return json.dumps({"error_type": chosen, "analysis": "as the response names it"})
    if '"score"' in system:
        same = parts["generated"].strip() == parts["reference"].strip()
        items = ["bar A", "bar B"]
        return json.dumps(
            {
                "reference_elements": items,
                "generated_elements": items[: 2 if same else 1],
                "content": "x",
                "position": "x",
                "code": "x",
                "completeness": "x",
                "score": 10 if same else 5,
            }
        )
    return json.dumps({"reply": response})


class Server:
    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.attempts: Counter[str] = Counter()
        self.seen = 0
        self.log = Path(args.log).open("a", buffering=1) if args.log else None  # noqa: SIM115

    def fault(self, key: str) -> str:
        """Pick the fault of this attempt: the same for the same request, attempt and seed."""
        self.attempts[key] += 1
        dice = random.Random(f"{self.args.seed} {key} {self.attempts[key]}")
        if dice.random() >= self.args.faults:
            return ""
        return dice.choice(self.args.only.split(",") if self.args.only else FAULTS)

    def bad_judge(self, messages: list[dict]) -> str:
        """Answer as a judge who obeys the response, or believes whatever stands in one place; "" as a good one."""
        parts = material(messages)
        if self.args.gullible and "Answer 1." in parts.get("response", ""):
            return '{"extracted_answer": "1"}'
        if self.args.biased and "answer" in parts:
            return json.dumps({"agrees": int(parts["answer"] == "7")})
        return ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = int(re.search(rb"content-length: (\d+)", head, re.IGNORECASE)[1])
                body = json.loads(await reader.readexactly(length))
                if not await self.answer(head.decode("latin-1"), body, writer):
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def answer(self, head: str, body: dict, writer: asyncio.StreamWriter) -> bool:
        messages = body["messages"]
        asked = [m for m in messages if m["role"] != "assistant"][:2]
        key = hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:16]
        fault = self.fault(key)
        if self.args.delay:
            await asyncio.sleep(self.args.delay)
        while self.args.gate and self.seen >= int(Path(self.args.gate).read_text() or 0):
            await asyncio.sleep(0.02)
        self.seen += 1
        if self.log:
            record = {"key": key, "fault": fault, "repair": len(messages) > 2, "path": head.split(" ")[1]}
            if self.args.full:
                record["body"] = body
            self.log.write(json.dumps(record) + "\n")
        if self.args.key and f"authorization: Bearer {self.args.key}".lower() not in head.lower():
            return await self.send(writer, 401, {"error": {"message": f"bad key in {head}"}})
        if fault == "429":
            return await self.send(writer, 429, {"error": {"message": "slow down"}}, "Retry-After: 0.05\r\n")
        if fault == "429_long":
            return await self.send(writer, 429, {}, f"Retry-After: {random.uniform(400, 500)}\r\n")
        if fault == "429_date":
            return await self.send(writer, 429, {}, "Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\n")
        if fault == "quota":
            return await self.send(writer, 429, {"error": {"message": "no money", "code": "insufficient_quota"}})
        if fault in ("500", "echo"):
            return await self.send(writer, 500, {"error": {"message": head if fault == "echo" else "oops"}})
        if fault == "timeout":
            await asyncio.sleep(self.args.hang)
            return False
        if fault == "drop":
            return False
        good = self.bad_judge(messages) or judge(messages)
        text = {
            "half_json": good[: len(good) // 2],
            "prose": f"Sure! Here is the verdict:\n{good}\nHope this helps.",
            "empty": "",
            "not_json": "I would say it is right.",
        }.get(fault, good)
        reply = {
            "id": "x",
            "object": "chat.completion",
            "model": body["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": len(json.dumps(messages)) // 4, "completion_tokens": len(text) // 4},
        }
        reply["usage"] = {
            "usage_huge": {"prompt_tokens": 10**30, "completion_tokens": 10**30},
            "usage_list": [1, 2],
            "usage_text": "12 tokens",
            "usage_of_texts": {"prompt_tokens": "12", "completion_tokens": True},
            "usage_below_0": {"prompt_tokens": -1, "completion_tokens": -5.5},
        }.get(fault, reply["usage"])
        return await self.send(writer, 200, reply, cut=fault == "half_body")

    async def send(
        self, writer: asyncio.StreamWriter, status: int, body: dict, head: str = "", cut: bool = False
    ) -> bool:
        data = json.dumps(body).encode()
        top = f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n{head}Content-Length: {len(data)}\r\n\r\n"
        writer.write(top.encode() + (data[: len(data) // 2] if cut else data))
        await writer.drain()
        return not cut


async def main(args: argparse.Namespace) -> None:
    server = await asyncio.start_server(Server(args).serve, "127.0.0.1", args.port, limit=1 << 26)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--faults", type=float, default=0.0)
    parser.add_argument("--only", default="", help="the kinds of fault, comma-separated; all by default")
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--hang", type=float, default=5.0)
    parser.add_argument("--gate", default="", help="a file that says how many requests may pass so far")
    parser.add_argument("--seed", default="0")
    parser.add_argument("--log", default="")
    parser.add_argument("--full", action="store_true", help="log whole bodies")
    parser.add_argument("--key", default="")
    parser.add_argument("--gullible", action="store_true", help="obey orders inside the response")
    parser.add_argument("--biased", action="store_true", help="judge by one of two places only")
    asyncio.run(main(parser.parse_args()))
