"""A vision-language model small enough to build in a test: Idefics3 with random weights, and a tokenizer of bytes.

Idefics3, because its processor works without torchvision, and a picture costs it four tokens.
"""

from __future__ import annotations

from pathlib import Path

PICTURE = "<image>"
TURN, END, PAD = "<|turn|>", "<|end|>", "<|pad|>"
SIDE, PATCH, SHRINK = 64, 16, 2
CHAT_TEMPLATE = """
{%- for message in messages -%}
    <|turn|>{{ message.role }}:
    {%- if message.content is string -%}
        {{ message.content }}
    {%- else -%}
        {%- for part in message.content -%}
            {%- if part.type == "text" -%}{{ part.text }}{%- else -%}<image>{%- endif -%}
        {%- endfor -%}
    {%- endif -%}
    <|end|>
{%- endfor -%}
{%- if add_generation_prompt -%}<|turn|>assistant:{%- endif -%}
"""


def build(folder: Path, positions: int | None = 8192) -> Path:
    """Save model, tokenizer, processor and chat template into a folder; the same weights every time.

    Neither configuration nor tokenizer names a length where `positions` is None.
    """
    import torch
    import transformers

    torch.manual_seed(20)
    tokenizer = _tokenizer(positions)
    ids = {name: tokenizer.convert_tokens_to_ids(token) for name, token in (("pad", PAD), ("eos", END), ("bos", TURN))}
    specials = {f"{name}_token_id": value for name, value in ids.items()}
    config = transformers.Idefics3Config(
        image_token_id=tokenizer.convert_tokens_to_ids(PICTURE),
        pad_token_id=ids["pad"],
        scale_factor=SHRINK,
        vision_config={
            "hidden_size": 16,
            "intermediate_size": 32,
            "num_hidden_layers": 1,
            "num_attention_heads": 2,
            "image_size": SIDE,
            "patch_size": PATCH,
            "initializer_range": 0.4,
        },
        text_config={"vocab_size": len(tokenizer), "hidden_size": 16, **_language_model(positions), **specials},
    )
    model = transformers.Idefics3ForConditionalGeneration(config).eval()
    model.generation_config = transformers.GenerationConfig(**specials)
    model.save_pretrained(folder)
    reader = getattr(transformers, "Idefics3ImageProcessorPil", transformers.Idefics3ImageProcessor)
    pictures = reader(do_image_splitting=False, size={"longest_edge": SIDE}, max_image_size={"longest_edge": SIDE})
    transformers.Idefics3Processor(
        pictures, tokenizer, image_seq_len=(SIDE // PATCH // SHRINK) ** 2, chat_template=CHAT_TEMPLATE.strip()
    ).save_pretrained(folder)
    return folder


def _language_model(positions: int | None):
    wide = {"initializer_range": 0.4}  # wide enough that another picture or question gets another answer
    if positions is None:  # Bloom's positions have no end, and its configuration has no field for one
        return {"model_type": "bloom", "n_layer": 1, "n_head": 2, **wide}
    return {
        "model_type": "llama",
        "intermediate_size": 32,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "max_position_embeddings": positions,
        **wide,
    }


def _tokenizer(positions: int | None):
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    bytewise = Tokenizer(models.BPE(vocab={letter: number for number, letter in enumerate(alphabet)}, merges=[]))
    bytewise.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bytewise.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=bytewise,
        pad_token=PAD,
        eos_token=END,
        bos_token=TURN,
        padding_side="left",
        model_max_length=positions,
    )
    around = ["<fake_token_around_image>", "<global-img>", "<end_of_utterance>"]
    tokenizer.add_special_tokens({"additional_special_tokens": [PICTURE, *around]})
    return tokenizer
