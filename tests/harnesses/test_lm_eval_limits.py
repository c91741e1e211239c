"""Token limits in the real lm_eval: prompts stay whole, the limit fits, what was cut is counted and said."""

import functools
import json
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses import lm_eval_limits
from mmmath_tasks.harnesses.lm_eval_results import scorecards
from mmmath_tasks.harnesses.lm_eval_servers import LIMIT
from mmmath_tasks.truncation import CutResponse
from support import json_server, mathvista_folder, tiny_vlm
from support.needs import needs, skip_without

COUNT = 3
AT_ONCE = {"eos_token_id": list(range(400))}  # whatever token the model writes ends its response
PICTURE_TOKENS = 4
SLOW = [pytest.mark.slow]
SERVED = [(4_096, "mathvista_testmini", 1), (2_048, "mathvista_testmini_text", 2), (32_768, "mathvista_testmini", 2)]
"""Of all contexts of a server, tasks and numbers of requests at once, those that are tried every time."""
FITTED = [(2_048, "mathvista_testmini"), (4_096, "mathvista_testmini_text"), (32_768, "mathvista_testmini")]
"""Likewise of the contexts of a model of transformers."""


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    """Return the folder of a tiny model of so many positions; None: it names no number."""
    skip_without("hf")
    known = {}

    def model(positions):
        if positions not in known:
            known[positions] = tiny_vlm.build(tmp_path_factory.mktemp(f"tiny{positions}"), positions)
        return known[positions]

    return model


@pytest.fixture
def asked(monkeypatch):
    """What reaches the weights of a model of transformers: (tokens of each prompt, most tokens of a response)."""
    from lm_eval.models.hf_vlms import HFMultimodalLM
    from lm_eval.models.huggingface import HFLM

    seen = []

    def spy(owner, name):
        generate = getattr(owner, name)

        @functools.wraps(generate)  # whose parameters are looked at
        def watched(self, *args, **kwargs):
            prompt = args[0]["input_ids"] if args else kwargs["context"]
            seen.extend((row, kwargs["max_length"] - len(row)) for row in prompt.tolist())
            return generate(self, *args, **kwargs)

        monkeypatch.setattr(owner, name, watched)

    spy(HFMultimodalLM, "_model_multimodal_generate")
    spy(HFLM, "_model_generate")
    return seen


@pytest.fixture
def data(tmp_path):
    return {"data_dir": str(mathvista_folder.write(tmp_path / "data", count=COUNT))}


def go(run, folder, task, metadata, **options):
    """Run a task with a tiny model, the default limit and responses of one token."""
    arguments = {"model_args": f"pretrained={folder}", "device": "cpu", "apply_chat_template": True}
    return run("hf-multimodal", task, metadata=metadata, **{**arguments, "gen_kwargs": AT_ONCE, **options})


def whole(folder, tokens, results, task):
    """Say whether the tokens that reached the model are the prompts, from their first to their last, with pictures."""
    from transformers import AutoProcessor

    processor = AutoProcessor.from_pretrained(folder)
    texts = sorted(sample["arguments"][0][0] for sample in results["samples"][task])
    marks = {tiny_vlm.PICTURE, "<fake_token_around_image>", "<global-img>"}
    found = []
    for row in tokens:
        text = processor.decode([token for token in row if token != processor.tokenizer.pad_token_id])
        assert text.count(tiny_vlm.PICTURE) == (PICTURE_TOKENS if "<image>" in texts[0] else 0)
        for mark in marks:
            text = text.replace(mark, "")
        found.append(text)
    return sorted(found) == sorted(text.replace("<image>", "") for text in texts)


