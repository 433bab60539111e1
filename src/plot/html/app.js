// What is chosen, and the page drawn from it.
//
// The data: {title, subtitle, curves or null, runs: [{name, steps: [{label, at}], items}]}. A dump is one run without
// steps. items: [{number, line, source, target, reference, versions: [{text, record} or null]}], a version for each
// step; line: that of a dump.

const data = JSON.parse(byId("data").textContent);
const records = data.runs.flatMap((run) => run.items.flatMap((item) => item.versions.map((version) => version?.record))).filter(Boolean);
const marked = { source: hasMarks(records.map((record) => record.s)), target: hasMarks(records.map((record) => record.t)) };
const names = inOrder([...new Set(records.flatMap((record) => Object.keys(record.m)))]);
const signed = new Set(data.signed);

const state = { run: 0, item: 0, step: 0, name: names[0] ?? "attention", asWords: false, dark: false };
const run = () => data.runs[state.run];
const version = () => run().items[state.item].versions[state.step];

function listItems() {
  return run().items.map((item) => {
    const last = item.versions.filter(Boolean).at(-1);
    const source = item.source ?? plainText(last.record.s, marked.source);
    const target = last?.text ?? (last === undefined ? "" : plainText(last.record.t, marked.target));
    return { number: item.number, source, target, folded: folded(`${source}\n${target}\n${item.reference ?? ""}`) };
  });
}

// The matrix names of a kind, which include those of heads and layers.
const namesOfKind = (kind) => names.filter((name) => kindOf(name).kind === kind);

function drawKinds() {
  const kinds = [...new Set(names.map((name) => kindOf(name).kind))];
  const kind = kindOf(state.name).kind;
  drawChoice(byId("kinds"), kinds.map((known) => [known, known]), kind, (value) => set({ name: namesOfKind(value)[0] }));
  const variants = namesOfKind(kind);
  byId("variants").hidden = variants.length < 2;
  const options = variants.map((name) => {
    const option = element("option", "", kindOf(name).variant.replaceAll("_", " ") || "all");
    option.value = name;
    option.selected = name === state.name;
    return option;
  });
  byId("variant").replaceChildren(...options);
}

function drawTools() {
  const place = list.found.indexOf(state.item);
  const count = list.found.length.toLocaleString("en");
  byId("position").textContent = place < 0 ? `0 of ${count}` : `${(place + 1).toLocaleString("en")} of ${count}`;
  byId("previous").disabled = place <= 0;
  byId("next").disabled = place < 0 || place + 1 >= list.found.length;
  drawChoice(byId("runs"), data.runs.map((each, k) => [k, each.name]), state.run, (value) => chooseRun(value));
  drawKinds();
  const units = marked.source || marked.target ? [[false, "subwords"], [true, "words"]] : [];
  drawChoice(byId("units"), units, state.asWords, (value) => set({ asWords: value }));
}

function drawSteps() {
  const steps = run().steps;
  byId("steps").hidden = steps.length < 2;
  curves.mark(steps[state.step]?.at ?? null);
  if (steps.length < 2) return;
  const slider = byId("step");
  slider.max = steps.length - 1;
  slider.value = state.step;
  slider.setAttribute("aria-valuetext", steps[state.step].label);
  byId("step-label").textContent = steps[state.step].label;
}

function drawTexts() {
  const item = run().items[state.item];
  const record = version()?.record;
  const lines = [
    ["source", item.source ?? (record && plainText(record.s, marked.source))],
    ["reference", item.reference],
    [version()?.text === undefined ? "target" : "translation", version()?.text ?? (record && plainText(record.t, marked.target))],
  ];
  if (record?.score !== undefined) lines.push(["score", number(record.score)]);
  const parts = [];
  for (const [name, text] of lines) {
    if (text === undefined) continue;
    const value = element("dd", "", visible(text));
    value.dir = "auto";
    parts.push(element("dt", "", name), value);
  }
  byId("texts").replaceChildren(...parts);
}

