// A response as the page holds it: a list in the order of ANSWER in browser.py.
const [EXTRACTED, PREDICTION, RULE, CONFIDENCE, REASON, OFFICIAL, VERIFIED, SCORES, TRUNCATED, READER, SPAN, FEATURES, LENGTH, PROMPT] =
  Array.from({ length: 14 }, (_, i) => i);
const MARK = { right: "✓", wrong: "✗", unscored: "·", none: " " };
const WORD = { right: "right", wrong: "wrong", unscored: "not scored", none: "no response" };

const kindOf = (value) => (value === true ? "right" : value === false ? "wrong" : "unscored");
const ruleNow = () => document.body.dataset.rule;
const verdictOf = (answer) => (answer ? kindOf(answer[ruleNow() === "verified" ? VERIFIED : OFFICIAL]) : "none");

// Why there is no plain verdict, by the name that scorecards count it under.
const reasonOf = (answer) => (answer[EXTRACTED] === null ? answer[REASON] : answer[REASON].replace(/^unextracted(?=:|$)/, "unmatched"));

// All that a response is counted as in scorecards beside its verdict.
const causesOf = (answer) => {
  const [cause] = reasonOf(answer).split(":"), found = new Set(cause ? [cause] : []);
  if (answer[TRUNCATED]) found.add("truncated");
  if (answer[OFFICIAL] === null && answer[VERIFIED] === null && !("rating" in (answer[SCORES] || {}))) found.add("unscored");
  return [...found];
};

// How the runs that are shown did on a problem.
const countsOf = (i) => {
  const counts = { right: 0, wrong: 0, unscored: 0, none: 0 };
  for (const run of state.shownRuns) counts[verdictOf(state.set.answers[run][i])]++;
  return counts;
};

// Both, only A, only B, neither; "" where one of them was not scored.
const cellOf = (i, a, b) => {
  const [mine, yours] = [a, b].map((run) => verdictOf(state.set.answers[run][i]));
  if (![mine, yours].every((kind) => kind === "right" || kind === "wrong")) return "";
  return mine === "right" ? (yours === "right" ? "both" : "a") : yours === "right" ? "b" : "neither";
};

// A verdict as it stands in samples_*.jsonl.
const verdictRecord = (id, answer, response) => ({
  id, official: answer[OFFICIAL], verified: answer[VERIFIED], extracted: answer[EXTRACTED], prediction: answer[PREDICTION],
  rule: answer[RULE], confidence: answer[CONFIDENCE], reason: answer[REASON], scores: answer[SCORES], truncated: answer[TRUNCATED],
  reader: answer[READER], span: inCharacters(answer[SPAN], response), features: answer[FEATURES],
});

// A span as Python counts it: what a browser counts as two is one character.
const inCharacters = (span, text) => span && span.map((end) => [...text.slice(0, end)].length);
