// The page's start, and what holds its parts together.
const state = { data: null, set: null, shown: [], shownRuns: [], at: -1, raw: false, started: false };

const setRule = (rule) => {
  document.body.dataset.rule = rule;
  for (const one of document.querySelectorAll("button[data-rule]")) one.setAttribute("aria-pressed", String(one.dataset.rule === rule));
};

// Show what the form says; `id`: the problem to open, else the one that is open.
const refresh = async (id) => {
  const { set } = state, kept = state.shown[state.at];
  state.shownRuns = set.runs.map((_, i) => i).filter((i) => byId("runs-shown").querySelectorAll("input")[i].checked);
  state.raw = control("raw").checked;
  drawLegend();
  if (wordsOf(control("q").value).length && !searchable(set)) {
    byId("count").textContent = "Reading …";
    await loadHaystacks(set);
    if (state.set !== set) return;
  }
  state.shown = sorted(filtered());
  byId("rows").style.height = `${state.shown.length * ROW}px`;
  byId("count").textContent = `${state.shown.length.toLocaleString("en")} of ${set.problems.length.toLocaleString("en")} problems`;
  const at = id ? state.shown.findIndex((i) => set.problems[i].id === id) : state.shown.indexOf(kept);
  if (at < 0) byId("list").scrollTop = 0;
  await Promise.all([select(at >= 0 ? at : state.shown.length ? 0 : -1), drawPair()]);
};

const chooseSet = (index) => {
  const set = (state.set = state.data.benchmarks[index]), names = set.runs.map((run) => run.name);
  form().reset();
  control("set").value = String(index);
  fill(control("run"), names, set.runs.length > 1 ? "any" : undefined);
  fill(control("a"), names, "–");
  fill(control("b"), names, "–");
  control("disagree").disabled = set.runs.length < 2;
  const of = (which) => [...new Set(set.answers.flat().filter(Boolean).map((answer) => answer[which]))].filter(Boolean).sort();
  fill(control("read"), of(RULE), "any");
  fill(control("reason"), [...new Set(set.answers.flat().filter(Boolean).flatMap(causesOf))].sort(), "any");
  byId("fields").replaceChildren(
    ...set.fields.map((name) => {
      const label = make("label", "", name.replaceAll("_", " ")), chosen = make("select");
      chosen.dataset.field = name;
      fill(chosen, [...new Set(set.problems.flatMap((problem) => problem.fields[name] || []))].sort(natural), "any", spaced);
      label.append(chosen);
      return label;
    }),
  );
  byId("runs-box").hidden = set.runs.length < 2;
  byId("runs-shown").replaceChildren(
    ...set.runs.map((run) => {
      const label = make("label", "check"), box = make("input");
      Object.assign(box, { type: "checkbox", defaultChecked: true, checked: true, value: run.name });
      label.append(box, keyOf(run), run.name);
      return label;
    }),
  );
  state.shown = [];
  state.at = -1;
  loadHaystacksIdly(set);
};

// A fragment with "=" is a list of responses: a link's, a plot's, one that somebody sent.
const follow = async (fragment) => {
  if (!(await readAddress(fragment))) return false;
  (new URLSearchParams(fragment.slice(1)).has("id") ? document.querySelector(".status") : byId("browser")).scrollIntoView();
  document.body.dataset.followed = fragment; // for whoever waits for it
  return true;
};

const listen = () => {
  let waiting = 0, drawing = false;
  form().addEventListener("submit", (event) => event.preventDefault());
  form().addEventListener("reset", () => setTimeout(() => {
    control("set").value = String(state.data.benchmarks.indexOf(state.set));
    if (state.started) refresh();
  }));
  addEventListener("change", (event) => {
    if (event.target.form !== form() && !byId("runs-shown").contains(event.target)) return;
    if (event.target.name === "set") chooseSet(Number(event.target.value));
    if (event.target.name === "a" || event.target.name === "b") control("cell").value = "";
    refresh();
  });
  byId("search").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 60);
  });
  byId("list").addEventListener("scroll", () => {
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => {
      drawing = false;
      drawRows();
    });
  }, { passive: true });
  byId("export").addEventListener("click", () => exported(false));
  byId("export-notes").addEventListener("click", () => exported(true));
  byId("show-keys").addEventListener("click", () => byId("keys").showModal());
  const enlarged = byId("zoom").querySelector("img");
  enlarged.addEventListener("click", () => enlarged.classList.toggle("large"));
  for (const dialog of document.querySelectorAll("dialog"))
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  // not location.hash, over which the last list may just have been written
  addEventListener("hashchange", (event) => follow(new URL(event.newURL).hash));
  addEventListener("resize", drawRows);
  addEventListener("beforeprint", () => (byId("filter-words").textContent = `${filterWords()}.`));
  addEventListener("keydown", onKey);
};

const start = async () => {
  const given = location.hash;
  document.body.dataset.initialRule = ruleNow();
  for (const one of document.querySelectorAll("button[data-rule]"))
    one.addEventListener("click", () => {
      setRule(one.dataset.rule);
      if (state.set) refresh();
    });
  if (!byId("data")) return;
  state.data = await loadLists();
  readNotes();
  control("set").replaceChildren(...state.data.benchmarks.map((set, i) => new Option(set.title, String(i))));
  byId("benchmark-label").hidden = state.data.benchmarks.length < 2;
  control("sort").replaceChildren(...Object.entries(SORTS).map(([name, [words]]) => new Option(words, name)));
  drawKeys();
  listen();
  byId("app").hidden = false;
  if (!(await follow(given))) {
    chooseSet(0);
    await refresh();
  }
  state.started = true;
  openable();
  document.body.dataset.ready = "true";
};

start().catch((error) => {
  const note = byId("problem-with-data");
  note.hidden = false;
  note.textContent = `The responses could not be read by this browser (${error.message}).`;
});
