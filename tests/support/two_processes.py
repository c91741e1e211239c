"""A run of the tiny model shared between processes, saved as lm-eval's command line saves it.

    torchrun --nproc-per-node 2 two_processes.py MODEL OUTPUT

Each process leaves a file `share-RANK-of-COUNT` in OUTPUT: lines that two processes print at once may run together.

lm-eval's hf-multimodal shares work only where it counts two GPUs; this subclass takes its rank from accelerate as that
does, and everything after it (the split of the documents, the gathering of metrics and samples) is lm-eval's own.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import lm_eval
from lm_eval.loggers import EvaluationTracker
from lm_eval.models.hf_vlms import HFMultimodalLM
from lm_eval.tasks import TaskManager

from mmmath_tasks.harnesses.lm_eval_plugin import tasks_folder


class Shared(HFMultimodalLM):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if hasattr(self, "accelerator"):
            self._rank, self._world_size = self.accelerator.process_index, self.accelerator.num_processes


if __name__ == "__main__":
    model, output = sys.argv[1:]
    tracker = EvaluationTracker(output_path=output)
    shared = Shared(pretrained=model, device="cpu", batch_size=1)
    Path(output).mkdir(parents=True, exist_ok=True)
    Path(output, f"share-{shared.rank}-of-{shared.world_size}").touch()
    results = lm_eval.simple_evaluate(
        shared,
        tasks=["mathvista_sample"],
        task_manager=TaskManager(include_defaults=False, include_path=str(tasks_folder())),
        evaluation_tracker=tracker,
        apply_chat_template=True,
        gen_kwargs={"max_gen_toks": 2},
        limit=7,
        bootstrap_iters=0,
    )
    if results is not None:
        samples = results.pop("samples")
        tracker.save_results_aggregated(results=results, samples=samples)
        answers = {sample["doc"]["id"]: sample["filtered_resps"] for sample in samples["mathvista_sample"]}
        Path(output, "answers.json").write_text(json.dumps(answers, sort_keys=True))
