// In which order problems stand. Each order is a key, smaller first; `sortName` says what comes first.
const SORTS = {
  "": ["as in the file", (i) => i],
  id: ["id", null],
  disagreement: ["disagreement", (i) => { const { right, wrong } = countsOf(i); return -(right * wrong) / ((right + wrong) ** 2 || 1); }],
  rate: ["solve rate, hardest first", (i) => { const { right, wrong } = countsOf(i); return right + wrong ? right / (right + wrong) : 2; }],
  length: ["length, longest first", (i) => -mostOf(i, LENGTH, Math.max, 0)],
  confidence: ["confidence, least sure first", (i) => mostOf(i, CONFIDENCE, Math.min, 1)],
};

const mostOf = (i, column, most, none) => {
  const about = runNamed(control("run").value), runs = about < 0 ? state.shownRuns : [about];
  const values = runs.map((run) => state.set.answers[run][i]?.[column]).filter((value) => typeof value === "number");
  return values.length ? most(...values) : none;
};

const sorted = (found) => {
  const [, key] = SORTS[control("sort").value] || SORTS[""];
  const { problems } = state.set;
  if (key) {
    const keys = new Map(found.map((i) => [i, key(i)]));
    found.sort((i, j) => keys.get(i) - keys.get(j) || i - j);
  } else {
    const order = new Intl.Collator("en", { numeric: true });
    found.sort((i, j) => order.compare(problems[i].id, problems[j].id));
  }
  return control("reverse").checked ? found.reverse() : found;
};