@pytest.mark.parametrize(
    ("positions", "task"),
    [
        pytest.param(positions, task, marks=[] if (positions, task) in FITTED else SLOW)
        for positions in (2_048, 4_096, 8_192, 32_768)
        for task in ("mathvista_testmini", "mathvista_testmini_text")
    ],
)
def test_the_limit_is_what_the_context_leaves_and_prompts_are_whole(run, models, asked, data, caplog, positions, task):
    results = go(run, models(positions), task, data)
    tokens = [row for row, _ in asked]
    assert whole(models(positions), tokens, results, task)
    longest = max(map(len, tokens))
    limit = min(LIMIT, positions - longest)
    assert {most for _, most in asked} == {limit}
    assert scorecards(results)[task].provenance["generation"]["max_gen_toks"] == limit
    assert results["configs"][task]["generation_kwargs"]["max_gen_toks"] == limit
    said = [record.message for record in caplog.records if "max_gen_toks" in record.message]
    bounded = [line for line in said if "less than 16,384" in line]
    assert len(bounded) == (limit < LIMIT)
    if bounded:
        assert f"the context is {positions:,} tokens" in bounded[0]
        assert f"{task} {limit:,} (longest prompt {longest}, problem " in bounded[0]


@pytest.mark.parametrize("task", ["mathvista_testmini", "mathvista_testmini_text"])
def test_a_model_that_names_no_length_is_not_cut_at_lm_evals_2048(run, models, asked, data, tmp_path, caplog, task):
    for file in (tmp_path / "data").glob("*.json"):
        rows = json.loads(file.read_text())
        for row in rows.values():
            row["query"] = row["query"] + " " + "so " * 800
        file.write_text(json.dumps(rows))
    results = go(run, models(None), task, data)
    assert whole(models(None), [row for row, _ in asked], results, task)
    assert min(len(row) for row, _ in asked) > 2_048
    assert {most for _, most in asked} == {LIMIT}
    said = [record.message for record in caplog.records if "no context length is known" in record.message]
    assert len(said) == 1
    assert "--model_args max_length=N" in said[0]


def test_a_user_names_the_context_that_a_model_does_not(run, models, asked, data):
    go(run, models(None), "mathvista_testmini", data, model_args=f"pretrained={models(None)},max_length=3000")
    assert {most for _, most in asked} == {3_000 - max(len(row) for row, _ in asked)}


def test_a_prompt_that_does_not_fit_stops_the_run_before_anything_is_asked(run, models, asked, data):
    arguments = f"pretrained={models(2_048)},max_length=120"
    with pytest.raises(
        InputError, match=r"the context is 120 tokens, the longest prompt.* tokens \(problem \d\).*max_"
    ):
        go(run, models(2_048), "mathvista_testmini", data, model_args=arguments)
    assert asked == []


@pytest.mark.parametrize("name", ["max_gen_toks", "max_new_tokens", "max_tokens"])
def test_a_users_limit_is_the_limit_whatever_its_name(run, models, asked, data, name):
    results = go(run, models(8_192), "mathvista_testmini", data, gen_kwargs={name: 5, **AT_ONCE})
    assert {most for _, most in asked} == {5}
    assert scorecards(results)["mathvista_testmini"].provenance["generation"]["max_gen_toks"] == 5


@pytest.mark.parametrize("wrong", ["0", "many"])
def test_a_limit_that_is_none_is_refused(run, models, data, wrong):
    with pytest.raises(InputError, match=f"max_gen_toks={wrong}: expected a whole number of tokens"):
        go(run, models(8_192), "mathvista_testmini", data, gen_kwargs=f"max_gen_toks={wrong}")


def test_a_models_own_limit_does_not_go_before_ours(run, models, asked, data, tmp_path, monkeypatch):
    from transformers import GenerationMixin

    folder = tiny_vlm.build(tmp_path / "model")
    settings = json.loads((folder / "generation_config.json").read_text())
    (folder / "generation_config.json").write_text(json.dumps({**settings, "max_new_tokens": 3}))
    lengths = []
    generate = GenerationMixin.generate

    def measured(self, *args, **kwargs):
        made = generate(self, *args, **kwargs)
        lengths.append(made.shape[1] - kwargs["input_ids"].shape[1])
        return made

    monkeypatch.setattr(GenerationMixin, "generate", measured)
    results = go(run, folder, "mathvista_testmini", data, gen_kwargs="max_gen_toks=7")
    assert max(lengths) == 7
    assert results["results"]["mathvista_testmini"]["truncated,none"] == lengths.count(7) / COUNT


