// HTML that was made of a model's text when the page was: parsed where nothing runs or loads, and copied element by
// element, those of these lists only. The lists are those of rich_text.py and formula.py; a test compares them.
const HTML_ELEMENTS = new Set("p br strong em s ul ol li blockquote hr pre code table thead tbody tr th td mark span".split(" "));
const MATH_ELEMENTS = new Set(("math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle " +
  "msub msubsup msup mtable mtd mtext mtr munder munderover none").split(" "));
const MATH_ATTRIBUTES = new Set(("accent accentunder columnalign columnspan depth display displaystyle fence form height largeop linethickness " +
  "lspace mathvariant maxsize minsize movablelimits notation rspace scriptlevel separator stretchy symmetric width").split(" "));
const MATH = "http://www.w3.org/1998/Math/MathML", HTML = "http://www.w3.org/1999/xhtml";
const DIRECTED = new Set(["p", "li", "th", "td", "pre"]);
const parser = new DOMParser();

const copied = (node) => {
  const name = node.localName, math = node.namespaceURI === MATH;
  const known = math ? MATH_ELEMENTS : node.namespaceURI === HTML && HTML_ELEMENTS;
  if (!known || !known.has(name)) return document.createTextNode(node.textContent);
  // a table's corner may be empty, a heading may not
  const made = document.createElementNS(node.namespaceURI, name === "th" && !node.textContent.trim() ? "td" : name);
  for (const { name: key, value } of node.attributes)
    if (math ? MATH_ATTRIBUTES.has(key) : name === "ol" && key === "start") made.setAttribute(key, value);
  if (DIRECTED.has(name)) made.dir = "auto";
  made.append(...[...node.childNodes].map(copied));
  return made;
};

const rich = (html) => {
  const fragment = document.createDocumentFragment();
  fragment.append(...[...parser.parseFromString(html, "text/html").body.childNodes].map(copied));
  return fragment;
};

// A block of text: rendered, or as it is where it is to be raw or there is nothing to render; `span`: what was read.
const textBlock = (text, html, { empty = "(empty)", span = null } = {}) => {
  if (html && !state.raw) {
    const box = make("div", "text rich");
    box.append(rich(html));
    return box;
  }
  const box = make("p", "text", span ? "" : text || empty);
  box.dir = "auto";
  if (span) box.append(text.slice(0, span[0]), make("mark", "", text.slice(...span)), text.slice(span[1]));
  return box;
};

// A short answer in a line.
const shortAnswer = (tag, text, html) => {
  const node = make(tag, "");
  if (html && !state.raw) node.append(rich(html));
  else node.textContent = text;
  node.dir = "auto";
  return node;
};
