// Draws links as lines between the two sentences. The sentences are columns, so that long ones need
// no horizontal scrolling.

const links = {
  rowHeight: 24,
  width: 120,

  // The tokens without </s>, which is never linked. The shorter column is spread evenly over the
  // height of the longer one.
  draw(view) {
    const source = view.source.filter((token, s) => token !== kEnd || s < view.source.length - 1);
    const target = view.target.filter((token, t) => token !== kEnd || t < view.target.length - 1);
    const height = this.rowHeight * Math.max(source.length, target.length, 1);
    const lines = svgElement("svg", { width: this.width, height, viewBox: `0 0 ${this.width} ${height}`, role: "img" });
    const readable = view.links.map(([s, t]) => `${view.source[s]} \u2013 ${view.target[t]}`);
    lines.setAttribute("aria-label", `Links: ${readable.join(", ") || "none"}`);
    for (const link of view.links) lines.append(this.line(link, view, source.length, target.length, height));
    byId("links").replaceChildren(this.column(source, "source", height), lines, this.column(target, "target", height));
    byId("links-note").textContent = view.given ? "as the dump has them" : "the largest weight of each target token";
  },

  column(tokens, side, height) {
    const list = element("ul", side);
    list.setAttribute("aria-label", side);
    list.style.height = `${height}px`;
    tokens.forEach((token, k) => {
      const item = list.appendChild(element("li"));
      item.dataset.side = side;
      item.dataset.index = k;
      item.append(tokenElement(token));
    });
    return list;
  },

  line([s, t], view, sources, targets, height) {
    const from = ((s + 0.5) * height) / sources;
    const to = ((t + 0.5) * height) / targets;
    const middle = this.width / 2;
    const weight = Math.max(0, Math.min(1, Math.abs(view.weights[t][s]) / matrix.scale.most));
    const line = svgElement("path", {
      d: `M2,${from} C${middle},${from} ${middle},${to} ${this.width - 2},${to}`,
      "stroke-width": (1 + 2 * weight).toFixed(2),
      "stroke-opacity": (0.35 + 0.65 * weight).toFixed(2),
    });
    line.dataset.source = s;
    line.dataset.target = t;
    return line;
  },

  // Shows only the links of this token.
  look(item) {
    const place = byId("links");
    place.classList.toggle("looking", item !== null);
    for (const line of place.querySelectorAll("path")) {
      const on = item !== null && line.dataset[item.dataset.side] === item.dataset.index;
      line.classList.toggle("on", on);
    }
  },

  listen() {
    const place = byId("links");
    place.addEventListener("mouseover", (event) => this.look(event.target.closest("li")));
    place.addEventListener("mouseleave", () => this.look(null));
  },
};
