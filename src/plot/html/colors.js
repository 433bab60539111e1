// The colours of weights, computed in OKLab (Ottosson 2020), where equal steps look equal. Weights
// from 0 to 1 have one hue; weights that can be negative have two, orange and blue, which every
// kind of colour vision can distinguish. In the dark theme large weights are light.

const kBlue = 4.5; // hues, in radians
const kOrange = 0.95;

const encodeLight = (linear) => {
  const x = Math.min(1, Math.max(0, linear));
  return Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));
};

function fromOklch(lightness, chroma, hue) {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = encodeLight(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = encodeLight(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = encodeLight(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
  return `rgb(${red}, ${green}, ${blue})`;
}

// How far lightness changes from zero to the largest weight. Signed scales end less dark, where
// orange and blue are still easy to distinguish.
const wayOf = (signed) => (signed ? 0.53 : 0.655);

// part: the weight divided by the scale's largest value, -1 to 1.
function shade(part, dark, signed) {
  const t = Math.min(1, Math.abs(part));
  const hue = part < 0 ? kOrange : kBlue;
  const most = part < 0 ? 0.19 : 0.22;  // the sRGB gamut is smaller for orange
  const way = wayOf(signed);
  if (dark) return fromOklch(0.235 + way * t, 0.012 + most * t ** 0.8 * (1 - 0.62 * t), hue);
  return fromOklch(0.975 - way * t, 0.006 + most * t ** 0.8 * (1 - 0.4 * t), hue);
}

// Whether figures on the shade must have the contrasting colour to be readable.
const isStrong = (part, signed) => wayOf(signed) * Math.abs(part) > 0.32;

// The largest value that the colours show: 1 for attention, the sentence's largest
// for other weights.
function scaleOf(view, kind, signed) {
  let most = 0;
  for (const row of view.weights) for (const weight of row) most = Math.max(most, Math.abs(weight));
  return { most: kind === "attention" && most <= 1.001 ? 1 : most || 1, signed };
}

const number = (value) => {
  const size = Math.abs(value);
  if (size >= 1000 || (size > 0 && size < 0.0005)) return value.toExponential(1).replace("-", "\u2212");
  return value.toFixed(3).replace("-", "\u2212");
};

// The figure in a cell, such as ".60"; empty for values too small to matter.
function shortNumber(value, most) {
  const size = Math.abs(value);
  if (size < 0.005 * most) return "";
  let text = size.toFixed(2).replace(/^0/, "");
  if (size >= 1) text = size.toFixed(size >= 10 ? 0 : 1);
  if (most < 0.1) text = size.toExponential(0);
  return (value < 0 ? "\u2212" : "") + text;
}

function drawScale(place, scale, dark) {
  const stops = [];
  for (let k = 0; k <= 24; ++k) stops.push(shade(scale.signed ? k / 12 - 1 : k / 24, dark, scale.signed));
  const strip = element("span", "strip");
  strip.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  const most = scale.most === 1 ? "1" : number(scale.most);
  const low = scale.signed ? `\u2212${most}` : "0";
  place.replaceChildren(element("span", "", low), strip, element("span", "", most));
}
