"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const RESPONSE = 0, EXTRACTED = 1, PREDICTION = 2, RULE = 3, CONFIDENCE = 4, REASON = 5, OFFICIAL = 6, VERIFIED = 7, SCORES = 8, PROMPT = 9;
  const ROW = 54, SPARE = 8;
  const MARK = { right: "✓", wrong: "✗", unscored: "·", none: " " };
  const WORD = { right: "right", wrong: "wrong", unscored: "not scored", none: "no response" };

  // The rule by which plots and verdicts are shown.
  const setRule = (rule) => {
    document.body.dataset.rule = rule;
    for (const button of document.querySelectorAll("button[data-rule]"))
      button.setAttribute("aria-pressed", String(button.dataset.rule === rule));
    if (state.set) refresh();
  };
  for (const button of document.querySelectorAll("button[data-rule]"))
    button.addEventListener("click", () => setRule(button.dataset.rule));

  const state = { data: null, set: null, shown: [], at: -1, haystacks: new Map() };

  // Text of models reaches the page by textContent only.
  const make = (tag, className, text) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined) node.textContent = text;
    return node;
  };

  const verdict = (answer) => {
    if (!answer) return "none";
    const value = answer[document.body.dataset.rule === "verified" ? VERIFIED : OFFICIAL];
    return value === true ? "right" : value === false ? "wrong" : "unscored";
  };
  const answersTo = (i) => state.set.answers.map((given) => given[i]);

  // Filters ------------------------------------------------------------------------------------------------------
  const haystack = (i) => {
    const known = state.haystacks.get(state.set) || state.haystacks.set(state.set, []).get(state.set);
    if (known[i] === undefined) {
      const problem = state.set.problems[i];
      const texts = [problem.id, problem.question, problem.answer, ...problem.choices];
      for (const answer of answersTo(i)) if (answer) texts.push(answer[RESPONSE], answer[EXTRACTED]);
      known[i] = texts.join("\n").toLowerCase();
    }
    return known[i];
  };

  const disagrees = (i) => {
    const kinds = new Set(answersTo(i).map(verdict));
    return kinds.has("right") && kinds.has("wrong");
  };

  const filter = () => {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const run = byId("run").value, wanted = byId("verdict").value, rule = byId("rule-filter").value, reason = byId("reason").value;
    const fields = [...byId("fields").querySelectorAll("select")].filter((s) => s.value !== "").map((s) => [s.dataset.field, s.value]);
    const disagreement = byId("disagree").checked;
    const about = run === "" ? null : Number(run);
    const fits = (answer) =>
      (!wanted || verdict(answer) === wanted) &&
      (!rule || (answer && answer[RULE] === rule)) &&
      (!reason || (answer && answer[REASON] === reason));
    const found = [];
    for (let i = 0; i < state.set.problems.length; i++) {
      const given = about === null ? answersTo(i) : [state.set.answers[about][i]];
      if (!given.some(fits)) continue;
      if (disagreement && !disagrees(i)) continue;
      const problem = state.set.problems[i];
      if (!fields.every(([name, value]) => (problem.fields[name] || []).includes(value))) continue;
      if (words.length && !words.every((word) => haystack(i).includes(word))) continue;
      found.push(i);
    }
    return found;
  };

  const refresh = () => {
    const chosen = state.shown[state.at];
    state.shown = filter();
    byId("rows").style.height = `${state.shown.length * ROW}px`;
    byId("count").textContent = `${state.shown.length.toLocaleString("en")} of ${state.set.problems.length.toLocaleString("en")} problems`;
    const kept = state.shown.indexOf(chosen);
    if (kept < 0) byId("list").scrollTop = 0;
    select(kept >= 0 ? kept : state.shown.length ? 0 : -1);
  };

  const options = (select, values, any) => {
    select.replaceChildren(new Option(any, ""), ...values.map((value) => new Option(value, value)));
  };

  const choose = (index) => {
    const set = (state.set = state.data.benchmarks[index]);
    const runs = byId("run");
    runs.replaceChildren(new Option("any", ""), ...set.runs.map((run, i) => new Option(run.name, String(i))));
    if (set.runs.length === 1) runs.replaceChildren(new Option(set.runs[0].name, "0"));
    byId("disagree").disabled = set.runs.length < 2;
    const of = (which) => [...new Set(set.answers.flat().filter(Boolean).map((a) => a[which]))].filter(Boolean).sort();
    options(byId("rule-filter"), of(RULE), "any");
    options(byId("reason"), of(REASON), "any");
    byId("fields").replaceChildren(
      ...set.fields.map((name) => {
        const label = make("label", "", name), select = make("select");
        const values = new Set(set.problems.flatMap((problem) => problem.fields[name] || []));
        select.dataset.field = name;
        options(select, [...values].sort((a, b) => a.localeCompare(b, "en", { numeric: true })), "any");
        label.append(select);
        return label;
      }),
    );
    state.shown = [];
    state.at = -1;
    refresh();
  };

  // The list: only the rows in sight exist --------------------------------------------------------------------------
  const drawRows = () => {
    const list = byId("list");
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - SPARE);
    const last = Math.min(state.shown.length, Math.ceil((list.scrollTop + list.clientHeight) / ROW) + SPARE);
    const rows = [];
    for (let at = first; at < last; at++) {
      const i = state.shown[at], problem = state.set.problems[i];
      const row = make("div", "row");
      row.id = `row-${at}`;
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", String(at === state.at));
      row.setAttribute("aria-posinset", String(at + 1));
      row.setAttribute("aria-setsize", String(state.shown.length));
      row.style.top = `${at * ROW}px`;
      const marks = make("span", "marks");
      answersTo(i).forEach((answer, run) => {
        const kind = verdict(answer), mark = make("span", kind, MARK[kind]);
        mark.title = `${state.set.runs[run].name}: ${WORD[kind]}`;
        marks.append(mark);
      });
      marks.setAttribute("aria-label", answersTo(i).map((answer) => WORD[verdict(answer)]).join(", "));
      row.append(marks, make("div", "id", problem.id), make("div", "asked", problem.question || "(the question is in the picture)"));
      row.addEventListener("click", () => select(at));
      rows.push(row);
    }
    byId("rows").replaceChildren(...rows);
    list.setAttribute("aria-activedescendant", state.at >= first && state.at < last ? `row-${state.at}` : "");
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
    drawDetail();
  };
  const step = (by) => {
    if (state.shown.length) select(Math.min(state.shown.length - 1, Math.max(0, state.at + by)));
  };

  // The chosen problem -----------------------------------------------------------------------------------------------
  const drawDetail = () => {
    const detail = byId("detail");
    if (state.at < 0) {
      detail.replaceChildren(make("p", "none-here", "No problem fits these filters."));
      return;
    }
    const i = state.shown[state.at], problem = state.set.problems[i];
    const head = make("div", "head"), buttons = make("div");
    for (const [text, by] of [["Previous", -1], ["Next", 1]]) {
      const button = make("button", "", text);
      button.type = "button";
      button.disabled = state.at + by < 0 || state.at + by >= state.shown.length;
      button.addEventListener("click", () => step(by));
      buttons.append(button);
    }
    head.append(make("h3", "", `${state.set.title} ${problem.id}`), buttons);
    const chips = make("div", "chips");
    for (const [name, values] of Object.entries(problem.fields)) chips.append(make("span", "", `${name.replaceAll("_", " ")}: ${values.join(", ").replaceAll("_", " ")}`));
    const parts = [head, chips];
    problem.pictures.forEach((path, n) => {
      const picture = make("img");
      picture.src = path;
      picture.loading = "lazy";
      picture.alt = `Picture ${n + 1} of problem ${problem.id}`;
      parts.push(picture);
    });
    // One prompt for all who were asked stands above the responses; else each response has its own.
    const told = state.set.answers.map((given) => given[i]).filter(Boolean).map((answer) => answer[PROMPT]);
    const shared = problem.prompts.length === 1 && told.every((prompt) => prompt === 0);
    const question = [problem.question, ...problem.choices.map((choice, n) => `(${String.fromCharCode(65 + n)}) ${choice}`)].join("\n");
    const asked = shared ? problem.prompts[0] : question;
    parts.push(make("div", "label", shared ? "Prompt" : "Question"), make("p", "text", asked || "(the question is in the picture)"));
    const gold = make("p", "gold");
    gold.append(make("span", "label", "Right answer "), make("b", "", problem.answer === null ? "not released" : problem.answer));
    if (problem.unit) gold.append(make("span", "label", ` unit: ${problem.unit}`));
    parts.push(gold);
    state.set.answers.forEach((given, run) => parts.push(drawAnswer(state.set.runs[run], given[i], shared ? [] : problem.prompts)));
    detail.replaceChildren(...parts);
  };

  const drawAnswer = (run, answer, prompts) => {
    const box = make("section", "answer"), head = make("h4");
    const key = make("i", "key");
    key.style.background = run.colour;
    head.append(key, run.name);
    box.append(head);
    if (!answer) {
      head.append(make("span", "verdict unscored", "no response"));
      return box;
    }
    for (const [name, value] of [["official", answer[OFFICIAL]], ["verified", answer[VERIFIED]]]) {
      const kind = value === true ? "right" : value === false ? "wrong" : "unscored";
      head.append(make("span", `verdict ${kind}`, `${MARK[kind]} ${name}: ${WORD[kind]}`));
    }
    const reading = make("p", "reading");
    const said = [["read", answer[EXTRACTED] === null ? "nothing" : answer[EXTRACTED]], ["compared as", answer[PREDICTION]], ["by", answer[RULE]],
      ["sure", answer[RULE] ? `${Math.round(100 * answer[CONFIDENCE])} %` : ""], ["because", answer[REASON]],
      ...Object.entries(answer[SCORES] || {}).map(([name, value]) => [name, value === null ? "–" : String(Number(value.toFixed(4)) || 0)])];
    for (const [name, value] of said) {
      if (value === null || value === "" || value === undefined) continue;
      const item = make("span", "", `${name} `);
      item.append(make("b", "", value));
      reading.append(item);
    }
    box.append(reading);
    const prompt = prompts[answer[PROMPT]];
    if (prompt !== undefined) {
      const asked = make("details", "asked");
      asked.append(make("summary", "", "Prompt"), make("p", "text", prompt || "(empty)"));
      box.append(asked);
    }
    box.append(make("p", "text", answer[RESPONSE] || "(empty)"));
    return box;
  };

  // Keys and the page's start ----------------------------------------------------------------------------------------
  const onKey = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && event.target === byId("search")) return byId("search").blur();
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox") return;
    const inList = event.target === byId("list");
    const page = Math.max(1, Math.floor(byId("list").clientHeight / ROW) - 1);
    const moves = { j: 1, n: 1, k: -1, p: -1, ...(inList && { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9 }) };
    if (event.key in moves) step(moves[event.key]);
    else if (event.key === "/") byId("search").focus();
    else if (event.key === "d" && !byId("disagree").disabled) {
      byId("disagree").checked = !byId("disagree").checked;
      refresh();
    } else return;
    event.preventDefault();
  };

  const unpack = async (packed) => {
    const bytes = Uint8Array.from(atob(packed), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return JSON.parse(await new Response(stream).text());
  };

  const start = async () => {
    if (!byId("data")) return;
    state.data = await unpack(JSON.parse(byId("data").textContent).data);
    byId("benchmark").replaceChildren(...state.data.benchmarks.map((set, i) => new Option(set.title, String(i))));
    byId("benchmark-label").hidden = state.data.benchmarks.length < 2;
    byId("benchmark").addEventListener("change", () => choose(Number(byId("benchmark").value)));
    const form = document.querySelector(".filters");
    let waiting = 0;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("change", (event) => event.target.id !== "benchmark" && refresh());
    form.addEventListener("reset", () => setTimeout(() => choose(Number(byId("benchmark").value || 0))));
    byId("search").addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(refresh, 60);
    });
    let drawing = false;
    byId("list").addEventListener("scroll", () => {
      if (drawing) return;
      drawing = true;
      requestAnimationFrame(() => {
        drawing = false;
        drawRows();
      });
    }, { passive: true });
    addEventListener("resize", drawRows);
    addEventListener("keydown", onKey);
    byId("app").hidden = false;
    choose(0);
    document.body.dataset.ready = "true";
  };
  start().catch((error) => {
    const note = byId("problem-with-data");
    note.hidden = false;
    note.textContent = `The responses could not be read by this browser (${error.message}).`;
  });
})();