@pytest.mark.parametrize("task", ["mathvista_testmini", "mathvista_testmini_text"])
def test_responses_that_a_model_did_not_end_are_counted(run, models, data, caplog, task):
    cut = go(run, models(8_192), task, data, gen_kwargs="max_gen_toks=2", batch_size=2)
    assert cut["results"][task]["truncated,none"] == 1
    card = scorecards(cut)[task]
    assert (card.counts["truncated"], card.value("share_truncated")) == (COUNT, 1)
    (line,) = [record.message for record in caplog.records if record.message.startswith("truncated: ")]
    assert line == (
        f"truncated: 3 of 3 responses (100.0 %) of {task} were cut before they ended; --gen_kwargs max_gen_toks=4 "
        "gives them more room"
    )
    assert all(sample["extracted"]["truncated"] for sample in cut["samples"][task])
    caplog.clear()
    ended = go(run, models(8_192), task, data, batch_size=2)
    assert ended["results"][task]["truncated,none"] == 0
    assert scorecards(ended)[task].counts["truncated"] == 0
    assert "truncated: " not in caplog.text


def test_in_a_batch_only_those_without_an_end_were_cut(run, models, data):
    task = "mathvista_testmini_text"
    first = {}
    for sample in go(run, models(8_192), task, data, gen_kwargs="max_gen_toks=1")["samples"][task]:
        first[sample["doc"]["id"]] = sample["resps"][0][0]
    end = next(iter(first.values()))
    results = go(run, models(8_192), task, data, gen_kwargs={"max_gen_toks": 1, "until": [end]}, batch_size=3)
    for sample in results["samples"][task]:
        assert sample["extracted"]["truncated"] is (end not in first[sample["doc"]["id"]])


def test_what_was_cut_stays_so_in_lm_evals_cache(run, models, data, tmp_path):
    for _ in range(2):
        results = go(
            run,
            models(8_192),
            "mathvista_testmini",
            data,
            gen_kwargs="max_gen_toks=2",
            use_cache=str(tmp_path / "cache"),
        )
        assert results["results"]["mathvista_testmini"]["truncated,none"] == 1


@needs("hf")
@pytest.mark.slow
def test_a_prompt_that_opens_the_thinking(run, tmp_path, data):
    folder = tiny_vlm.build(tmp_path / "thinking")
    template = tiny_vlm.CHAT_TEMPLATE.strip().replace("assistant:", "assistant:<think>")
    for file in folder.glob("chat_template*"):
        file.write_text(template)
    results = go(run, folder, "mathvista_testmini", data)
    assert results["samples"]["mathvista_testmini"][0]["arguments"][0][0].endswith("<think>")
    assert results["results"]["mathvista_testmini"]["truncated,none"] == 1


def test_the_model_is_as_before_when_a_run_ends(run, models, data):
    from lm_eval.models.hf_vlms import HFMultimodalLM

    model = HFMultimodalLM(pretrained=str(models(None)), device="cpu")
    before = {name: id(value) for name, value in vars(model).items()}
    run(model, "mathvista_testmini_text", metadata=data, gen_kwargs=AT_ONCE)
    assert {name: id(value) for name, value in vars(model).items()} == before


def test_every_task_names_the_limit():
    from mmmath_tasks.harnesses.task_files import content_of, tasks

    assert {name: content_of(name)["generation_kwargs"]["max_gen_toks"] for name in tasks()} == dict.fromkeys(
        tasks(), LIMIT
    )


@contextmanager
def serving(context, reason="stop", content="It is (B).", prompts=None):
    """Serve a model that refuses what does not fit its context, as vLLM does; yields (url, the limits asked).

    Prompts that come as tokens are added to `prompts`.
    """
    limits = []

    def answer(body):
        limits.append(body["max_tokens"])
        if "prompt" in body:  # tokens, as local-completions sends them
            prompts.append(body["prompt"][0])
            return 200, {"choices": [{"index": 0, "text": content, "finish_reason": reason}]}
        prompt = body["messages"][-1]["content"]
        length = sum(len(part.get("text", "")) for part in prompt) if isinstance(prompt, list) else len(prompt)
        if length + body["max_tokens"] > context:
            return 400, {"message": f"This model's maximum context length is {context} tokens."}
        return 200, json_server.chat_completion(content, reason)

    with json_server.serving(answer) as url:
        yield f"{url}/chat/completions", limits


