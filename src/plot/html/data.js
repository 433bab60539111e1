// The sentences of the page: unpacks weights, merges subwords into words, and finds links. Nothing
// in this file touches the document.

const kWordMark = "\u2581";  // SentencePiece's mark for the space before a word
const kEnd = "</s>";
// a packed weight is an integer from -kSteps to kSteps; times scale / kSteps it is the weight
const kSteps = 32767;

// Unpacks [scale, base64 of 16-bit little-endian integers] to rows of weights.
function unpack([scale, text], rows, columns) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; ++k) bytes[k] = letters.charCodeAt(k);
  const numbers = new DataView(bytes.buffer);
  const weightAt = (index) => (numbers.getInt16(2 * index, true) * scale) / kSteps;
  return Array.from({ length: rows }, (_, t) => Array.from({ length: columns }, (_, s) => weightAt(t * columns + s)));
}

// Whether the tokens are subwords, that is, some have the mark. A dump of words has none.
const hasMarks = (lists) => lists.some((pieces) => pieces.some((piece) => piece.startsWith(kWordMark)));

const bare = (piece, marked) => (marked && piece.startsWith(kWordMark) ? piece.slice(1) : piece);

// The index of the first piece of each word. A lone mark belongs to the piece after it; "</s>" is a
// word of its own.
function wordBegins(pieces, marked) {
  const begins = [];
  let hasText = true;
  pieces.forEach((piece, i) => {
    const isEnd = i === pieces.length - 1 && piece === kEnd;
    if (isEnd && !hasText && begins.length > 1) begins.pop();
    if (begins.length === 0 || isEnd || (hasText && (!marked || piece.startsWith(kWordMark)))) {
      begins.push(i);
      hasText = false;
    }
    hasText = hasText || bare(piece, marked) !== "";
  });
  return begins;
}

// {texts, of, sizes}: the words, the index of each piece's word, and the number of pieces per word.
function wordsOf(pieces, marked) {
  const words = { texts: [], of: [], sizes: [] };
  const begins = new Set(wordBegins(pieces, marked));
  pieces.forEach((piece, i) => {
    if (begins.has(i)) {
      words.texts.push("");
      words.sizes.push(0);
    }
    const word = words.texts.length - 1;
    words.of.push(word);
    words.texts[word] += bare(piece, marked);
    words.sizes[word] += 1;
  });
  return words;
}

// Adds the columns and averages the rows of each word, so that rows keep their sum.
function mergeWeights(weights, source, target) {
  const merged = target.texts.map(() => new Array(source.texts.length).fill(0));
  weights.forEach((row, t) => {
    const word = target.of[t];
    row.forEach((weight, s) => {
      merged[word][source.of[s]] += weight / target.sizes[word];
    });
  });
  return merged;
}

// Links each target token to the source token with its largest weight, unless that is </s>. Returns
// [source, target] pairs.
function largestLinks(view) {
  const links = [];
  view.weights.forEach((row, t) => {
    const best = row.indexOf(Math.max(...row));
    if (view.target[t] !== kEnd && view.source[best] !== kEnd) links.push([best, t]);
  });
  return links;
}

// Parses "0-0 2-1" to pairs.
const parseLinks = (text) => (text === "" ? [] : text.split(" ").map((link) => link.split("-").map(Number)));

function mergeLinks(links, source, target) {
  const seen = new Map();
  for (const [s, t] of links) seen.set(`${source.of[s]}-${target.of[t]}`, [source.of[s], target.of[t]]);
  return [...seen.values()];
}

// What is drawn of a record: {source, target, weights, links, given}, where given says that the
// links come from the dump. A record is {s, t: tokens, m: {NAME: packed}, links, score}; marked
// is {source, target}.
function viewOf(record, name, asWords, marked) {
  let weights = unpack(record.m[name], record.t.length, record.s.length);
  const given = record.links !== undefined;
  let links = given ? parseLinks(record.links) : [];
  let [source, target] = [record.s, record.t];
  if (asWords) {
    const [sourceWords, targetWords] = [wordsOf(source, marked.source), wordsOf(target, marked.target)];
    weights = mergeWeights(weights, sourceWords, targetWords);
    links = mergeLinks(links, sourceWords, targetWords);
    [source, target] = [sourceWords.texts, targetWords.texts];
  }
  const view = { source, target, weights, links, given };
  if (!given) view.links = largestLinks(view);
  return view;
}

// The sentence as plain text.
function plainText(pieces, marked) {
  const inner = pieces.at(-1) === kEnd ? pieces.slice(0, -1) : pieces;
  return marked ? inner.join("").replaceAll(kWordMark, " ").trim() : inner.join(" ");
}

// The kind in a name such as "attention_head_2", and the text after it; unknown names are kinds
// of their own.
const kKinds = ["attention", "gradient", "integrated", "erasure"];
function kindOf(name) {
  const kind = kKinds.find((known) => name === known || (name.startsWith(known) && /[^a-z]/i.test(name[known.length])));
  if (kind === undefined) return { kind: name, variant: "" };
  return { kind, variant: name.slice(kind.length).replace(/^[^\p{L}\p{N}]+/u, "") };
}

// heed's own names are capitalised; names from the data stay as they are.
const titleOf = (name) => (kKinds.includes(name) ? name[0].toUpperCase() + name.slice(1) : name);

// Sorts names in the order of kKinds, others after them, and head 2 before head 10.
function inOrder(names) {
  const rank = (name) => (kKinds.indexOf(kindOf(name).kind) + kKinds.length + 1) % (kKinds.length + 1);
  return names.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, "en", { numeric: true }));
}

const folded = (text) => text.normalize("NFC").toLowerCase();
