// The page of a study. Its data are answers of core/jobs/study_server.h: in the page itself, fetched from
// `serve`, or passed on by a notebook (app/python/src/plastiscope/widget.py).
'use strict';
const data = JSON.parse(document.getElementById('data').textContent), at = id => document.getElementById(id),
      {rich, number, plain} = plots, kept = new Map(), waiting = new Map();
let info, study = 0, metrics, order, chosen = 0, selection = [], metric, view = '', controls = {},
          sorting = null, falling = true, shown = [], lines = [], refining;
// The address of the page cannot be changed in a sandboxed frame (a notebook's), and may hold any text.
const attempt = action => {
  try {
    return action();
  } catch {
    return null;
  }
};
const nameOf = i => `L${info.table.layer[i]}H${info.table.head[i]}`,
      rowOf = name => order.find(i => nameOf(i) === name);

// ---- answers
const textOf = (path, given) =>
    path + Object.keys(given).sort().map((key, i) => `${i ? '&' : '?'}${key}=${given[key]}`).join('');
function request(path, given) {
  if (data.answers)
    return data.answers[textOf(path, given)] || {
      error: 'This is not in the page. ' +
          (data.left || 'It shows what it was made with; "serve" shows everything.')
    };
  if (data.notebook)
    return new Promise(done => {
      waiting.set(waiting.size, done);
      parent.postMessage({ask: waiting.size - 1, path, parameters: given}, '*');
    });
  return fetch('api/' + path + '?' + new URLSearchParams(given))
      .then(answer => answer.json())
      .catch(
          () => ({
            error: 'The program does not answer: it has ended, or the connection to its computer is closed.',
            gone: true
          }));
}
function ask(path, given = {}) {
  if (study) given = {...given, study};
  const text = textOf(path, given);
  if (!kept.has(text)) {
    if (kept.size > 400) kept.clear();
    kept.set(text, Promise.resolve(request(path, given)).then(answer => {
      if (answer.gone) kept.delete(text);
      return answer;
    }));
  }
  return kept.get(text);
}

// ---- plots
const dark = () => document.documentElement.dataset.theme === 'dark',
      system = matchMedia('(prefers-color-scheme: dark)');
function say(event, html) {
  const tip = at('tip');
  tip.style.display = html ? 'block' : 'none';
  if (!html) return;
  tip.innerHTML = html;
  tip.style.left = Math.max(8, Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8)) + 'px';
  tip.style.top = Math.max(8, Math.min(event.clientY + 14, innerHeight - tip.offsetHeight - 8)) + 'px';
}
// A mark that names a head chooses it.
function pick(mark, i, event) {
  const name = `${mark.names?.[i] || ''} ${mark.tips?.[i] || ''}`.match(/\bL\d+H\d+\b/);
  if (name && rowOf(name[0]) !== undefined) choose(rowOf(name[0]), event);
}
const draw = (place, plot, look) => plots.draw(
    place, plot,
    {dark: dark(), maps: info.maps, say, pick, lines: () => lines, bold: nameOf(chosen), ...look});
