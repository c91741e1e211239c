// Elements by hand. Text of models reaches the page by textContent, or by rich_text.js.
const byId = (id) => document.getElementById(id);

const make = (tag, className, text) => {
  const node = document.createElement(tag);
  if (className) node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
};

const button = (text, action) => {
  const node = make("button", "", text);
  node.type = "button";
  node.addEventListener("click", action);
  return node;
};

// A mark of the run's colour; none where there are more runs than colours.
const keyOf = (run) => {
  const key = make("i", "key");
  key.style.background = run.colour;
  return key;
};

const spaced = (name) => name.replaceAll("_", " ");

const fill = (select, values, any, words = String) => {
  const chosen = select.value;
  select.replaceChildren(...(any === undefined ? [] : [new Option(any, "")]), ...values.map((value) => new Option(words(value), value)));
  if (values.includes(chosen)) select.value = chosen;
};

const natural = (a, b) => a.localeCompare(b, "en", { numeric: true });
