// Notes and error tags, kept by this browser: by set of problems, problem and run.
const STORE = "mmmath-tasks notes";
let notes = {};

const readNotes = () => {
  try {
    notes = JSON.parse(localStorage.getItem(STORE)) || {};
  } catch {
    notes = {}; // a browser that keeps nothing
  }
};

const noteOf = (i, run) => notes[state.set.title]?.[state.set.problems[i].id]?.[state.set.runs[run].name];

const setNote = (i, run, change) => {
  const { title, problems, runs } = state.set, id = problems[i].id, name = runs[run].name;
  const note = { tag: "", text: "", ...noteOf(i, run), ...change };
  notes[title] ??= {};
  notes[title][id] ??= {};
  if (note.tag || note.text) notes[title][id][name] = note;
  else delete notes[title][id][name];
  try {
    localStorage.setItem(STORE, JSON.stringify(notes));
  } catch {
    byId("count").textContent = "This browser keeps no notes; export them before the page is closed.";
  }
};

const noteLine = (i, run) => {
  const line = make("div", "note-line"), known = noteOf(i, run) || { tag: "", text: "" };
  const kind = make("label", "", "Error "), words = make("label", "grow", "Note "), { tags } = state.set;
  const tag = tags.length ? make("select") : make("input"), text = make("input");
  if (tags.length) {
    tag.append(new Option("none", ""), ...tags.map(([name, meaning]) => Object.assign(new Option(name.replaceAll("_", " "), name), { title: meaning })));
    if (known.tag && !tags.some(([name]) => name === known.tag)) tag.append(new Option(known.tag, known.tag));
  } else tag.placeholder = "a word for the error";
  tag.value = known.tag;
  text.value = known.text;
  text.placeholder = " "; // by which a style sheet knows that it is empty
  tag.addEventListener("change", () => setNote(i, run, { tag: tag.value.trim() }));
  text.addEventListener("change", () => setNote(i, run, { text: text.value.trim() }));
  kind.append(tag);
  words.append(text);
  line.append(kind, words);
  return line;
};
