// Returns the texts in sight that lie over others, or beyond the page's right edge.
const boxes = [], found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const parent = node.parentElement;
  if (!node.data.trim() || parent.closest("svg, math, script, .skip, details:not([open]) > :not(summary)") || !parent.checkVisibility()) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  for (const { left, right, top, bottom } of range.getClientRects())
    if (right - left > 1) boxes.push({ left, right, top: top + 3, bottom: bottom - 3, text: node.data.trim().slice(0, 40), node });
}
for (const one of boxes) if (one.right > innerWidth + 1) found.push(["beyond", one.text, one.right]);
boxes.sort((a, b) => a.top - b.top);
boxes.forEach((one, i) => {
  for (let j = i + 1; j < boxes.length && boxes[j].top < one.bottom; j++) {
    const other = boxes[j];
    if (other.node !== one.node && other.left < one.right - 1 && one.left < other.right - 1) found.push(["over", one.text, other.text]);
  }
});
return found.slice(0, 20);
