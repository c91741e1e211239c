// From a picture to the problems behind it: a click on a run's mark opens its responses, of the part that it is about.
// "" where there is nothing to open: no responses, no problems in that part, or a part that is no field of theirs.
const fragmentOf = (mark) => {
  const section = mark.closest("section[data-sets]"), figure = mark.closest("figure"), run = mark.dataset.run;
  const title = section && JSON.parse(section.dataset.sets)[run];
  if (!title) return "";
  const params = new URLSearchParams({ set: title, run });
  if (figure.dataset.rule !== "both") params.set("rule", figure.dataset.rule);
  const parts = ["part-1", "part-2"].map((name) => mark.dataset[name]).filter((part) => part !== undefined);
  if (parts.length) {
    const { group } = figure.dataset, set = state.data.benchmarks.find((one) => one.title === title);
    const field = [group, group.replaceAll("_", " ")].find((name) => set.fields.includes(name));
    const values = new Set(set.problems.flatMap((problem) => problem.fields[field] || []));
    // a cell's slice is named for both of its ends
    const part = [parts.join(", "), parts.join(" x ")].find((name) => values.has(name));
    if (part === undefined) return "";
    params.set(`field.${field}`, part);
  }
  return params.toString();
};

const openable = () => {
  for (const section of document.querySelectorAll("section[data-sets]")) {
    const known = JSON.parse(section.dataset.sets);
    for (const mark of section.querySelectorAll("[data-run]")) mark.classList.toggle("opens", mark.dataset.run in known && fragmentOf(mark) !== "");
  }
  document.addEventListener("click", (event) => {
    const mark = event.target.closest?.(".opens[data-run]");
    if (mark) location.hash = fragmentOf(mark);
  });
};
