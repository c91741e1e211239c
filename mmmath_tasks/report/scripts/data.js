// What the page holds, unpacked when it is looked at: lists at once, texts block by block, pairs when two are compared.
const unpack = async (packed) => {
  const text = atob(packed), bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i); // ten times as fast as Uint8Array.from
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
};

const KEPT = 6;
const blocks = new Map(); // block number of the page -> its problems, the latest last
const haystacks = new Map(); // block number of the page -> a lower-case text a problem
let pairs = null;

// The block of a problem, counted over the whole page, and the problem's place in it.
const placeOf = (set, i) => {
  let block = set.blocks.length - 1;
  while (set.blocks[block] > i) block--;
  return [set.firstBlock + block, i - set.blocks[block]];
};

const loadBlock = async (number) => {
  const known = blocks.get(number) || (await unpack(byId(`texts-${number}`).textContent));
  blocks.delete(number);
  blocks.set(number, known);
  if (blocks.size > KEPT) blocks.delete(blocks.keys().next().value);
  return known;
};

// The texts of a problem, at once where its block is unpacked; else undefined.
const textsNow = (set, i) => {
  const [number, place] = placeOf(set, i);
  return blocks.get(number)?.[place];
};
const textsOf = async (set, i) => {
  const [number, place] = placeOf(set, i);
  return (await loadBlock(number))[place];
};

const loadHaystack = async (set, number) => {
  if (haystacks.has(number)) return;
  const first = set.blocks[number - set.firstBlock];
  const found = (blocks.get(number) || (await unpack(byId(`texts-${number}`).textContent))).map((texts, at) => {
    const { problem } = texts, parts = [problem.id, texts.question[0], problem.answer, ...problem.choices];
    texts.answers.forEach((answer, run) => answer && parts.push(answer[0], set.answers[run][first + at][EXTRACTED]));
    return parts.join("\n").toLowerCase();
  });
  haystacks.set(number, found);
};
const blockNumbers = (set) => set.blocks.map((_, i) => set.firstBlock + i);
const searchable = (set) => blockNumbers(set).every((number) => haystacks.has(number));
const loadHaystacks = (set) => Promise.all(blockNumbers(set).map((number) => loadHaystack(set, number)));

// Texts are made ready for the search while nothing else is to be done.
const loadHaystacksIdly = async (set) => {
  const idle = () => new Promise((done) => (window.requestIdleCallback || setTimeout)(done));
  for (const number of blockNumbers(set)) {
    await idle();
    await loadHaystack(set, number);
  }
  if (state.set === set) document.body.dataset.searchable = set.title;
};

const loadPairs = async (set) => {
  pairs ||= await unpack(byId("pairs").textContent);
  return pairs[state.data.benchmarks.indexOf(set)];
};

const loadLists = async () => {
  const data = await unpack(JSON.parse(byId("data").textContent).data);
  let first = 0;
  for (const set of data.benchmarks) {
    set.firstBlock = first;
    first += set.blocks.length;
  }
  return data;
};
