// The filtered set as JSONL, a file a run: samples as `mmmath rescore` writes and reads them. Tags and notes are in
// `detail`, as `mmmath judge --metric errors` leaves its own there.
const rowOf = (i, run, texts) => {
  const { problem } = texts, answer = state.set.answers[run][i], [response, , , , extraction] = texts.answers[run], note = noteOf(i, run);
  const detail = extraction === null ? {} : { extraction }, right = answer[OFFICIAL] === null ? answer[VERIFIED] : answer[OFFICIAL];
  if (note?.tag) Object.assign(detail, { answer: right ? "right" : "wrong", error_type: note.tag, flaws: [] });
  if (note) detail.analysis = note.text;
  const row = { problem, response, verdict: verdictRecord(problem.id, answer, response), run: state.set.runs[run].name };
  const prompt = texts.prompts[answer[PROMPT]];
  if (prompt) row.prompt = prompt[0];
  if (Object.keys(detail).length) row.detail = detail;
  return row;
};

const save = (name, lines) => {
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([lines.map((line) => `${JSON.stringify(line)}\n`).join("")], { type: "application/x-ndjson" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

const exported = async (onlyNoted) => {
  const { set } = state, found = onlyNoted ? set.problems.map((_, i) => i) : state.shown;
  const fits = onlyNoted ? () => true : fitting(); // a problem is listed where one run's answer fits
  const about = runNamed(control("run").value), runs = about < 0 ? state.shownRuns : [about], files = new Map();
  for (const i of found)
    for (const run of runs) {
      if (!set.answers[run][i] || !fits(set.answers[run][i]) || (onlyNoted && !noteOf(i, run))) continue;
      files.set(run, [...(files.get(run) || []), rowOf(i, run, await textsOf(set, i))]);
    }
  for (const [run, rows] of files) save(`${onlyNoted ? "notes" : "responses"}_${set.runs[run].name.replace(/[^\w.-]+/g, "_")}.jsonl`, rows);
  byId("count").textContent = files.size ? `${[...files.values()].flat().length} rows in ${files.size} files` : "Nothing to export";
};
