"""How much memory a run's pictures take: python perf/picture_memory.py [count] [megapixels]. One row a stage."""

from __future__ import annotations

import io
import json
import resource
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from mmmath_tasks.harnesses import lm_eval as glue


def resident() -> float:
    """Return this process's resident memory now, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def folder(count: int, megapixels: float) -> Path:
    made = Path(tempfile.mkdtemp())
    (made / "images").mkdir()
    side = int((megapixels * 1e6) ** 0.5)
    noise = np.random.default_rng(0).normal(0, 9, (side, side, 3)) + np.linspace(0, 230, side)[:, None, None]
    out = io.BytesIO()
    Image.fromarray(noise.clip(0, 255).astype(np.uint8)).save(out, "JPEG", quality=85)
    metadata = {"task": "figure question answering", "skills": [], "language": "english"}
    common = {"question": "?", "choices": ["a", "b"], "unit": None, "precision": None, "answer": "a"}
    rows = {}
    for pid in map(str, range(1, count + 1)):
        (made / f"images/{pid}.jpg").write_bytes(out.getvalue())
        kinds = {"question_type": "multi_choice", "answer_type": "text", "metadata": metadata}
        rows[pid] = {"image": f"images/{pid}.jpg", **common, **kinds}
    (made / "testmini.json").write_text(json.dumps(rows))
    print(f"{count} pictures of {megapixels} megapixels, {len(out.getvalue()) / 1e6:.2f} MB each as JPEG")
    return made


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    megapixels = float(sys.argv[2]) if len(sys.argv) > 2 else 1.5
    home = folder(count, megapixels)
    glue.load(benchmark="mathvista", split="sample")
    start = resident()
    docs = glue.load(benchmark="mathvista", split="testmini", data_dir=str(home))["test"]
    print(f"{'rows loaded':<34}{resident() - start:8.0f} MB")
    requests = [(doc, glue.doc_to_image(doc)) for doc in docs]
    print(f"{'requests built, pictures checked':<34}{resident() - start:8.0f} MB")
    for _, pictures in requests:
        pictures[0].convert("RGB")
    print(f"{'every picture used by a model':<34}{resident() - start:8.0f} MB")
