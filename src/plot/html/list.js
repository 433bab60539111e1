// The list of sentences with its search. The document contains only the rows in view, so that long
// lists stay fast.

const list = {
  rowHeight: 46,
  items: [], // {number, source, target, folded}
  found: [],  // indices of the items that match the search
  chosen: 0, // index of an item
  choose: () => {},  // called with the index of the chosen item

  setItems(items) {
    this.items = items;
    this.search();
  },

  search() {
    const wanted = folded(byId("search").value.trim());
    this.found = this.items.flatMap((item, k) => (item.folded.includes(wanted) ? [k] : []));
    const all = this.items.length.toLocaleString("en");
    const some = this.found.length.toLocaleString("en");
    byId("count").textContent = wanted === "" ? `${all} ${this.items.length === 1 ? "sentence" : "sentences"}` : `${some} of ${all}`;
    byId("list-space").style.height = `${this.found.length * this.rowHeight}px`;
    if (this.found.length > 0 && !this.found.includes(this.chosen)) this.pick(0);
    this.reveal();
  },

  // Chooses the item at this position of `found`.
  pick(place) {
    if (this.found.length === 0) return;
    this.chosen = this.found[Math.max(0, Math.min(this.found.length - 1, place))];
    this.choose(this.chosen);
    this.reveal();
  },
  move(by) {
    this.pick(Math.max(0, this.found.indexOf(this.chosen)) + by);
  },

  reveal() {
    const box = byId("list");
    const place = this.found.indexOf(this.chosen);
    const top = place * this.rowHeight;
    if (place >= 0 && top < box.scrollTop) box.scrollTop = top;
    if (place >= 0 && top + this.rowHeight > box.scrollTop + box.clientHeight) box.scrollTop = top + this.rowHeight - box.clientHeight;
    this.draw();
  },

  draw() {
    const box = byId("list");
    const first = Math.max(0, Math.floor(box.scrollTop / this.rowHeight) - 4);
    const last = Math.min(this.found.length, Math.ceil((box.scrollTop + box.clientHeight) / this.rowHeight) + 4);
    const rows = [];
    for (let place = first; place < last; ++place) rows.push(this.row(place));
    byId("list-space").replaceChildren(...rows);
    if (byId(`sentence-${this.chosen}`) === null) box.removeAttribute("aria-activedescendant");
    else box.setAttribute("aria-activedescendant", `sentence-${this.chosen}`);
  },

  row(place) {
    const index = this.found[place];
    const item = this.items[index];
    const row = element("div", "row");
    row.id = `sentence-${index}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(index === this.chosen));
    row.setAttribute("aria-posinset", place + 1);
    row.setAttribute("aria-setsize", this.found.length);
    row.style.top = `${place * this.rowHeight}px`;
    const [source, target] = [element("span", "line", item.source), element("span", "line faint", item.target)];
    for (const line of [source, target]) line.dir = "auto";
    row.append(element("span", "number", item.number), source, target);
    row.addEventListener("click", () => this.pick(this.found.indexOf(index)));
    return row;
  },

  key(event) {
    const inText = event.target.id === "search";
    const page = Math.max(1, Math.floor(byId("list").clientHeight / this.rowHeight) - 1);
    const moves = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page };
    if (!inText) Object.assign(moves, { Home: -this.items.length, End: this.items.length });
    if (moves[event.key] === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.move(moves[event.key]);
  },

  listen() {
    byId("search").addEventListener("input", () => this.search());
    byId("list").addEventListener("scroll", () => this.draw());
    window.addEventListener("resize", () => this.draw());
  },
};
