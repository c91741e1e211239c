// The list of problems: only the rows in sight exist.
const ROW = 54, SPARE = 8;

const drawRow = (at) => {
  const i = state.shown[at], problem = state.set.problems[i], row = make("div", "row");
  row.id = `row-${at}`;
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", String(at === state.at));
  row.setAttribute("aria-posinset", String(at + 1));
  row.setAttribute("aria-setsize", String(state.shown.length));
  row.style.top = `${at * ROW}px`;
  const kinds = state.shownRuns.map((run) => [state.set.runs[run].name, verdictOf(state.set.answers[run][i])]);
  const marks = make("span", "marks");
  marks.setAttribute("role", "img");
  marks.setAttribute("aria-label", kinds.map(([, kind]) => WORD[kind]).join(", "));
  for (const [name, kind] of kinds) {
    const mark = make("span", kind, MARK[kind]);
    mark.title = `${name}: ${WORD[kind]}`;
    marks.append(mark);
  }
  const head = make("div", "id"), line = make("div", "asked");
  const { right, wrong } = countsOf(i);
  if (kinds.length > 2) head.append(make("span", "solved", `${right} of ${right + wrong}`));
  if (state.shownRuns.some((run) => noteOf(i, run))) head.append(make("span", "solved", "noted"));
  head.append(problem.id);
  head.title = problem.id;
  if (problem.line) line.append(rich(problem.line));
  else line.textContent = "(the question is in the picture)";
  line.dir = "auto";
  row.append(marks, head, line);
  row.addEventListener("click", () => select(at));
  return row;
};

// What the marks of a row mean, and whose they are; more runs than have room are named elsewhere.
const drawLegend = () => {
  const names = state.shownRuns.map((run) => state.set.runs[run].name), many = names.length > 4;
  const kinds = ["right", "wrong", "unscored"].flatMap((kind) => [make("b", kind, MARK[kind]), ` ${WORD[kind]}, `]);
  byId("legend").replaceChildren("Marks in the list: ", ...kinds, `blank: ${WORD.none}. One a run, from the left ${many ? "as under “Runs shown”" : names.join(", ")}.`);
};

const drawRows = () => {
  const list = byId("list");
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - SPARE);
  const last = Math.min(state.shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + SPARE);
  const rows = [];
  for (let at = first; at < last; at++) rows.push(drawRow(at));
  byId("rows").replaceChildren(...rows);
  list.dataset.said = rows.length < state.shown.length ? `Of these, ${first + 1} to ${last}:` : ""; // on paper
  if (state.at >= first && state.at < last) list.setAttribute("aria-activedescendant", `row-${state.at}`);
  else list.removeAttribute("aria-activedescendant");
};

const select = (at) => {
  state.at = at;
  const list = byId("list");
  if (at >= 0) {
    if (at * ROW < list.scrollTop) list.scrollTop = at * ROW;
    const below = (at + 1) * ROW - list.clientHeight;
    if (below > list.scrollTop) list.scrollTop = below;
  }
  drawRows();
  if (state.started) writeAddress();
  return drawProblem();
};

const step = (by) => {
  if (state.shown.length) select(Math.min(state.shown.length - 1, Math.max(0, state.at + by)));
};
