// The matrix: a table whose cells are shaded by weight; the arrow keys move between cells.

const matrix = {
  mostCells: 40_000,  // each cell is an element; this many take about a second to draw
  view: null,  // null if no matrix is drawn
  scale: null,
  focus: [0, 0],  // row and column of the cell with the keyboard focus

  isTooLarge(view) {
    return view.source.length * view.target.length > this.mostCells;
  },

  // Shows a note instead of a table that is too large. line: the line of the dump, or undefined.
  drawNote(view, scale, line) {
    this.view = null;
    this.scale = scale;
    const [rows, columns] = [view.target, view.source].map((tokens) => tokens.length.toLocaleString("en"));
    const advice = line === undefined ? "" : `: heed plot ${data.title} --lines ${line} --output picture.pdf`;
    tip.hide();
    byId("matrix").replaceChildren(element("p", "note", `${rows} \u00d7 ${columns} weights are too many to draw here${advice}`));
    byId("matrix").classList.remove("tall");
  },

  draw(view, scale, dark) {
    this.view = view;
    this.scale = scale;
    this.focus = [Math.min(this.focus[0], view.target.length - 1), Math.min(this.focus[1], view.source.length - 1)];
    const table = element("table");
    table.setAttribute("role", "grid");
    table.setAttribute("aria-label", `Weights, ${view.target.length} target by ${view.source.length} source tokens`);
    const body = table.appendChild(element("tbody"));
    table.prepend(this.head());
    view.target.forEach((_, t) => body.append(this.row(t)));
    tip.hide();
    byId("matrix").replaceChildren(table);
    byId("matrix").classList.toggle("tall", view.target.length > 40);
    this.fitHead(table);
    this.color(dark);
  },

  head() {
    const row = element("tr");
    row.append(element("td", "corner"));
    for (const token of this.view.source) {
      const head = row.appendChild(element("th"));
      head.scope = "col";
      head.title = token;
      head.append(tokenElement(token));
    }
    const head = element("thead");
    head.append(row);
    return head;
  },

  row(t) {
    const row = element("tr");
    const head = row.appendChild(element("th"));
    head.scope = "row";
    head.title = this.view.target[t];
    head.append(tokenElement(this.view.target[t]));
    this.view.weights[t].forEach((weight, s) => {
      const cell = row.appendChild(element("td", "", shortNumber(weight, this.scale.most)));
      cell.tabIndex = t === this.focus[0] && s === this.focus[1] ? 0 : -1;
      if (this.endsTen(s, this.view.source.length)) cell.classList.add("tenth");
    });
    if (this.endsTen(t, this.view.target.length)) row.className = "tenth";
    return row;
  },

  // In large matrices a stronger line after every tenth cell guides the eye.
  endsTen: (index, size) => size > 20 && index % 10 === 9 && index + 1 < size,

  // Makes the head as high as the longest slanted label needs.
  fitHead(table) {
    const labels = [...table.querySelectorAll("thead bdi")];
    const widths = labels.map((label) => label.offsetWidth);
    const slant = Math.PI / 3;
    table.style.setProperty("--head", `${Math.ceil(Math.max(...widths) * Math.sin(slant)) + 16}px`);
    const reach = widths.map((width, s) => width * Math.cos(slant) + 24 - 24 * (widths.length - s - 1));
    table.style.setProperty("--reach", `${Math.max(0, Math.ceil(Math.max(...reach)))}px`);
  },

  color(dark) {
    if (this.view === null) return;
    this.view.weights.forEach((row, t) =>
      row.forEach((weight, s) => {
        const cell = this.cell(t, s);
        const part = weight / this.scale.most;
        cell.style.backgroundColor = shade(part, dark, this.scale.signed);
        cell.classList.toggle("strong", isStrong(part, this.scale.signed));
      }),
    );
  },

  table: () => byId("matrix").firstElementChild,
  cell(t, s) {
    return this.table().rows[t + 1].cells[s + 1];
  },
  placeOf(cell) {
    if (cell === null || cell.tagName !== "TD" || cell.className === "corner") return null;
    return [cell.parentElement.rowIndex - 1, cell.cellIndex - 1];
  },

  look(cell) {
    const place = this.placeOf(cell);
    this.lookAway();
    if (place === null) return;
    const [t, s] = place;
    this.table().rows[0].cells[s + 1].classList.add("on");
    cell.parentElement.cells[0].classList.add("on");
    cell.classList.add("on");
    const words = element("span");
    words.append(tokenElement(this.view.source[s]), element("span", "arrow", " \u2192 "), tokenElement(this.view.target[t]));
    tip.show([element("strong", "", number(this.view.weights[t][s])), words], cell.getBoundingClientRect());
  },

  lookAway() {
    for (const marked of byId("matrix").querySelectorAll(".on")) marked.classList.remove("on");
    tip.hide();
  },

  // Moves the focus to a cell, clamped to the matrix.
  goTo(t, s) {
    this.cell(...this.focus).tabIndex = -1;
    const inside = (value, size) => Math.max(0, Math.min(size - 1, value));
    this.focus = [inside(t, this.view.target.length), inside(s, this.view.source.length)];
    const cell = this.cell(...this.focus);
    cell.tabIndex = 0;
    cell.focus();
  },

  key(event) {
    const [t, s] = this.focus;
    const last = this.view.source.length - 1;
    const moves = {
      ArrowUp: [t - 1, s], ArrowDown: [t + 1, s], ArrowLeft: [t, s - 1], ArrowRight: [t, s + 1],
      Home: [event.ctrlKey ? 0 : t, 0], End: [event.ctrlKey ? this.view.target.length - 1 : t, last],
    };
    if (moves[event.key] === undefined) return;
    event.preventDefault();
    this.goTo(...moves[event.key]);
  },

  listen() {
    const place = byId("matrix");
    place.addEventListener("mouseover", (event) => this.look(event.target.closest("td")));
    place.addEventListener("mouseleave", () => this.lookAway());
    place.addEventListener("focusin", (event) => {
      const found = this.placeOf(event.target);
      if (found === null) return;
      this.focus = found;
      event.target.setAttribute("aria-describedby", "tip");
      this.look(event.target);
    });
    place.addEventListener("focusout", () => this.lookAway());
    place.addEventListener("scroll", () => this.lookAway());
    place.addEventListener("keydown", (event) => this.key(event));
  },
};
