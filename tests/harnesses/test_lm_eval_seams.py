"""The seams hold in the installed lm-eval; one that moves is found, said once, and lm-eval still runs."""

import logging
from importlib import import_module
from inspect import Parameter, Signature

import pytest

from mmmath_tasks.harnesses import lm_eval_plugin, lm_eval_run, lm_eval_seams, lm_eval_surround
from mmmath_tasks.harnesses.lm_eval_seams import SEAMS

BY_NAME = {seam.name: seam for seam in SEAMS}
EACH = [
    pytest.param(seam, id=seam.name, marks=[pytest.mark.medium] if seam.library else []) for seam in SEAMS
]  # the libraries take seconds to import


@pytest.fixture(autouse=True)
def untold():
    lm_eval_seams._warn.cache_clear()


def owner_of(path):
    module, _, attributes = path.partition(":")
    owner = import_module(module)
    *above, name = attributes.split(".")
    for attribute in above:
        owner = getattr(owner, attribute)
    return owner, name


def moved(patch, path):
    """Take what a seam needs out of lm-eval, as a version that names it otherwise would."""
    owner, name = owner_of(path)
    if name not in vars(owner):  # inherited, or of an object's class
        classes = (owner if isinstance(owner, type) else type(owner)).__mro__
        owner = next(one for one in classes if name in vars(one))
    if name == "__init__":  # every class has one
        patch.setattr(owner, name, object.__init__)
    else:
        patch.delattr(owner, name)


def renamed(patch, path, name):
    """Give a parameter another name, as far as one sees from outside."""
    owner, attribute = owner_of(path)
    found = getattr(owner, attribute)
    known = dict.fromkeys(lm_eval_seams._parameters(found))
    del known[name]
    if isinstance(found, type) and issubclass(found, dict):
        patch.setattr(owner, attribute, type(attribute, (dict,), {"__annotations__": known}))
    else:
        function = getattr(found, "__func__", found)
        others = [
            Parameter(other, Parameter.KEYWORD_ONLY) for other in known if other not in ("self", "args", "kwargs")
        ]
        first = [Parameter("self", Parameter.POSITIONAL_ONLY)] if function is not found else []
        patch.setattr(function, "__signature__", Signature(first + others), raising=False)


@pytest.mark.parametrize("seam", EACH)
def test_a_seam_holds_in_this_lm_eval_and_what_another_moves_is_found(seam):
    if package := seam.absent():
        pytest.skip(f"{package} is not installed")
    assert seam.check() is None
    for path in seam.needs:
        with pytest.MonkeyPatch.context() as patch:
            moved(patch, path)
            assert path in (seam.check() or "")
    for path, names in seam.needs.items():
        for name in names:
            with pytest.MonkeyPatch.context() as patch:
                renamed(patch, path, name)
                assert seam.check() == f"no {name} in {path}"