async function show(id, path, given, look = {}) {
  const place = at(id), text = place.asked = textOf(path, {...given, study}), plot = await ask(path, given);
  if (place.asked !== text) return null;
  if (plot.error)
    place.innerHTML = `<p>${plain(plot.error[0].toUpperCase() + plot.error.slice(1))}</p>`;
  else
    draw(place, plot, look);
  return plot.error ? null : plot;
}
function paintGrid() {
  const plot = info.grid, cells = plot.boxes[0].marks[0], wide = cells.columns.length,
        values = metric.values.filter(v => v !== null);
  let low = Math.min(...values), high = Math.max(...values);
  if (metric.signed) {
    high = Math.max(Math.abs(low), Math.abs(high));
    low = -high;
  }
  if (!values.length || !(high > low)) [low, high] = values.length ? [low, low + 1] : [0, 1];
  Object.assign(cells, {
    low,
    high,
    state: [...cells.state],
    colours: metric.signed ? 'blue_white_red' : 'metrics',
    tips: [],
    chosen: selection.map(i => info.table.layer[i] * wide + info.table.head[i])
  });
  for (const i of order) {
    const place = info.table.layer[i] * wide + info.table.head[i], v = metric.values[i];
    cells.value[place] = v;
    cells.state[place] = v === null ? '3' : '1';
    cells.tips[place] = `<b>${nameOf(i)}</b> ${plain(info.table.taxonomy[i].replace(/_/g, ' '))}<br>${
        metric.label} ${number(v)}`;
  }
  plot.boxes[0].scale = {
    title: metric.label + (metric.unit ? ` (${metric.unit})` : ''),
    low,
    high,
    unit: 1,
    colours: cells.colours
  };
  draw(at('grid'), plot, {height: Math.max(180, Math.min(480, cells.rows.length * 15 + 26))});
  at('meaning').textContent = metric.meaning;
}
async function paintHead() {
  const head = nameOf(chosen), asked = `${study} ${head}`;
  at('head').textContent =
      head.replace('H', ' H') + (selection.length > 1 ? ` and ${selection.length - 1} more` : '');
  at('class').textContent = info.table.taxonomy[chosen].replace(/_/g, ' ');
  show(
      'plane', 'plane', {head, ...(at('colour').value ? {colour: at('colour').value} : {})},
      {height: Math.max(360, at('grid').clientHeight - 50)});
  show('map', 'map', {head}, {height: 300});
  clearTimeout(refining);  // with all pairs, once the user stays at a head
  if (!data.answers)
    refining = setTimeout(() => show('map', 'map', {head, pairs: 'all'}, {height: 300}), 300);
  lines = (await ask('lines')).y || [];
  show('profile', 'profile', {head}, {height: 330});
  const told = await ask('head', {head});
  if (asked === `${study} ${nameOf(chosen)}`) at('sentence').textContent = told.sentence || '';
}
// ---- further views, chosen from a list
const own = ['plane', 'profile', 'map', 'probes', 'retrieval'],
      present = v => !data.answers || Object.keys(data.answers).some(text => text.split('?')[0] === v.path);
function select(name, title, options) {
  const list =
      at('controls').appendChild(Object.assign(document.createElement('select'), {ariaLabel: title, title}));
  options.forEach(
      ([value, text]) =>
          list.append(new Option(text, value, false, String(controls[name] ?? '') === String(value))));
  list.addEventListener('change', () => {
    controls[name] = list.value;
    paintView();
  });
}
function paintControls(of, path, excerpt) {
  at('controls').replaceChildren();
  if (of.of === 'text' && !data.answers) {
    if (info.texts.length > 1) select('text', 'Text', info.texts.map((text, i) => [i || '', text]));
    if (path === 'text') {
      select('measure', 'Colour of the tokens', info.measures.map((name, i) => [i ? name : '', name]));
      select('rows', 'Rows', [['', 'queries'], ['key', 'keys']]);
    }
    const query = at('controls').appendChild(Object.assign(document.createElement('input'), {
      type: 'number',
      min: 0,
      placeholder: 'query',
      title: 'Position of a query: a token',
      value: controls.query ?? ''
    }));
    query.addEventListener('change', () => {
      controls.query = query.value;
      paintView();
    });
    for (const [text, first] of excerpt ?
             [
               ['‹ before', Math.max(0, excerpt.first - excerpt.tokens.length)],
               ['after ›', excerpt.first + excerpt.tokens.length]
             ] :
             []) {
      const button =
          at('controls').appendChild(Object.assign(document.createElement('button'), {textContent: text}));
      button.addEventListener('click', () => {
        controls.first = first;
        paintView();
      });
    }
  }
}
async function paintView() {
  const of = info.views.find(v => v.path === view), given = {};
  if (!of) return;
  for (const button of at('views').children)
    button.setAttribute('aria-pressed', button.dataset.path === view);
  if (['head', 'rows', 'text'].includes(of.of)) given.head = nameOf(chosen);
  if (['metric', 'studies'].includes(of.of) && view !== 'compare' && metric.id !== info.first)
    given.metric = metric.id;
  if (of.of === 'text')
    for (const key of view === 'text' ? ['text', 'measure', 'rows', 'query', 'first'] : ['text', 'query'])
      if (controls[key] || controls[key] === 0) given[key] = controls[key];
  at('view').style.maxWidth = ['pca', 'taxonomy'].includes(view) ? '48rem' : '';
  const high = Math.max(300, Math.min(460, innerHeight * .55));
  const plot = await show('view', view, given, {
    height: view === 'keys' ? 560 : high,
    pick: (mark, i, event) => {
      if (mark.kind !== 'excerpt' || data.answers) return pick(mark, i, event);
      Object.assign(controls, {query: mark.first + i, first: mark.first, measure: 'score'});
      paintView();
    }
  });
  paintControls(of, view, view === 'text' ? plot?.boxes[0].marks[0] : null);
}

