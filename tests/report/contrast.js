// Returns every text in sight whose contrast with its ground is under 4.5 : 1 (WCAG 2.1, 1.4.3).
const luminance = (colour) => {
  const [r, g, b] = colour.map((x) => x / 255).map((x) => (x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const numbers = (style) => (style.match(/[\d.]+/g) || []).map(Number);
const ground = (node) => {
  for (; node; node = node.parentElement) {
    const colour = numbers(getComputedStyle(node).backgroundColor);
    if (colour.length === 3 || colour[3] > 0) return colour.slice(0, 3);
  }
  return [255, 255, 255];
};
const found = [];
for (const node of document.querySelectorAll("body *")) {
  const speaks = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
  if (!speaks || !node.offsetParent || node.disabled || node.closest("svg")) continue;
  const ink = luminance(numbers(getComputedStyle(node).color).slice(0, 3)), paper = luminance(ground(node));
  const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  if (ratio < 4.5) found.push([node.tagName, node.className, node.textContent.slice(0, 30), ratio]);
}
return found;