@pytest.mark.parametrize(
    ("source", "said", "absent"),
    [
        ("import ray_of_none", "No module named 'ray_of_none'", "ray_of_none"),
        (
            "raise RuntimeError('operator x::nms does not exist\\nmore')",
            "RuntimeError: operator x::nms does not exist",
            "",
        ),
        ("numpy_bool8", "NameError: name 'numpy_bool8' is not defined", ""),
        ("raise OSError('Could not load this library: x.so')", "OSError: Could not load this library: x.so", ""),
        (
            "try:\n    1 / 0\nexcept ZeroDivisionError as error:\n    raise ModuleNotFoundError('lazy') from error",
            "ZeroDivisionError: division by zero",
            "",
        ),
    ],
    ids=["not installed", "broken", "names what is gone", "no library", "in the place of another"],
)
def test_what_cannot_be_imported_is_said_as_that(tmp_path, monkeypatch, caplog, source, said, absent):
    (tmp_path / "broken_model.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    seam = lm_eval_seams.Seam("broken", {"broken_model:Model": ()}, "why", "this is lost")
    assert seam.check() == f"cannot import broken_model: {said}"
    assert seam.absent() == absent
    monkeypatch.setattr(lm_eval_seams, "SEAMS", (seam,))
    model = type("Model", (), {"__module__": "broken_model"})()
    assert lm_eval_seams.lost(model) == {"broken"}
    (record,) = caplog.records
    assert record.message.endswith(f"lm-eval (cannot import broken_model: {said}): this is lost")
    from mmmath_tasks.commands import doctor

    (line,) = doctor.seams()
    assert said in line or line.endswith(f"not tried: {absent} is not installed")


def test_a_model_of_vllm_without_pictures_does_without_what_those_need(monkeypatch):
    kinds = {name: type(name, (), {"__module__": f"lm_eval.models.{name}"}) for name in ("vllm_causallms", "vllm_vlms")}
    with_pictures = type("Both", (kinds["vllm_vlms"], kinds["vllm_causallms"]), {"__module__": "x"})
    monkeypatch.setattr(lm_eval_seams.Seam, "check", lambda self: "no ray" if "vllm_vlms" in str(self.needs) else None)
    assert lm_eval_seams.lost(kinds["vllm_causallms"]()) == set()
    assert lm_eval_seams.lost(with_pictures()) == {"vLLM pictures"}


def test_what_is_put_into_lm_eval_is_a_function_and_on_the_list_once():
    assert len(BY_NAME) == len(SEAMS)
    for seam in SEAMS:
        assert not seam.put or callable(lm_eval_seams._resolve(seam.put))


def test_each_change_is_made_once():
    import lm_eval.evaluator
    from lm_eval.loggers import EvaluationTracker

    def changed():
        return (
            lm_eval.evaluator.evaluate,
            lm_eval.evaluator.simple_evaluate,
            EvaluationTracker.save_results_aggregated,
        )

    names = [seam.name for seam in SEAMS if seam.put]
    lm_eval_seams.attach(*names)
    first = changed()
    lm_eval_seams.attach(*names)
    assert changed() == first
    assert all(hasattr(function, "wrapped_by_mmmath") for function in first)
    assert not any(hasattr(function.__wrapped__, "wrapped_by_mmmath") for function in first)


@pytest.mark.parametrize("name", [seam.name for seam in SEAMS if seam.put])
def test_a_seam_that_does_not_hold_is_said_in_one_line_and_left_alone(name, monkeypatch, caplog):
    monkeypatch.setattr(lm_eval_seams.Seam, "check", lambda self: "no x:y" if self.name == name else None)
    monkeypatch.setattr(lm_eval_seams, "_resolve", lambda path: pytest.fail(f"{path} is used"))
    for _ in range(2):
        lm_eval_seams.attach(name)
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.message.endswith(f"(no x:y): {BY_NAME[name].lost}")


def test_a_change_that_fails_is_said_and_breaks_no_import(monkeypatch, caplog):
    monkeypatch.setattr(lm_eval_plugin, "register_models", lambda: 1 / 0)
    lm_eval_plugin.register()
    (record,) = caplog.records
    assert "ZeroDivisionError" in record.message
    assert record.message.endswith(BY_NAME["models"].lost)


@pytest.fixture
def without(monkeypatch):
    """Have one seam not hold."""

    def lose(name):
        check = lm_eval_seams.Seam.check
        monkeypatch.setattr(lm_eval_seams.Seam, "check", lambda self: "no x:y" if self.name == name else check(self))

    return lose


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("ends", marks=pytest.mark.medium),
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("context", "pictures", "ends with pictures", "cache")
        ),
    ],
)
def test_a_model_runs_where_a_seam_on_it_does_not_hold(name, without, run, tiny_model, caplog):
    without(name)
    results = run(
        "hf-multimodal",
        "mathvista_sample",
        model_args=f"pretrained={tiny_model},max_length=4096",
        limit=2,
        device="cpu",
        apply_chat_template=True,
        gen_kwargs="max_gen_toks=2",
    )
    said = [record.message for record in caplog.records if "rests on" in record.message]
    assert said == [f"mmmath-tasks does not find what it rests on in lm-eval (no x:y): {BY_NAME[name].lost}"]
    assert results["n-samples"]["mathvista_sample"]["effective"] == 2
    assert results["results"]["mathvista_sample"]["truncated,none"] == (name in ("context", "pictures"))


def test_runs_without_a_task_of_ours_stay_as_they_are(monkeypatch):
    from types import SimpleNamespace

    monkeypatch.setattr(lm_eval_run, "surrounded", lambda *_: pytest.fail("surrounded"))
    task = SimpleNamespace(OUTPUT_TYPE="generate_until", config=SimpleNamespace(custom_dataset=None))
    evaluate = lm_eval_surround._surrounding(lambda lm, task_dict, **options: (lm, task_dict, options))
    assert evaluate("model", {"tasks": {"t": task}}, limit=3) == ("model", {"tasks": {"t": task}}, {"limit": 3})


def test_results_that_cannot_be_completed_are_returned_as_they_are(run, monkeypatch, caplog):
    monkeypatch.setattr("mmmath_tasks.harnesses.lm_eval_results.label_tasks", lambda results: results["moved"])
    results = run("mmmath-random-chance", "mathvista_sample", limit=2)
    assert results["results"]["mathvista_sample"]["acc,none"] is not None
    assert "the table is not completed" in caplog.text


def test_the_doctor_says_which_hold_and_what_is_lost(monkeypatch):
    from mmmath_tasks.commands import doctor

    tried = {"saving": "no x:y"}
    monkeypatch.setattr(lm_eval_seams.Seam, "check", lambda self: tried.get(self.name))
    monkeypatch.setattr(lm_eval_seams.Seam, "absent", lambda self: self.library if self.library == "vllm" else "")
    lines = list(doctor.seams())
    assert len(lines) == len(SEAMS)
    assert f"saving             DOES NOT HOLD (no x:y); lost: {BY_NAME['saving'].lost}" in lines
    assert "vLLM               not tried: vllm is not installed" in lines
    assert sum(line.endswith(" holds") for line in lines) == len(SEAMS) - 3