function drawPanes() {
  const record = version()?.record;
  const has = record !== undefined && record.m[state.name] !== undefined;
  byId("panes").hidden = !has;
  byId("nothing").hidden = has;
  if (!has) {
    matrix.view = null;
    byId("nothing").textContent = record === undefined ? "No attention was written here." : `This sentence has no ${state.name}.`;
    return;
  }
  const kind = kindOf(state.name).kind;
  const view = viewOf(record, state.name, state.asWords, marked);
  const scale = scaleOf(view, kind, signed.has(state.name));
  byId("matrix-title").textContent = titleOf(state.name);
  const tooLarge = matrix.isTooLarge(view);
  byId("scale").hidden = tooLarge;
  if (tooLarge) {
    matrix.drawNote(view, scale, run().items[state.item].line);
  } else {
    drawScale(byId("scale"), scale, state.dark);
    matrix.draw(view, scale, state.dark);
  }
  links.draw(view);
}

function draw() {
  drawTools();
  drawSteps();
  drawTexts();
  drawPanes();
}

function set(changes) {
  Object.assign(state, changes);
  draw();
}

// Changing the run keeps the sentence and shows the last validation of the new run.
function chooseRun(index) {
  const items = data.runs[index].items.length;
  Object.assign(state, { run: index, item: Math.min(state.item, items - 1), step: Math.max(0, data.runs[index].steps.length - 1) });
  list.chosen = state.item;
  list.setItems(listItems());
  draw();
}

function setTheme(dark) {
  state.dark = dark;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  byId("theme").textContent = dark ? "Light" : "Dark";
  byId("theme").setAttribute("aria-label", dark ? "Light colours" : "Dark colours");
  if (matrix.view === null) return;
  drawScale(byId("scale"), matrix.scale, dark);
  matrix.color(dark);
}

// Steps through the validations, two per second.
const player = {
  timer: null,
  toggle() {
    if (this.timer !== null) return this.stop();
    byId("play").textContent = "Pause";
    if (state.step + 1 >= run().steps.length) set({ step: 0 });
    this.timer = setInterval(() => {
      if (state.step + 1 >= run().steps.length) this.stop();
      else set({ step: state.step + 1 });
    }, 500);
  },
  stop() {
    clearInterval(this.timer);
    this.timer = null;
    byId("play").textContent = "Play";
  },
};

function onKey(event) {
  const { target } = event;
  if (event.key === "/" && target.tagName !== "INPUT") {
    event.preventDefault();
    byId("search").focus();
  } else if (target.id === "search" || target.id === "list" || ["BODY", "BUTTON"].includes(target.tagName) || target.type === "checkbox") {
    list.key(event);
  }
}

function followTheme() {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  setTheme(system.matches);
  system.addEventListener("change", () => setTheme(system.matches));
  byId("theme").addEventListener("click", () => setTheme(!state.dark));
  // Whether the page was dark before printing, which always uses the light theme
  let before = false;
  window.addEventListener("beforeprint", () => {
    before = state.dark;
    setTheme(false);
  });
  window.addEventListener("afterprint", () => setTheme(before));
}

function listen() {
  list.listen();
  byId("search").addEventListener("input", drawTools);
  matrix.listen();
  links.listen();
  byId("previous").addEventListener("click", () => list.move(-1));
  byId("next").addEventListener("click", () => list.move(1));
  byId("variant").addEventListener("change", (event) => set({ name: event.target.value }));
  byId("numbers").addEventListener("change", (event) => byId("matrix").classList.toggle("numbers", event.target.checked));
  byId("step").addEventListener("input", (event) => {
    player.stop();
    set({ step: Number(event.target.value) });
  });
  byId("play").addEventListener("click", () => player.toggle());
  document.addEventListener("keydown", onKey);
}

function start() {
  document.body.classList.toggle("report", data.curves !== null);
  document.title = `${data.title} \u2013 heed`;
  byId("title").textContent = data.title;
  byId("subtitle").textContent = data.subtitle;
  followTheme();
  if (data.curves !== null) curves.draw(data.curves);
  if (data.runs.length === 0) return;
  byId("viewer").hidden = false;
  listen();
  list.choose = (item) => set({ item });
  chooseRun(0);
}

start();
