"""Rows of MathVista's own columns that ask for their number, with a response: for files that need no data set."""

import json

_META = {"category": "general-vqa", "context": "table", "grade": "college", "language": "english", "source": "ours"}
_META |= {"task": "visual question answering", "skills": [], "split": "testmini", "img_height": 1, "img_width": 1}


def counting_rows(responses):
    """Return a row for each response, the problem's number its answer."""
    return [
        {
            "pid": str(i), "question": f"Which number is {i}?", "choices": None, "unit": None, "precision": None,
            "answer": str(i), "question_type": "free_form", "answer_type": "integer", "metadata": _META, "image": "",
            "query": f"Hint: an integer\nQuestion: Which number is {i}?", "response": said,
        }
        for i, said in enumerate(responses)
    ]  # fmt: skip


def write(path, responses):
    """Write them as JSONL and return the path."""
    path.write_text("".join(json.dumps(row) + "\n" for row in counting_rows(responses)))
    return path
