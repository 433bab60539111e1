// Learning curves: a small panel per measure, all with the same x axis. Colours are those of Okabe
// and Ito (2008).

const kCurveColors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

const curves = {
  width: 420, height: 190,
  left: 58, right: 12, top: 8, bottom: 24,
  markers: [],  // a line in each panel at the validation that is shown

  // data: {across: axis, across_title, panels: [{title, axis, curves: [{name, color, best,
  // points}]}]}. An axis is {least, most, logarithmic, ticks: [[value, label], ...]}; points are
  // [x, y, x, y, ...].
  draw(data) {
    this.markers = [];
    const place = byId("curves");
    place.hidden = false;
    place.replaceChildren(...data.panels.map((panel) => this.panel(data, panel)));
  },

  panel(data, panel) {
    const figure = element("figure");
    const caption = figure.appendChild(element("figcaption"));
    caption.append(element("strong", "", panel.title));
    for (const curve of panel.curves) caption.append(this.name(curve, panel.curves.length > 1));
    const picture = svgElement("svg", { viewBox: `0 0 ${this.width} ${this.height}`, role: "img" });
    picture.setAttribute("aria-label", this.summary(panel));
    const x = this.scale(data.across, this.left, this.width - this.right);
    const y = this.scale(panel.axis, this.height - this.bottom, this.top);
    picture.append(...this.grid(data, panel, x, y));
    const marker = svgElement("line", { class: "marker", y1: this.top, y2: this.height - this.bottom, visibility: "hidden" });
    this.markers.push({ marker, x });
    picture.append(marker, ...panel.curves.flatMap((curve) => this.line(curve, x, y)));
    this.listen(picture, data, panel, x);
    figure.append(picture);
    return figure;
  },

  name(curve, withSample) {
    const name = element("span", "curve-name");
    if (withSample) {
      const sample = name.appendChild(element("i"));
      sample.style.backgroundColor = kCurveColors[curve.color % kCurveColors.length];
      const text = name.appendChild(element("bdi", "", curve.name));
      text.title = curve.name;
    }
    if (curve.best >= 0) name.append(element("span", "faint", `best ${shortFigure(curve.points[2 * curve.best + 1])}`));
    return name;
  },

  summary(panel) {
    const of = (curve) => `${curve.name} from ${shortFigure(curve.points[1])} to ${shortFigure(curve.points.at(-1))}`;
    return `${panel.title}: ${panel.curves.map(of).join("; ")}`;
  },

  scale(axis, low, high) {
    const place = axis.logarithmic
      ? (value) => Math.log(value / axis.least) / Math.log(axis.most / axis.least)
      : (value) => (value - axis.least) / (axis.most - axis.least);
    return (value) => low + (high - low) * place(value);
  },

  grid(data, panel, x, y) {
    const parts = [];
    const text = (at, words, anchor) => {
      const label = svgElement("text", { ...at, "text-anchor": anchor });
      label.textContent = words;
      parts.push(label);
    };
    for (const [value, label] of panel.axis.ticks) {
      parts.push(svgElement("line", { class: "grid", x1: this.left, x2: this.width - this.right, y1: y(value), y2: y(value) }));
      text({ x: this.left - 7, y: y(value) + 3.5 }, label, "end");
    }
    const base = this.height - this.bottom;
    parts.push(svgElement("line", { class: "base", x1: this.left, x2: this.width - this.right, y1: base, y2: base }));
    for (const [value, label] of data.across.ticks) text({ x: Math.min(x(value), this.width - 16), y: base + 15 }, label, "middle");
    return parts;
  },

  line(curve, x, y) {
    const color = kCurveColors[curve.color % kCurveColors.length];
    const corners = [];
    for (let k = 0; k < curve.points.length; k += 2) corners.push([x(curve.points[k]).toFixed(1), y(curve.points[k + 1]).toFixed(1)]);
    const parts = [svgElement("polyline", { points: corners.map((corner) => corner.join(",")).join(" "), stroke: color })];
    const dot = ([cx, cy], r) => svgElement("circle", { cx, cy, r, fill: color });
    if (corners.length === 1 || (curve.best >= 0 && corners.length <= 60)) parts.push(...corners.map((corner) => dot(corner, 2)));
    if (curve.best >= 0) parts.push(dot(corners[curve.best], 3.5));
    return parts;
  },

  // Shows the figures nearest to the pointer.
  listen(picture, data, panel, x) {
    picture.addEventListener("mousemove", (event) => {
      const box = picture.getBoundingClientRect();
      const at = ((event.clientX - box.left) / box.width) * this.width;
      const rows = [];
      for (const curve of panel.curves) {
        const k = this.nearest(curve.points, x, at);
        const row = element("span", "tip-row");
        const sample = row.appendChild(element("i"));
        sample.style.backgroundColor = kCurveColors[curve.color % kCurveColors.length];
        row.append(element("strong", "", shortFigure(curve.points[2 * k + 1])), ` at ${shortFigure(curve.points[2 * k])} `);
        if (panel.curves.length > 1) row.append(element("bdi", "faint", curve.name));
        rows.push(row);
      }
      const where = { left: event.clientX, width: 0, top: event.clientY - 6, bottom: event.clientY + 12 };
      tip.show([element("span", "faint", data.across_title), ...rows], where, true);
    });
    picture.addEventListener("mouseleave", () => tip.hide());
  },

  nearest(points, x, at) {
    let best = 0;
    for (let k = 1; 2 * k < points.length; ++k)
      if (Math.abs(x(points[2 * k]) - at) < Math.abs(x(points[2 * best]) - at)) best = k;
    return best;
  },

  // Marks an update in all panels; null removes the marks.
  mark(update) {
    for (const { marker, x } of this.markers) {
      marker.setAttribute("visibility", update === null ? "hidden" : "visible");
      if (update === null) continue;
      marker.setAttribute("x1", x(update));
      marker.setAttribute("x2", x(update));
    }
  },
};

// A figure with four digits; large numbers are rounded to integers.
function shortFigure(value) {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(4))).replace("-", "\u2212");
}
