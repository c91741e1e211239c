// The chosen problem: what was asked, and what the runs said.
const drawProblem = async () => {
  const detail = byId("detail"), { set, at } = state;
  if (at < 0) return detail.replaceChildren(make("p", "none-here", "No problem fits these filters."));
  const i = state.shown[at];
  let texts = textsNow(set, i);
  if (!texts) {
    detail.replaceChildren(problemHead(i), make("p", "none-here", "Reading …"));
    texts = await textsOf(set, i);
    if (state.set !== set || state.shown[state.at] !== i) return undefined;
  }
  const parts = [problemHead(i)], pictures = set.problems[i].pictures.map((path, n) => picture(path, n, set.problems[i].id));
  // One prompt for all who were asked stands above the responses; else each response has its own.
  const told = set.answers.map((given) => given[i]).filter(Boolean).map((answer) => answer[PROMPT]);
  const shared = texts.prompts.length === 1 && told.every((prompt) => prompt === 0);
  const asked = shared ? [textBlock(...texts.prompts[0], { empty: "(the question is in the picture)" })] : questionBlocks(texts);
  if (!state.raw) asked.forEach((block) => placePictures(block, pictures));
  parts.push(...pictures.filter((one) => !one.parentNode), make("div", "label", shared ? "Prompt" : "Question"), ...asked, goldLine(texts));
  const pair = pairNow(), rest = state.shownRuns.filter((run) => !pair?.includes(run));
  const box = (run) => answerBox(i, run, texts, shared ? [] : texts.prompts);
  if (pair) {
    const beside = make("div", "beside");
    beside.append(...pair.map(box));
    markDifferences(...[...beside.querySelectorAll(".answer > .text")], beside);
    parts.push(beside);
  }
  detail.replaceChildren(...parts, ...rest.map(box));
  return undefined;
};

const problemHead = (i) => {
  const problem = state.set.problems[i], box = make("div"), head = make("div", "head"), buttons = make("div");
  for (const [text, by] of [["Previous", -1], ["Next", 1]]) {
    const turn = button(text, () => step(by));
    turn.disabled = state.at + by < 0 || state.at + by >= state.shown.length;
    buttons.append(turn);
  }
  head.append(make("h3", "", `${state.set.title} ${problem.id}`), buttons);
  const chips = make("div", "chips"), { right, wrong } = countsOf(i);
  if (right + wrong > 1) chips.append(make("b", "", `${right} of ${right + wrong} runs right`));
  for (const [name, values] of Object.entries(problem.fields))
    chips.append(make("span", "", `${name.replaceAll("_", " ")}: ${values.join(", ").replaceAll("_", " ")}`));
  box.append(head, chips);
  return box;
};

const questionBlocks = ({ question, choices, problem }) => {
  const parts = [];
  if (question[0] || !problem.choices.length) parts.push(textBlock(...question, { empty: "(the question is in the picture)" }));
  if (problem.choices.length) {
    const list = make("ul", "choices");
    problem.choices.forEach((choice, n) => {
      const item = make("li", "", `(${String.fromCharCode(65 + n)}) `);
      item.append(shortAnswer("span", choice, choices[n]));
      list.append(item);
    });
    parts.push(list);
  }
  return parts;
};

const goldLine = ({ problem, answer }) => {
  const gold = make("p", "gold");
  gold.append(make("span", "label", "Right answer "), problem.answer === null ? make("b", "", "not released") : shortAnswer("b", problem.answer, answer));
  if (problem.unit) gold.append(make("span", "label", ` unit: ${problem.unit}`));
  return gold;
};

// Pictures ---------------------------------------------------------------------------------------------------------
const picture = (path, n, id) => {
  const image = make("img"), box = button("", () => zoom(path, image.alt));
  image.src = path;
  image.loading = "lazy";
  image.alt = `Picture ${n + 1} of problem ${id}`;
  box.className = "picture";
  box.title = "Enlarge";
  box.append(image);
  return box;
};

// A picture stands where the text has its mark.
const placePictures = (block, pictures) => {
  for (const mark of block.querySelectorAll("span")) {
    const number = /^picture (\d+)$/.exec(mark.textContent)?.[1];
    const own = number && !mark.childElementCount && pictures[number - 1];
    if (own && !own.parentNode) mark.replaceWith(own);
  }
};

const zoom = (path, alt) => {
  const dialog = byId("zoom"), image = dialog.querySelector("img");
  image.src = path;
  image.alt = alt;
  image.classList.remove("large");
  dialog.showModal();
};

// Responses --------------------------------------------------------------------------------------------------------
const answerBox = (i, number, texts, prompts) => {
  const run = state.set.runs[number], answer = state.set.answers[number][i], box = make("section", "answer"), head = make("h4");
  head.append(keyOf(run), run.name);
  box.append(head);
  box.dataset.run = run.name;
  if (!answer) {
    head.append(make("span", "verdict unscored", "no response"));
    return box;
  }
  for (const [name, value] of [["official", answer[OFFICIAL]], ["verified", answer[VERIFIED]]])
    head.append(make("span", `verdict ${kindOf(value)}`, `${MARK[kindOf(value)]} ${name}: ${WORD[kindOf(value)]}`));
  const [response, html, extracted, prediction] = texts.answers[number];
  box.append(readingLine(answer, extracted, prediction));
  const prompt = prompts[answer[PROMPT]];
  if (prompt) {
    const asked = make("details", "asked");
    asked.append(make("summary", "", "Prompt"), textBlock(...prompt));
    box.append(asked);
  }
  box.append(textBlock(response, html, { span: answer[SPAN] }), noteLine(i, number));
  return box;
};

const readingLine = (answer, extracted, prediction) => {
  const line = make("p", "reading");
  const add = (name, node) => {
    const item = make("span", "", `${name} `);
    item.append(node);
    line.append(item);
  };
  add("read", answer[EXTRACTED] === null ? make("b", "", "nothing") : shortAnswer("b", answer[EXTRACTED], extracted));
  if (answer[PREDICTION]) add("compared as", shortAnswer("b", answer[PREDICTION], prediction));
  const said = [["by", answer[RULE]], ["sure", answer[RULE] && answer[CONFIDENCE] !== null ? `${Math.round(100 * answer[CONFIDENCE])} %` : ""],
    ["decided by", [...new Set(answer[FEATURES])].join("; ").replaceAll("_", " ")], ["because", reasonOf(answer)], ["cut", answer[TRUNCATED] ? "before its end" : ""],
    ...Object.entries(answer[SCORES] || {}).map(([name, value]) => [name, value === null ? "–" : String(Number(value.toFixed(4)) || 0)])];
  for (const [name, value] of said) if (value) add(name, make("b", "", value));
  return line;
};