// ---- the table
// In a page without a server: comparisons joined by "and", or a part of a name or class.
const alike = (a, b) => [...a].filter((c, i) => i && b.includes(a[i - 1] + c)).length /
    Math.max(a.length, b.length);  // common pairs of letters
function filtered(expression) {
  const tests = expression.trim() === '' ? [] : expression.split(/\s+and\s+|&&/i).map(part => {
    const m = part.match(/^\s*(\w+)\s*(<=|>=|==|<|>|=)\s*([-−]?[\d.]+(?:e[-+]?\d+)?)\s*$/i);
    if (!m && /[<>=|!()]/.test(part))
      throw `"${
          part.trim()}": a page without a server takes comparisons such as ap_drop > 0.2, joined by "and", or a part of a name or class`;
    if (!m)
      return i => (nameOf(i) + ' ' + info.table.taxonomy[i] + ' ' + info.table.taxonomy[i].replace(/_/g, ' '))
                      .toLowerCase()
                      .includes(part.trim().toLowerCase());
    const values = metrics.get(m[1])?.values || (['layer', 'head'].includes(m[1]) ? info.table[m[1]] : null),
          limit = +m[3].replace('−', '-');
    if (!values) {
      const near = ['layer', 'head', ...metrics.keys()]
                       .map(id => [alike(m[1], id), id])
                       .sort((a, b) => b[0] - a[0])[0];
      throw `there is no column "${m[1]}"` + (near[0] >= .4 ? `; did you mean ${near[1]}?` : '');
    }
    return i => values[i] !== null && {
      '<': values[i] < limit,
      '>': values[i] > limit,
      '<=': values[i] <= limit,
      '>=': values[i] >= limit,
      '=': values[i] === limit,
      '==': values[i] === limit
    }[m[2]];
  });
  return order.filter(i => tests.every(test => test(i)));
}
async function filter() {
  const expression = at('filter').value,
        answer = !expression.trim() ? {rows: order} :
      data.answers                  ? (() => {
          try {
            return {rows: filtered(expression)};
          } catch (wrong) {
            return {error: wrong};
          }
        })() :
                                      await ask('filter', {expression});
  if (expression !== at('filter').value) return;
  at('wrong').textContent = answer.error || '';
  if (answer.error) return at('count').textContent = '';
  shown = answer.rows;
  paintTable();
}
const columns =
    () => [...new Set([metric.id, ...info.columns])].filter(id => metrics.has(id)).map(id => metrics.get(id));
