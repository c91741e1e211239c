// Which problems fit what the form says.
const form = () => byId("filters");
const control = (name) => form().elements.namedItem(name);
const runNamed = (name) => state.set.runs.findIndex((run) => run.name === name);

const chosenFields = () =>
  [...byId("fields").querySelectorAll("select")].filter((select) => select.value !== "").map((select) => [select.dataset.field, select.value]);

const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

// The two runs that are compared, as numbers; null where they are not two.
const pairNow = () => {
  const [a, b] = ["a", "b"].map((name) => runNamed(control(name).value));
  return a >= 0 && b >= 0 && a !== b ? [a, b] : null;
};

// What the form says, in words, for paper, on which it does not stand.
const filterWords = () => {
  const said = [], hidden = [];
  for (const one of form().elements) {
    const label = one.labels?.[0]?.firstChild.data?.trim() || one.labels?.[0]?.textContent.trim() || one.getAttribute("aria-label");
    if (byId("runs-shown").contains(one)) one.checked || hidden.push(one.value);
    else if (one.type === "checkbox") one.checked && said.push(label);
    else if (one.value && one.type !== "submit") said.push(`${label}: ${one.selectedOptions ? one.selectedOptions[0].text : `“${one.value}”`}`);
  }
  if (hidden.length) said.push(`without ${hidden.join(", ")}`);
  return said.join("; ");
};

// Whether an answer, if there is one, is such as the form asks for.
const fitting = () => {
  const wanted = control("verdict").value, rule = control("read").value, reason = control("reason").value;
  const [unlike, unread, truncated] = ["unlike", "unread", "truncated"].map((name) => control(name).checked);
  return (answer) =>
    (!wanted || verdictOf(answer) === wanted) &&
    (!rule || answer?.[RULE] === rule) &&
    (!reason || (answer && causesOf(answer).includes(reason))) &&
    (!unlike || (answer && answer[OFFICIAL] !== answer[VERIFIED] && answer[OFFICIAL] !== null && answer[VERIFIED] !== null)) &&
    (!unread || (answer && answer[EXTRACTED] === null)) &&
    (!truncated || (answer && causesOf(answer).includes("truncated")));
};

const filtered = () => {
  const set = state.set, words = wordsOf(control("q").value), fields = chosenFields(), pair = pairNow(), cell = pair && control("cell").value;
  const disagree = control("disagree").checked, noted = control("noted").checked, fits = fitting();
  const run = runNamed(control("run").value), runs = run < 0 ? state.shownRuns : [run];
  const found = [];
  set.problems.forEach((problem, i) => {
    if (!runs.some((number) => fits(set.answers[number][i]))) return;
    if (disagree && !(({ right, wrong }) => right && wrong)(countsOf(i))) return;
    if (cell && cellOf(i, ...pair) !== cell) return;
    if (!fields.every(([name, value]) => (problem.fields[name] || []).includes(value))) return;
    if (noted && !runs.some((number) => noteOf(i, number))) return;
    if (words.length) {
      const [block, place] = placeOf(set, i), text = haystacks.get(block)[place];
      if (!words.every((word) => text.includes(word))) return;
    }
    found.push(i);
  });
  return found;
};
