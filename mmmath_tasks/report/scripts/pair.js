// Two runs against each other: what both, one, or neither of them has right, and how sure the difference is.
const CELLS_OF_PAIR = ["both", "a", "b", "neither"];

// "+3.2" of the second less the first is "-3.2" of the first less the second.
const turned = (text) => (text.startsWith("+") ? `-${text.slice(1)}` : text.startsWith("-") ? `+${text.slice(1)}` : text);

// The numbers of two runs, whichever of them the page has first.
const pairNumbers = (held, a, b) => {
  const [first, second] = a < b ? [a, b] : [b, a], n = state.set.runs.length;
  const found = held[ruleNow()][first * n - (first * (first + 1)) / 2 + second - first - 1];
  if (a < b) return found;
  const rows = found.rows.map((row) => {
    if (!row) return row;
    const [change, low, high, p, mine, yours, count] = row;
    return [turned(change), turned(high), turned(low), p, yours, mine, count];
  });
  return { ...found, rows };
};

const pairTable = (pair, names) => {
  const counts = Object.fromEntries(CELLS_OF_PAIR.map((cell) => [cell, 0])), table = make("table", "two-by-two");
  state.set.problems.forEach((_, i) => {
    const cell = cellOf(i, ...pair);
    if (cell) counts[cell]++;
  });
  const head = make("tr"), heads = [names[1] + " right", names[1] + " wrong"];
  head.append(make("td"), ...heads.map((text) => headCell(text, "col")));
  const body = [[names[0] + " right", "both", "a"], [names[0] + " wrong", "b", "neither"]].map(([text, ...cells]) => {
    const row = make("tr");
    row.append(headCell(text, "row"), ...cells.map((cell) => {
      const box = make("td"), open = button(counts[cell].toLocaleString("en"), () => chooseCell(cell));
      open.dataset.cell = cell;
      open.setAttribute("aria-pressed", String(control("cell").value === cell));
      box.append(open);
      return box;
    }));
    return row;
  });
  table.append(make("caption", "", "Problems; a number opens its list"), head, ...body);
  return table;
};

const headCell = (content, scope) => {
  const head = Object.assign(make("th"), { scope });
  head.append(content);
  return head;
};

const chooseCell = (cell) => {
  control("cell").value = control("cell").value === cell ? "" : cell;
  return refresh();
};

// Slices, those first that a difference stands out of most: by how many widths of its interval.
const SLICES_SHOWN = 10;
const sliceTable = (held, rows) => {
  const width = ([change, low, high]) => Math.abs(change) / (high - low || 1);
  const known = held.slices.map((slice, i) => [...slice, rows[i]]).filter(([group, , row]) => group && row).sort((one, other) => width(other[2]) - width(one[2]));
  const table = make("table"), head = make("tr"), body = make("tbody"), top = make("thead");
  for (const name of ["", "points [95 %]", "p", "only A", "only B", "n"]) head.append(name ? headCell(name, "col") : make("td"));
  known.forEach(([group, slice, [change, low, high, p, mine, yours, count]], i) => {
    const line = make("tr"), open = button(spaced(`${group}: ${slice}`), () => openField(group, slice));
    line.hidden = i >= SLICES_SHOWN;
    open.className = "plain";
    line.append(headCell(open, "row"), ...[`${change} [${low}, ${high}]`, p, mine, yours, count].map((value) => make("td", "", String(value))));
    body.append(line);
  });
  top.append(head);
  table.append(top, body);
  const said = `${held.corrected}. Those stand first whose difference is largest beside the width of its interval.`, parts = [make("p", "remark", said), scrolling(table)];
  if (known.length > SLICES_SHOWN) {
    const more = button(`Show all ${known.length} slices, not only the first ${SLICES_SHOWN}`, () => {
      for (const line of body.rows) line.hidden = false;
      more.remove();
    });
    more.className = "more";
    parts.push(more);
  }
  return parts;
};

const openField = (field, value) => {
  const select = [...byId("fields").querySelectorAll("select")].find((one) => one.dataset.field === field);
  if (!select) return;
  select.value = value;
  byId("more").open = true;
  refresh();
};

const drawPair = async () => {
  const box = byId("pair-result"), set = state.set, pair = pairNow();
  byId("pair").hidden = set.runs.length < 2;
  if (!pair) return box.replaceChildren(make("p", "remark", "Choose two runs."));
  byId("pair").open = true;
  const held = await loadPairs(set);
  if (state.set !== set || String(pairNow()) !== String(pair)) return undefined;
  const names = pair.map((run) => set.runs[run].name), { label, note, rows } = pairNumbers(held, ...pair);
  const parts = [pairTable(pair, names)];
  if (!rows[0]) parts.push(make("p", "", "No problem was scored in both."));
  else {
    const [change, low, high, p, , , count] = rows[0], said = make("p", "numbers");
    said.append(`B less A, ${label}: `, make("b", "", `${change} [${low}, ${high}]`), " points, p ", make("b", "", p), `, n=${count.toLocaleString("en")}`);
    parts.push(said, make("p", "remark", `In brackets the 95 % interval; p: exact McNemar test of the problems that only one of the two has right. ${note}`));
    const more = make("details");
    more.append(make("summary", "", "By slices"));
    more.addEventListener("toggle", () => more.append(...sliceTable(held, rows)), { once: true });
    parts.push(more);
  }
  box.replaceChildren(...parts);
  return undefined;
};

const scrolling = (table) => {
  const box = make("div", "table");
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", "Differences by slices");
  box.append(table);
  return box;
};