function paintTable() {
  const by = sorting &&
      (metrics.get(sorting)?.values ||
       (sorting === 'taxonomy' ? info.table.taxonomy :
                                 info.table.layer.map((layer, i) => layer * 65536 + info.table.head[i])));
  const rows = by ? [...shown].sort(
                        (p, q) => by[p] === null ? 1 :
                            by[q] === null       ? -1 :
                                                   (by[p] < by[q]     ? -1 :
                                                        by[p] > by[q] ? 1 :
                                                                        p - q) *
                                (falling ? -1 : 1)) :
                    shown;
  const head = (id, text, title) => `<th data-id="${plain(id)}" title="${plain(title || '')}">${rich(text)}${
      sorting === id ? (falling ? ' ↓' : ' ↑') : ''}</th>`;
  document.querySelector('thead').innerHTML = `<tr>${head('name', 'Head')}${head('taxonomy', 'Class')}${
      columns().map(m => head(m.id, m.label, m.meaning)).join('')}</tr>`;
  document.querySelector('tbody').innerHTML =
      rows.slice(0, 2000)
          .map(
              i => `<tr data-i="${i}" aria-selected="${selection.includes(i)}"><td>${nameOf(i)}</td><td>${
                       plain(info.table.taxonomy[i].replace(/_/g, ' '))}</td>` +
                  columns().map(m => `<td>${number(m.values[i])}</td>`).join('') + '</tr>')
          .join('');
  at('count').textContent =
      (rows.length > 2000 ? 'first 2,000 of ' : '') + `${number(rows.length)} of ${number(order.length)}`;
}
document.querySelector('thead').addEventListener('click', event => {
  const id = event.target.closest('th')?.dataset.id;
  if (!id) return;
  falling = sorting === id ? !falling : id !== 'name' && id !== 'taxonomy';
  sorting = id;
  paintTable();
});
document.querySelector('tbody').addEventListener('click', event => {
  const row = event.target.closest('tr');
  if (row) choose(+row.dataset.i, event);
});
let typed = 0;
at('filter').addEventListener('input', () => {
  clearTimeout(typed);
  typed = setTimeout(filter, data.answers ? 0 : 150);
});
// Into sight within the table; the page stays where it is.
function showRow() {
  const row = document.querySelector(`tr[data-i="${chosen}"]`), area = document.querySelector('.scroll');
  if (!row) return;
  const above = row.offsetTop - document.querySelector('thead').offsetHeight;
  if (above < area.scrollTop) area.scrollTop = above;
  if (row.offsetTop + row.offsetHeight > area.scrollTop + area.clientHeight)
    area.scrollTop = row.offsetTop + row.offsetHeight - area.clientHeight;
}

