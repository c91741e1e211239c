"""The language-model judge: any OpenAI-compatible endpoint, asked concurrently, every answer cached as it arrives.

`engine.Judge` asks questions that `prompt` builds; one module a judged metric turns the answers into verdicts. A judge
that fails leaves an item unscored with its cause, never wrong. Needs the extra `judge` (httpx2, pydantic).
"""
