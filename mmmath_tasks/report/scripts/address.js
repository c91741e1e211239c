// Every filter, order and open problem is in the address, behind "#", so that it can be sent: the form's own names.
const FIELDS = ["q", "run", "verdict", "read", "reason", "sort", "a", "b", "cell"], BOXES = ["disagree", "unlike", "unread", "truncated", "noted", "reverse", "raw"];
const written = () => {
  const params = new URLSearchParams(), initial = document.body.dataset.initialRule;
  const add = (name, value) => value && params.append(name, value);
  if (state.data.benchmarks.length > 1) add("set", state.set.title);
  add("rule", ruleNow() === initial ? "" : ruleNow());
  for (const name of FIELDS) add(name, control(name).value);
  if (state.set.runs.length === 1) params.delete("run");
  for (const name of BOXES) add(name, control(name).checked && "1");
  for (const [name, value] of chosenFields()) add(`field.${name}`, value);
  state.set.runs.forEach((run, i) => state.shownRuns.includes(i) || add("hide", run.name));
  add("id", state.shown.length ? state.set.problems[state.shown[state.at]]?.id : "");
  return params.toString();
};

let writing = 0;
// A key that is held down would else write more often than browsers allow.
const writeAddress = () => {
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", `#${written()}`), 80);
};

// Show what an address says; false where it says nothing of the kind.
const readAddress = async (fragment) => {
  if (!fragment.includes("=")) return false;
  const params = new URLSearchParams(fragment.replace(/^#/, ""));
  clearTimeout(writing);
  const index = state.data.benchmarks.findIndex((set) => set.title === params.get("set"));
  setRule(params.get("rule") || document.body.dataset.initialRule);
  chooseSet(Math.max(0, index));
  for (const name of FIELDS) {
    const field = control(name);
    if (!params.has(name)) continue;
    field.value = params.get(name);
    if (field.selectedIndex < 0) field.selectedIndex = 0;
  }
  for (const name of BOXES) control(name).checked = params.has(name);
  for (const select of byId("fields").querySelectorAll("select")) {
    select.value = params.get(`field.${select.dataset.field}`) || "";
    if (select.selectedIndex < 0) select.selectedIndex = 0;
    if (select.value) byId("more").open = true;
  }
  const hidden = params.getAll("hide");
  for (const box of byId("runs-shown").querySelectorAll("input")) box.checked = !hidden.includes(box.value);
  await refresh(params.get("id"));
  return true;
};