// ---- the whole
function link() {
  const parts = {...(study ? {study} : {}), head: nameOf(chosen), metric: metric.id, ...(view ? {view} : {})};
  attempt(() => history.replaceState(null, '', '#' + new URLSearchParams(parts)));
}
// With Ctrl or Shift a head is added to the selection, or taken out of it.
function choose(i, event) {
  const adds = event && (event.ctrlKey || event.metaKey || event.shiftKey), had = selection.includes(i);
  selection = !adds               ? [i] :
      had && selection.length > 1 ? selection.filter(k => k !== i) :
      had                         ? selection :
                                    [...selection, i];
  showSelection();
  if (data.notebook) parent.postMessage({selection: selection.map(nameOf)}, '*');
}
function showSelection() {
  chosen = selection.at(-1);
  link();
  for (const row of document.querySelectorAll('tr[aria-selected=true]'))
    row.setAttribute('aria-selected', false);
  for (const i of selection) document.querySelector(`tr[data-i="${i}"]`)?.setAttribute('aria-selected', true);
  showRow();
  paintGrid();
  paintHead();
  paintView();
  if (!at('retrievalPart').hidden) show('retrieval', 'retrieval', {}, {height: 340});
}
function paintAll() {
  paintTable();
  showSelection();
  if (!at('probesPart').hidden) show('probes', 'probes', {}, {});
}
async function openStudy(wished) {
  study = +wished.study || 0;
  let answer = await ask('study');
  if (answer.error && study) {
    study = 0;
    answer = await ask('study');
  }
  if (answer.error) return at('title').textContent = answer.error;
  info = answer;
  order = info.table.layer.map((_, i) => i);
  metrics = new Map(info.metrics.map((m, i) => [m.id, {...m, values: info.table.values[i]}]));
  metric = metrics.get(wished.metric) || metrics.get(info.first) || [...metrics.values()][0];
  at('metric').replaceChildren();
  const groups = new Map();
  for (const m of metrics.values()) {
    if (!groups.has(m.group))
      groups.set(
          m.group,
          at('metric').appendChild(Object.assign(document.createElement('optgroup'), {label: m.group})));
    groups.get(m.group).appendChild(Object.assign(
        document.createElement('option'), {value: m.id, textContent: m.title, title: m.meaning}));
  }
  at('metric').value = metric.id;
  at('study').replaceChildren(...info.studies.map((title, i) => new Option(title, i, false, i === study)));
  at('study').hidden = info.studies.length < 2 || Boolean(data.answers);
  at('colour').replaceChildren(
      ...info.colourings.map((name, i) => new Option('colour: ' + name.replace('_', ' '), i ? name : '')));
  at('colour').hidden = Boolean(data.answers) || !info.views.some(v => v.path === 'plane');
  const views = info.views.filter(v => !own.includes(v.path) && present(v));
  at('views').replaceChildren(
      ...views.map(v => Object.assign(document.createElement('button'), {textContent: v.title})));
  views.forEach((v, i) => {
    const button = at('views').children[i];
    button.dataset.path = v.path;
    button.addEventListener('click', () => {
      view = v.path;
      controls.first = undefined;
      link();
      paintView();
    });
  });
  view = views.some(v => v.path === wished.view) ? wished.view : views[0]?.path || '';
  at('viewPart').hidden = !views.length;
  for (const path of ['probes', 'retrieval'])
    at(path + 'Part').hidden = !info.views.some(v => v.path === path);
  document.title = at('title').textContent = info.title;
  at('subtitle').textContent = info.subtitle;
  at('maker').textContent = info.maker +
      (data.answers ? ' The page is self-contained and opens without a network. ' + data.left : '');
  at('settings').textContent = JSON.stringify(info.settings, null, 1);
  at('facts').replaceChildren(...info.facts.flatMap(
      ([term, text]) =>
          [Object.assign(document.createElement('dt'), {textContent: term}),
           Object.assign(document.createElement('dd'), {textContent: text})]));
  selection = [rowOf(wished.head) ?? info.chosen];
  await filter();
  paintAll();
  if (wished.view && view === wished.view) {
    await paintView();
    at('viewPart').scrollIntoView();
  }
  if (data.notebook) parent.postMessage({ready: true}, '*');
}
// "#head=L16H4&view=text&metric=ap_drop&study=1", or "#L16H4,ap_drop" of earlier versions.
function wishes() {
  const text = attempt(() => decodeURIComponent(location.hash.slice(1))) || '', [head, id] = text.split(',');
  return text.includes('=') ? Object.fromEntries(new URLSearchParams(location.hash.slice(1))) :
                              {head, metric: id};
}
function setTheme(name) {
  document.documentElement.dataset.theme = name;
  if (info) paintAll();
}
at('metric').addEventListener('change', event => {
  metric = metrics.get(event.target.value);
  paintAll();
});
at('colour').addEventListener('change', paintHead);
at('study').addEventListener('change', event => {
  controls = {};
  openStudy({study: event.target.value, head: nameOf(chosen), metric: metric.id, view});
});
at('back').addEventListener('click', () => choose((chosen + order.length - 1) % order.length));
at('next').addEventListener('click', () => choose((chosen + 1) % order.length));
at('theme').addEventListener('click', () => setTheme(dark() ? 'light' : 'dark'));
system.addEventListener('change', () => setTheme(system.matches ? 'dark' : 'light'));
at('grid').addEventListener('keydown', event => {
  const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key],
        cells = info.grid.boxes[0].marks[0];
  if (!step) return;
  event.preventDefault();
  for (let layer = info.table.layer[chosen] + step[0], head = info.table.head[chosen] + step[1];
       layer >= 0 && layer < cells.rows.length && head >= 0 && head < cells.columns.length;
       layer += step[0], head += step[1]) {
    const i = rowOf(`L${layer}H${head}`);
    if (i !== undefined) return choose(i);
  }
});
addEventListener('hashchange', () => openStudy(wishes()));
addEventListener('message', event => {
  if (!data.notebook || event.source !== parent) return;
  const {answer, value, selection: heads} = event.data;
  if (answer !== undefined) waiting.get(answer)?.(value);
  const rows = heads && info ? heads.map(rowOf).filter(i => i !== undefined) : [];
  if (rows.length && rows.join() !== selection.join()) {
    selection = rows;
    showSelection();
  }
});
let painted = 0, soon = 0;
new ResizeObserver(() => {
  if (!info || document.body.clientWidth === painted) return;
  painted = document.body.clientWidth;
  cancelAnimationFrame(soon);
  soon = requestAnimationFrame(paintAll);
}).observe(document.body);
setTheme(system.matches ? 'dark' : 'light');
openStudy(wishes());
