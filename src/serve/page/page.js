// Asks this server for translations and draws their attention. All text was typed by the user or
// comes from a model, so it is inserted as text, never as markup.
'use strict';

const byId = (id) => document.getElementById(id);

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// The direction of a text, found from its first letter that has one.
function directionOf(text) {
  const probe = element('div', text, {dir: 'auto'});
  document.body.append(probe);
  const direction = getComputedStyle(probe).direction;
  probe.remove();
  return direction;
}

function cell(weight, source, target) {
  const percent = Math.round(100 * weight);
  const made = element('td', percent >= 10 ? String(percent) : '');
  made.style.setProperty('--weight', weight.toFixed(3));
  made.title = `${target} ← ${source}: ${percent} %`;
  if (weight > 0.5) made.className = 'strong';
  return made;
}

// A legend and a table with one row per token of the translation and one column per source token.
// Columns begin on the side from which the source is read.
function heatmap(entry) {
  const table = element('table', undefined, {dir: directionOf(entry.source.join(' '))});
  const head = element('tr');
  head.append(element('td'));
  for (const token of entry.source) head.append(element('th', token, {scope: 'col', dir: 'auto'}));
  table.append(element('thead'));
  table.tHead.append(head);
  const body = element('tbody');
  entry.attention.forEach((weights, row) => {
    const target = entry.target[row];
    const line = element('tr');
    line.append(element('th', target, {scope: 'row', dir: 'auto'}));
    weights.forEach((weight, column) => line.append(cell(weight, entry.source[column], target)));
    body.append(line);
  });
  table.append(body);
  const frame = element('div', undefined, {class: 'heatmap', tabindex: '0', role: 'region', 'aria-label': 'attention'});
  frame.append(table);
  return [element('p', 'Attention in percent: where the model looked (columns) for each token that it wrote (rows).', {class: 'facts'}), frame];
}

function article(entry) {
  const made = element('article');
  made.append(element('p', entry.text, {class: 'translation', dir: 'auto'}));
  const facts = [`log-probability ${entry.logp.toFixed(2)}`, `score ${entry.score.toFixed(2)}`];
  if (!entry.finished) facts.push('stopped at the length limit');
  if (entry.note) facts.push(entry.note);
  made.append(element('p', facts.join(' · '), {class: 'facts'}));
  if (entry.nbest) {
    const list = element('ol');
    for (const other of entry.nbest) list.append(element('li', `${other.text} (${other.score.toFixed(2)})`, {dir: 'auto'}));
    made.append(list);
  }
  if (entry.attention && entry.attention.length > 0) made.append(...heatmap(entry));
  return made;
}

function requestOf(hasAttention) {
  const request = {text: byId('text').value};
  if (hasAttention) Object.assign(request, {attention: true, words: !byId('pieces').checked});
  for (const key of ['beam', 'nbest']) {
    if (byId(key).value !== '') request[key] = Number(byId(key).value);
  }
  return request;
}

async function fetchJson(route, options) {
  let response;
  try {
    response = await fetch(route, options);
  } catch {
    throw new Error('The server does not answer.');
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

let hasAttention;  // undefined until the server has been asked

async function translate() {
  if (hasAttention === undefined) hasAttention = (await fetchJson('/health')).attention !== false;
  const answer = await fetchJson('/translate', {
    method: 'POST',
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(requestOf(hasAttention)),
  });
  return answer.translations.flatMap((entry) => entry.lines ?? [entry]);
}

async function submit(event) {
  event.preventDefault();
  if (byId('go').disabled) return;
  if (byId('text').value.trim() === '') {
    byId('state').textContent = 'Type something to translate.';
    byId('text').focus();
    return;
  }
  byId('go').disabled = true;
  byId('state').textContent = 'translating …';
  byId('error').hidden = true;
  byId('result').replaceChildren();
  try {
    byId('result').replaceChildren(...(await translate()).map(article));
    byId('state').textContent = 'translated';
  } catch (error) {
    byId('error').textContent = error.message;
    byId('error').hidden = false;
    byId('state').textContent = '';
  } finally {
    byId('go').disabled = false;
  }
}

byId('form').addEventListener('submit', submit);
byId('text').addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) byId('form').requestSubmit();
});
