// What differs between two responses, word by word; a formula is one word.
const CELLS = 6e6, ALIKE = 0.15;

const unitsOf = (block) => {
  const units = [], walker = document.createTreeWalker(block, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, {
    acceptNode: (node) => (node.parentNode.closest("math") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT),
  });
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.localName === "math") units.push({ key: `$${node.textContent}`, node });
    else if (node.nodeType === Node.TEXT_NODE)
      for (const match of node.data.matchAll(/\S+/g)) units.push({ key: match[0], node, start: match.index, end: match.index + match[0].length });
  }
  return units;
};

// The longest common subsequence; returns which of the units it has, in either list. null: too long for that.
const common = (first, second) => {
  const kept = [new Uint8Array(first.length), new Uint8Array(second.length)];
  let from = 0, ends = [first.length, second.length];
  const keep = (i, j) => (kept[0][i] = kept[1][j] = 1);
  while (from < Math.min(...ends) && first[from].key === second[from].key) keep(from, from++);
  while (Math.min(...ends) > from && first[ends[0] - 1].key === second[ends[1] - 1].key) keep(...(ends = ends.map((end) => end - 1)));
  const [rows, columns] = ends.map((end) => end - from), wide = columns + 1;
  if (rows * columns > CELLS) return null;
  const longest = new Uint16Array((rows + 1) * wide);
  for (let i = rows - 1; i >= 0; i--)
    for (let j = columns - 1; j >= 0; j--)
      longest[i * wide + j] = first[from + i].key === second[from + j].key
        ? longest[(i + 1) * wide + j + 1] + 1
        : Math.max(longest[(i + 1) * wide + j], longest[i * wide + j + 1]);
  for (let i = 0, j = 0; i < rows && j < columns; )
    if (first[from + i].key === second[from + j].key) keep(from + i++, from + j++);
    else if (longest[(i + 1) * wide + j] >= longest[i * wide + j + 1]) i++;
    else j++;
  return kept;
};

const markUnits = (units, kept) => {
  const texts = new Map();
  units.forEach((unit, i) => {
    if (kept[i]) return;
    if (unit.start === undefined) return unit.node.classList.add("differs");
    const spans = texts.get(unit.node) || texts.set(unit.node, []).get(unit.node), last = spans.at(-1);
    if (last && last.next === i) Object.assign(last, { end: unit.end, next: i + 1 });
    else spans.push({ start: unit.start, end: unit.end, next: i + 1 });
  });
  for (const [node, spans] of texts) {
    const parts = [];
    let at = 0;
    for (const { start, end } of spans) {
      parts.push(node.data.slice(at, start), make("mark", "differs", node.data.slice(start, end)));
      at = end;
    }
    node.replaceWith(...parts, node.data.slice(at));
  }
};

const markDifferences = (first, second, box) => {
  if (!first || !second) return;
  const units = [unitsOf(first), unitsOf(second)], kept = common(...units);
  const alike = kept ? kept[0].reduce((sum, one) => sum + one, 0) / Math.max(1, Math.min(...units.map((one) => one.length))) : 0;
  const said = !kept ? "Too long to be compared word by word." : alike < ALIKE ? "They have hardly a word in common; nothing is marked." : "";
  if (said) box.append(make("p", "remark", said));
  else units.forEach((one, i) => markUnits(one, kept[i]));
};