def chat(run, url, task, metadata, concurrent=1, **options):
    arguments = f"base_url={url},model=x,num_concurrent={concurrent},max_retries=1"
    return run(
        "local-chat-completions", task, model_args=arguments, metadata=metadata, apply_chat_template=True, **options
    )


@pytest.mark.parametrize(
    ("context", "taken", "task", "concurrent"),
    [
        pytest.param(context, taken, task, concurrent, marks=[] if (context, task, concurrent) in SERVED else SLOW)
        for context, taken in ((2_048, 1_024), (4_096, 2_048), (8_192, 4_096), (32_768, LIMIT))
        for task in ("mathvista_testmini", "mathvista_testmini_text")
        for concurrent in (1, 2)
    ],
)
def test_a_server_that_refuses_the_default_gets_a_smaller_one(run, data, caplog, context, taken, task, concurrent):
    with serving(context) as (url, limits):
        results = chat(run, url, task, data, concurrent)
    assert results["n-samples"][task]["effective"] == COUNT
    assert all(sample["resps"] == [["It is (B)."]] for sample in results["samples"][task])
    assert min(limits) == taken
    assert scorecards(results)[task].provenance["generation"]["max_gen_toks"] == taken
    said = [record.message for record in caplog.records if record.message.startswith("the server refuses")]
    assert len(said) == (taken < LIMIT)
    if said:
        assert "status 400" in said[0]
        assert f"{taken:,}, which it takes, is used from here on; --gen_kwargs max_gen_toks=N" in said[0]


@pytest.mark.parametrize("concurrent", [1, 2])
def test_a_users_limit_that_a_server_refuses_is_not_changed(run, data, concurrent):
    with (
        serving(8_192) as (url, limits),
        pytest.raises(InputError, match=r"refuses .* max_gen_toks 20000 .*status 400"),
    ):
        chat(run, url, "mathvista_testmini", data, concurrent, gen_kwargs="max_gen_toks=20000")
    assert set(limits) == {20_000}


def test_a_server_that_refuses_everything_is_quoted(run, data):
    with serving(10) as (url, limits), pytest.raises(InputError, match=r"down to 256 .*maximum context length is 10"):
        chat(run, url, "mathvista_testmini", data)
    assert limits == [LIMIT, 8_192, 4_096, 2_048, 1_024, 512, 256]


@pytest.mark.parametrize(
    ("reason", "content", "concurrent"),
    [
        ("length", "so 5 +", 1),
        ("length", None, 2),
        ("stop", "<think>so 5 + 6", 1),
        pytest.param("length", "so 5 +", 2, marks=SLOW),
        pytest.param("length", None, 1, marks=SLOW),
        pytest.param("stop", "<think>so 5 + 6", 2, marks=SLOW),
    ],
)
def test_what_a_server_cut_is_counted(run, data, caplog, reason, content, concurrent):
    task = "mathvista_testmini"
    with serving(32_768, reason, content) as (url, _):
        results = chat(run, url, task, data, concurrent)
    assert results["results"][task]["truncated,none"] == 1
    assert scorecards(results)[task].counts["truncated"] == COUNT
    assert f"of {task} were cut before they ended; --gen_kwargs max_gen_toks=32768" in caplog.text


@pytest.mark.parametrize("length", [None, 3_000])
def test_a_server_that_gets_tokens_gets_all_of_them(run, models, data, length):
    task = "mathvista_testmini_text"
    prompts = []
    with serving(32_768, "length", prompts=prompts) as (url, limits):
        arguments = {"base_url": url, "model": "x", "tokenizer": str(models(8_192)), "tokenizer_backend": "huggingface"}
        results = run(
            "local-completions",
            task,
            model_args={**arguments, **({"max_length": length} if length else {})},
            metadata=data,
        )
    wanted = sorted(len(sample["arguments"][0][0].encode()) for sample in results["samples"][task])
    assert sorted(map(len, prompts)) == wanted
    assert set(limits) == {length - 1 - wanted[-1] if length else LIMIT}
    assert results["results"][task]["truncated,none"] == 1


