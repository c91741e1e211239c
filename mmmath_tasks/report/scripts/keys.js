// Keys, and the dialog that lists them.
const KEYS = [["j, n", "next problem"], ["k, p", "previous problem"], ["/", "search"], ["d", "only where two runs disagree"], ["r", "raw text"],
  ["?", "this list"], ["↑ ↓ Page Home End", "in the list"], ["Esc", "leave the search, close what is open"]];

const drawKeys = () => {
  const list = make("dl");
  for (const [key, meaning] of KEYS) {
    const term = make("dt");
    term.append(make("kbd", "", key));
    list.append(term, make("dd", "", meaning));
  }
  byId("keys").prepend(list);
};

const flip = (name) => {
  if (control(name).disabled) return;
  control(name).checked = !control(name).checked;
  refresh();
};

const onKey = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape" && event.target === byId("search")) {
    byId("search").blur();
    return;
  }
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== "checkbox") return;
  const inList = event.target === byId("list");
  const page = Math.max(1, Math.floor(byId("list").clientHeight / ROW) - 1);
  const moves = { j: 1, n: 1, k: -1, p: -1, ...(inList && { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -1e9, End: 1e9 }) };
  if (event.key in moves) step(moves[event.key]);
  else if (event.key === "/") byId("search").focus();
  else if (event.key === "d") flip("disagree");
  else if (event.key === "r") flip("raw");
  else if (event.key === "?") byId("keys").showModal();
  else return;
  event.preventDefault();
};
