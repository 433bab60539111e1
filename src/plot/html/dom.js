// Small parts of the page. Text from the data is always inserted as text, never as markup.

const byId = (id) => document.getElementById(id);

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  if (text !== "") made.textContent = text;
  return made;
}

function svgElement(tag, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// Replaces control characters by visible signs (U+2400 and above).
const visible = (text) => text.replace(/[\u0000-\u001f]/g, (sign) => String.fromCharCode(0x2400 + sign.charCodeAt(0)));

// A token, isolated from the text direction around it. The mark of a word's beginning and </s>
// are less prominent.
function tokenElement(token, className = "token") {
  const made = element("bdi", token === kEnd ? `${className} end` : className);
  made.dir = "auto";
  const marked = token.startsWith(kWordMark);
  if (marked) made.append(element("span", "mark", kWordMark));
  made.append(visible(marked ? token.slice(1) : token));
  return made;
}

// Draws a group of buttons, one of which is pressed. options: [[value, label], ...]. The group is
// hidden if there is only one option.
function drawChoice(place, options, chosen, choose) {
  place.hidden = options.length < 2;
  const focused = place.contains(document.activeElement);
  place.replaceChildren(
    ...options.map(([value, label]) => {
      const button = element("button", "", label);
      button.type = "button";
      button.dataset.value = value;
      button.setAttribute("aria-pressed", String(value === chosen));
      button.addEventListener("click", () => choose(value));
      return button;
    }),
  );
  if (focused) place.querySelector('[aria-pressed="true"]')?.focus();
}

// The tooltip of a cell or point.
const tip = {
  // Shows the tooltip below the rectangle, where it covers no label; above it if `above` or if
  // there is no room below.
  show(content, rectangle, above = false) {
    const box = byId("tip");
    box.replaceChildren(...content);
    box.hidden = false;
    const room = document.documentElement;
    const left = rectangle.left + rectangle.width / 2 - box.offsetWidth / 2;
    box.style.left = `${Math.max(4, Math.min(left, room.clientWidth - box.offsetWidth - 4))}px`;
    const [over, under] = [rectangle.top - box.offsetHeight - 6, rectangle.bottom + 6];
    const fits = above ? over < 4 : under + box.offsetHeight <= room.clientHeight;
    box.style.top = `${fits ? under : Math.max(4, over)}px`;
  },
  hide() {
    byId("tip").hidden = true;
  },
};