class VLLM:
    """VLLM is not installed here: this has what its lm-eval models have, and returns what they do."""

    rank, world_size, _DEFAULT_MAX_LENGTH = 0, 1, 2_048
    image_width = image_height = image_max_side = None

    def __init__(self, context=4_096, processor=None, **arguments):
        from lm_eval.api.model import CacheHook

        self.max_length, self.processor = context, processor
        self.model_args = {"max_model_len": context, **arguments}
        self.cache_hook = CacheHook(None)
        self.prompts = []

    def tok_encode(self, text):
        return text.split()

    def tok_batch_multimodal_encode(self, strings, images):
        return [{"prompt": s, "multi_modal_data": {"image": i}} for s, i in zip(strings, images, strict=True)]

    def _model_generate(self, requests, **_):
        self.prompts += requests
        reasons = ["length", "stop"]
        return [SimpleNamespace(outputs=[SimpleNamespace(text=r, finish_reason=r)]) for r in reasons]

    _multimodal_model_generate = _model_generate

    def generate_until(self, requests):
        texts = [made.outputs[0].text for made in self._multimodal_model_generate([r.args[0] for r in requests])]
        for request, text in zip(requests, texts, strict=True):
            self.cache_hook.add_partial("generate_until", request.args, text)
        return texts


class Counting:
    """A model's processor: 10 tokens for a word, one for 28 pixels of a picture's width."""

    image_processor = None

    def __call__(self, *, text, images, return_tensors, patch=28):
        if patch == 0:
            raise ZeroDivisionError("no patch\nof that size")
        widths = [picture.width // patch for pictures in images for picture in pictures]
        return {"input_ids": [[0] * (10 * len(text[0].split()) + sum(widths))]}


def ask_vllm(model, widths=()):
    """Ask two questions, of 4 words and, where a width is given, a picture; returns responses, limit and limits."""
    from PIL import Image

    config = SimpleNamespace(task="t", generation_kwargs={"max_gen_toks": LIMIT})
    requests = [
        SimpleNamespace(
            doc={"id": str(n), "benchmark": "mathvista", "provenance": {}},
            task_name="t",
            args=(
                f"a prompt of {n}",
                {"max_gen_toks": LIMIT},
                *([{"visual": [Image.new("L", (widths[n], 28))]}] if widths else []),
            ),
        )
        for n in range(2)
    ]
    with lm_eval_limits.within(model, [SimpleNamespace(config=config)]) as limits:
        return model.generate_until(requests), config.generation_kwargs["max_gen_toks"], limits


@pytest.mark.parametrize("widths", [(), (28, 56)], ids=["text", "pictures"])
def test_vllm_says_why_a_response_ended(widths):
    model = VLLM(processor=Counting())
    before = dict(vars(model))
    (cut, ended), *_ = ask_vllm(model, widths)
    assert isinstance(cut, CutResponse)
    assert not isinstance(ended, CutResponse)
    assert vars(model) == before


@pytest.mark.parametrize(
    ("side", "options", "longest"),
    [(None, {}, 40 + 20), (280, {}, 40 + 10), (None, {"mm_processor_kwargs": {"patch": 56}}, 40 + 10)],
)
def test_the_prompts_of_vllm_are_measured_with_their_pictures(caplog, side, options, longest):
    model = VLLM(processor=Counting(), **options)
    model.image_max_side = side
    _, limit, limits = ask_vllm(model, (28, 560))
    assert limit == 4_096 - longest
    assert f"no prompt is cut, pictures counted: t {limit:,} (longest prompt {longest}, problem 1)" in caplog.text
    assert "max_model_len=N" in limits.remedy()


def test_a_prompt_too_long_for_vllm_stops_the_run_and_names_its_arguments():
    model = VLLM(50, Counting())
    with pytest.raises(InputError, match=r"context is 50 .* takes 60 tokens \(problem 1\)") as told:
        ask_vllm(model, (28, 560))
    assert "image_max_side=N" in str(told.value)
    assert "max_model_len=N" in str(told.value)
    assert "max_pixels" not in str(told.value)
    assert "max_length" not in str(told.value)
    assert model.prompts == []


@pytest.mark.parametrize(
    ("processor", "options", "reason"),
    [(str, {}, "type reads no pictures"), (Counting(), {"patch": 0}, "Counting: no patch")],
    ids=["a tokenizer", "one that fails"],
)
def test_where_only_vllm_can_count_it_is_said(caplog, processor, options, reason):
    (_, limit, limits) = ask_vllm(VLLM(50, processor, mm_processor_kwargs=options), (28, 560))
    assert limit == LIMIT
    (said,) = [record.message for record in caplog.records]
    caplog.clear()
    second = VLLM(50, processor, mm_processor_kwargs=options)
    second.rank = 1
    ask_vllm(second, (28, 560))
    assert not caplog.records  # said once, however many processes
    assert said.startswith(f"t: prompts with pictures are not measured ({reason}); max_gen_toks is 16,384 as asked")
    assert limits.remedy() == "--gen_kwargs max_gen_toks=32768 gives them more room"


def test_a_real_processor_counts_for_vllm_what_it_counts_in_lm_eval(models):
    from lm_eval.models.hf_vlms import HFMultimodalLM
    from PIL import Image

    from mmmath_tasks.harnesses.lm_eval_prompts import tokens

    model = HFMultimodalLM(pretrained=str(models(8_192)), device="cpu", image_max_side=40)
    double = VLLM(processor=model.processor)
    double.image_max_side = 40
    for size in ((30, 30), (90, 20), (200, 600)):
        request = SimpleNamespace(args=("What is <image> here?", {}, {"visual": [Image.new("RGB", size)]}))
        assert tokens(double, request) == tokens(model, request) > 20


@pytest.mark.parametrize(("reason", "content"), [("stop", "It is (B)."), ("content_filter", None)])
def test_what_a_server_ended_is_not(run, data, reason, content):
    with serving(32_768, reason, content) as (url, _):
        results = chat(run, url, "mathvista_testmini", data)
    assert results["results"]["mathvista_testmini"]["truncated,none"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "cut",
    [
        "<think>\nLet me see, {} and \\frac{{1}}{{2}} are",
        "<think>\nSo \\boxed{{{}}} it may be, but wait",
        "[THINK]So {}",
    ],
    ids=["plain", "box", "Mistral"],
)
def test_a_thousand_cut_thoughts(run, tmp_path, caplog, capsys, cut):
    from mmmath_tasks.cli import main

    plain = mathvista_folder.rows()
    for row in plain:
        del row["decoded_image"]
    rows = {str(n): {**plain[n % len(plain)], "pid": str(n), "image": f"images/{n}.jpg"} for n in range(1, 1_001)}
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "testmini.json").write_text(json.dumps(rows))
    file = tmp_path / "cut.json"
    file.write_text(json.dumps({pid: cut.format(pid) for pid in rows}))
    metadata = {"data_dir": str(tmp_path / "data")}
    results = run("mmmath-replay", "mathvista_testmini", model_args=f"responses={file}", metadata=metadata)
    assert results["results"]["mathvista_testmini"]["truncated,none"] == 1
    card = scorecards(results)["mathvista_testmini"]
    assert (card.counts["truncated"], card.value("share_truncated")) == (1_000, 1)
    warning = "truncated: 1,000 of 1,000 responses (100.0 %) of {} were cut before they ended; ask the model again with"
    assert caplog.text.count(warning.format("mathvista_testmini")) == 1

    arguments = ["rescore", str(file), "--benchmark", "mathvista", "--data", str(tmp_path / "data")]
    assert main([*arguments, "--out", str(tmp_path / "out")]) == 0
    assert warning.format("cut") in " ".join(capsys.readouterr().out.split())
    card = json.loads((tmp_path / "out" / "scorecard_cut.json").read_text())
    assert card["counts"]["truncated"] == 1_000
    assert [s["value"] for s in card["scores"] if s["metric"] == "share_truncated"] == [1]
