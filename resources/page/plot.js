// Draws a plot, as core/figures/plot_json.cpp writes it, into an element: one SVG per box, legends and texts
// as HTML. plots.draw(place, plot, look); look: {dark, maps: colours by name, height, say(event, html),
// pick(mark, item, event), lines(request): y values that several plots share, bold: a name on an axis}.
'use strict';
const plots = (() => {
  const plain = text => String(text).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
  // Rich text: the tags that titles use; all else is text.
  const rich = text => plain(text)
                           .replace(/&#60;(\/?)(i|b|br|sub|sup)&#62;/g, '<$1$2>')
                           .replace(/&#38;(nbsp|lt|gt|amp);/g, '&$1;');
  const svgRich = text =>
      rich(text)
          .replace(/<i>/g, '<tspan font-style="italic">')
          .replace(/<b>/g, '<tspan font-weight="bold">')
          .replace(
              /<(sub|sup)>/g,
              (_, kind) => `<tspan font-size="9" baseline-shift="${kind === 'sub' ? 'sub' : 'super'}">`)
          .replace(/<\/(i|b|sub|sup)>/g, '</tspan>')
          .replace(/<br>/g, ' ')
          .replace(/&nbsp;/g, ' ');
  const minus = text => text.replace(/-/g, '−');
  const number = v => v === null || v === undefined ? '–' :
      Number.isInteger(v)                           ? minus(v.toLocaleString('en-US')) :
                                                      minus(String(+v.toPrecision(3)));
  const known = v => v !== null && v !== undefined, pen = document.createElement('canvas').getContext('2d');
  function width(text) {
    pen.font = '12px system-ui, "Noto Sans", sans-serif';
    return pen.measureText(text.replace(/<[^>]*>/g, '').replace(/&\w+;/g, 'x')).width;
  }
  const at = (colours, share) =>
      colours[Math.max(0, Math.min(colours.length - 1, Math.round(share * (colours.length - 1))))];
  const ink = (colour, look) => colour ? colour.split(' ')[look.dark ? 1 : 0] : 'none';
  function mapOf(name, look) {
    const kinds = {queries: 'blues', keys: 'reds'},
          map = look.maps[{metrics: 'viridis', maps: 'magma', ...kinds}[name] || name];
    return kinds[name] && look.dark ? [...map].reverse() : map;
  }
  const strip = (colours, wide = '7rem') => `<span class="strip" style="width: ${
      wide}; background: linear-gradient(to right, ${colours.join(', ')})"></span>`;
  // A title is given in several lengths, the longest first; parts after " · " may be left out.
  function fitting(title, room) {
    const forms = title.split('|');
    for (const form of forms)
      for (let parts = form.split(' · '); parts.length; parts = parts.slice(0, -1))
        if (width(parts.join(' · ')) <= room) return parts.join(' · ');
    return forms.at(-1).split(' · ')[0];
  }

  // ---- axes
  function ticksOf(axis, room, across) {
    if (axis.names) {
      const names = axis.names.map((name, i) => ({v: axis.places?.length ? axis.places[i] : i, text: name}));
      const each = axis.slant ? 14 : across ? Math.max(...names.map(n => width(n.text))) + 6 : 13;
      const step = axis.ticks === 'allNames' ? 1 : Math.max(1, Math.ceil(names.length * each / room));
      return names.filter((_, i) => i % step === 0 && (step === 1 || i + step / 2 < names.length || i === 0));
    }
    if (axis.ticks.endsWith('ames')) return [];
    const unit = axis.unit * (axis.ticks === 'percent' ? .01 : 1), low = axis.low / unit,
          high = axis.high / unit;
    const rough = (high - low) / Math.max(1, room / (across ? 72 : 42)),
          power = 10 ** Math.floor(Math.log10(rough));
    let step = [1, 2, 5, 10].map(f => f * power).find(s => s >= rough * .999);
    if (axis.ticks === 'tokens' && high >= 64) step = 2 ** Math.ceil(Math.log2(rough));
    if (axis.ticks === 'whole') step = Math.max(1, step);
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; ++k) {
      const v = +(k * step).toPrecision(12);
      const text = axis.ticks === 'tokens' && high > 16384 && v % 1024 === 0 && v ?
          v / 1024 + 'K' :
          minus(v.toLocaleString('en-US', {maximumSignificantDigits: 6})) +
              (axis.ticks === 'percent' ? ' %' : '');
      found.push({v: v * unit, text});
    }
    return found;
  }
  // A value with its axis title, as tipOf() of core/views/plot.cpp.
  function named(axis, value) {
    if (axis.names)
      return axis.names.find((_, i) => Math.abs((axis.places?.length ? axis.places[i] : i) - value) < .5) ||
          '';
    const title = (axis.title || '').split('|').at(-1).split(' · ')[0];
    return `${title} ${
               axis.ticks === 'percent' ? (100 * value / axis.unit).toFixed(1) + ' %' :
                                          number(value / axis.unit)}`
        .trim();
  }
  function tipOf(box, mark, i, x, y) {
    if (mark.tip || mark.tips?.[i] !== undefined) return mark.tip ? mark.tip(i) : mark.tips[i];
    const start = [mark.title, mark.names?.[i]].filter(Boolean).join(', ');
    return (start ? `<b>${start}</b><br>` : '') +
        [named(box.x, x), named(box.y, y)].filter(Boolean).join('<br>');
  }

  // ---- marks: each returns SVG text and adds what has a tool tip to hits
  let hatches = 0;
  const line = (d, stroke, look, more = '') =>
      (stroke.cased ? `<path d="${d}" fill="none" stroke="${ink(stroke.cased, look)}" stroke-width="${
                          stroke.width + 2}" ${more}/>` :
                      '') +
      `<path d="${d}" fill="none" stroke="${ink(stroke.colour, look)}" stroke-width="${
          stroke.width}" stroke-linejoin="round"` +
      (stroke.dash ? ` stroke-dasharray="${stroke.dash.map(v => v * stroke.width)}"` : '') + ` ${more}/>`;
  const rect = (x0, y0, x1, y1, fill, more = '') =>
      `<rect x="${Math.min(x0, x1).toFixed(1)}" y="${Math.min(y0, y1).toFixed(1)}" width="${
          Math.abs(x1 - x0).toFixed(1)}" height="${Math.abs(y1 - y0).toFixed(1)}" fill="${fill}" ${more}/>`;
  const label = (x, y, text, more = '') =>
      `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${svgRich(text)}</text>`;
  function marker(x, y, style, size, look, fill) {
    const r = size / 2, d = {
      square: `M${- r} ${- r}H${r}V${r}H${- r}Z`,
      diamond: `M0 ${- r * 1.3}L${r * 1.3} 0L0 ${r * 1.3}L${- r * 1.3} 0Z`,
      triangle: `M0 ${- r * 1.2}L${r * 1.15} ${r}H${- r * 1.15}Z`,
      downTriangle: `M0 ${r * 1.2}L${r * 1.15} ${- r}H${- r * 1.15}Z`
    }[style.shape];
    const paint = `fill="${fill || ink(style.fill, look)}" stroke="${ink(style.rim, look)}"`;
    return d ? `<path d="${d}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" ${paint}/>` :
               `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${
                   (style.shape === 'dot' ? r * .6 : r).toFixed(1)}" ${paint}/>`;
  }
  function hatched(box, colour, x0, y0, x1, y1) {
    const id = 'hatch' + hatches++;
    return `<pattern id="${
               id}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V6" stroke="${
               colour}"/></pattern>` +
        rect(x0, y0, x1, y1, `url(#${id})`);
  }
  const pathOf = (xs, ys, X, Y) => {
    let d = '', up = true;
    xs.forEach((x, i) => {
      if (!known(ys[i])) {
        up = true;
        return;
      }
      d += `${up ? 'M' : 'L'}${X(x).toFixed(1)} ${Y(ys[i]).toFixed(1)}`;
      up = false;
    });
    return d;
  };
  const one = (list, i) => list.length === 1 ? list[0] : list[i];
  // Names beside points, where they cover neither points nor each other.
  function placed(texts, xs, ys, area) {
    const taken = xs.map((x, i) => [x - 3, ys[i] - 3, x + 3, ys[i] + 3]);
    return texts
        .map((text, i) => {
          const w = width(text), corners = [
            [6, 4], [-w - 6, 4], [-w / 2, -7], [-w / 2, 16], [5, -6], [5, 14]
          ].map(([dx, dy]) => [xs[i] + dx, ys[i] + dy]);
          const free = corners.find(
              ([x, y]) => x > area.left && x + w < area.right && y - 10 > area.top && y < area.bottom &&
                  !taken.some(t => x < t[2] && t[0] < x + w && y - 10 < t[3] && t[1] < y + 2));
          if (free) taken.push([free[0], free[1] - 10, free[0] + w, free[1] + 2]);
          return free ? label(...free, text) : '';
        })
        .join('');
  }
  const kinds = {
    points(m, {X, Y, area, look, point}) {
      const size = m.slots ? Math.min(m.style.size, .75 * (area.right - area.left) / m.slots) : m.style.size,
            map = m.shade.length && mapOf(m.colours, look);
      return m.x
          .map((x, i) => {
            if (!known(x) || !known(m.y[i])) return '';
            point(X(x), Y(m.y[i]), m, i, x, m.y[i]);
            return marker(
                X(x), Y(m.y[i]), m.style, size, look,
                map && known(m.shade[i]) ? at(map, (m.shade[i] - m.low) / (m.high - m.low)) : '');
          })
          .join('');
    },
    line(m, {X, Y, look, point}) {
      let out = line(pathOf(m.x, m.y, X, Y), m.stroke, look), last = -1e9;
      m.x.forEach((x, i) => {
        if (!known(m.y[i])) return;
        if (!m.noTips) point(X(x), Y(m.y[i]), m, i, x, m.y[i]);
        if (m.marker && X(x) - last >= (m.apart || 0)) {
          last = X(x);
          out += marker(last, Y(m.y[i]), m.marker, m.marker.size, look);
        }
      });
      return out;
    },
    band(m, {X, Y, look}) {
      const place = (x, v) => m.sideways ? `${X(v).toFixed(1)} ${Y(x).toFixed(1)}` :
                                           `${X(x).toFixed(1)} ${Y(v).toFixed(1)}`,
            runs = [[]];
      m.x.forEach((x, i) => known(m.low[i]) && known(m.high[i]) ? runs.at(-1).push(i) : runs.push([]));
      return runs.filter(run => run.length > 1)
          .map(
              run => `<path fill="${ink(m.fill, look)}" d="M${
                      [...run.map(i => place(m.x[i], m.high[i])),
                       ...run.reverse().map(i => place(m.x[i], m.low[i]))]
                          .join('L')}Z"/>`)
          .join('');
    },
    bars(m, {X, Y, look, cell, box}) {
      return m.left
          .map((left, i) => {
            if (![left, m.right[i], m.bottom[i], m.top[i]].every(known)) return '';
            const [x0, x1, y0, y1] = [X(left), X(m.right[i]), Y(m.bottom[i]), Y(m.top[i])],
                               text = m.numbers?.[i];
            cell(
                x0, y0, x1, y1, m, i, m.lying ? m.right[i] - left : (left + m.right[i]) / 2,
                m.lying ? (m.bottom[i] + m.top[i]) / 2 : m.top[i]);
            const rim = m.rim ? `stroke="${ink(m.rim.colour, look)}" stroke-width="${m.rim.width}"` : '';
            return rect(x0, y0, x1, y1, ink(one(m.fills, i), look), rim) +
                (!text || width(text) > Math.abs(x1 - x0) + 8 ?
                     '' :
                     label(
                         (x0 + x1) / 2,
                         (m.inside ? y1 + 14 : (known(m.reach?.[i]) ? Math.min(y1, Y(m.reach[i])) : y1) - 4),
                         text, 'text-anchor="middle" font-size="10"'));
          })
          .join('');
    },
    errorBars(m, {X, Y, look}) {
      return m.x
          .map((x, i) => {
            if (!known(m.low[i]) || !known(m.high[i])) return '';
            const [c, a, b] = [X(x), Y(m.low[i]), Y(m.high[i])].map(v => +v.toFixed(1)),
                         cap = m.cap ? `M${c - m.cap} ${a}h${2 * m.cap}M${c - m.cap} ${b}h${2 * m.cap}` : '';
            return line(`M${c} ${a}V${b}${cap}`, one(m.strokes, i), look);
          })
          .join('');
    },
    segments: (m, {X, Y, look}) =>
        m.x0.map(
                (x, i) => known(m.y0[i]) && known(m.y1[i]) ?
                    line(pathOf([x, m.x1[i]], [m.y0[i], m.y1[i]], X, Y), one(m.strokes, i), look) :
                    '')
            .join(''),
    rules: (m, {X, Y, area, look}) => m.at.map(
                                              v => line(
                                                  m.vertical ? `M${X(v)} ${area.top}V${area.bottom}` :
                                                               `M${area.left} ${Y(v)}H${area.right}`,
                                                  m.stroke, look))
                                          .join(''),
    missing: (m, {X, area, look, box}) =>
        m.spans
            .map(
                ([from, to]) => rect(X(from), area.top, X(to), area.bottom, ink(m.fill, look)) +
                    hatched(box, ink(m.hatch, look), X(from), area.top, X(to), area.bottom))
            .join(''),
    cells(m, {X, Y, look, cell, box}) {
      const map = mapOf(m.colours, look), wide = m.columns.length, chosen = new Set(m.chosen);
      let above = '';
      return m.value
                 .map((v, i) => {
                   const [a, b] = m.columns[i % wide], [c, d] = m.rows[Math.floor(i / wide)],
                             state = m.state[i];
                   const [x0, x1] = [X(a), X(b)], [y0, y1] = [Y(c), Y(d)],
                              gap = m.gap && Math.abs(x1 - x0) > 5 && Math.abs(y1 - y0) > 5 ? .6 : 0;
                   const place = [
                     Math.min(x0, x1) + gap, Math.min(y0, y1) + gap, Math.max(x0, x1) - gap,
                     Math.max(y0, y1) - gap
                   ];
                   cell(...place, m, i, (a + b) / 2, (c + d) / 2);
                   if (chosen.has(i))
                     above +=
                         rect(...place, 'none', 'stroke="var(--accent)" stroke-width="2.5" class="chosen"');
                   if (state === '0') return '';
                   if (state === '4') return rect(...place, ink(m.outside, look));
                   if (state !== '1') {
                     const [fill, hatch] = state === '2' ? m.few : m.unknown;
                     return rect(...place, ink(fill, look)) + hatched(box, ink(hatch, look), ...place);
                   }
                   const share = (v - m.low) / (m.high - m.low || 1),
                         fits = (m.texts?.[i] || '')
                                    .split('|')
                                    .find(text => width(text) < place[2] - place[0] - 2);
                   const joined = gap ? place : [place[0], place[1], place[2] + .4, place[3] + .4],
                         bright = parseInt(at(map, share).slice(3, 5), 16) > 130;
                   return rect(...joined, at(map, share)) +
                       (fits ? label(
                                   (x0 + x1) / 2, (y0 + y1) / 2 + 4, fits,
                                   `text-anchor="middle" font-size="11" style="fill: ${
                                       bright ? '#000' : '#fff'}"`) :
                               '');
                 })
                 .join('') +
          above;
    },
    cloud: (m, {X, Y, look, point}) =>
        m.sets
            .map(set => {  // one path per colour
              const steps = set.colours.map(() => '');
              set.x.forEach((x, i) => {
                const [a, b] = [X(x), Y(set.y[i])];
                point(a, b, {tip: row => `<b>${set.name}</b> · position ${number(set.position[row])}`}, i);
                steps[set.step[i]] += `M${a.toFixed(1)} ${b.toFixed(1)}h0`;
              });
              const size = set.x.length > 1500 ? 3.4 : 4.6;
              return `<g data-set="${set.name}" data-count="${set.x.length}" stroke-linecap="round">` +
                  steps
                      .map(
                          (d, i) => d &&
                              `<path d="${d}" stroke="${ink(set.colours[i], look)}" stroke-width="${
                                  size}"/>` +
                                  (set.ring ?
                                       `<path d="${d}" stroke="var(--ground)" stroke-width="${size / 2}"/>` :
                                       ''))
                      .join('') +
                  '</g>';
            })
            .join(''),
    lines(m, {X, Y, look}) {
      const all = m.y || look.lines(m.from) || [], each = m.x.length;
      let d = '';
      for (let i = 0; i + each <= all.length; i += each) d += pathOf(m.x, all.slice(i, i + each), X, Y);
      return line(d, m.stroke, look);
    },
    arrow(m, {X, Y, look}) {
      const [x0, y0, x1, y1, x, y] =
          [X(m.from[0]), Y(m.from[1]), X(m.to[0]), Y(m.to[1]), X(m.centre[0]), Y(m.centre[1])];
      const turn = Math.atan2(y0 - y1, x0 - x1),
            barb = side => `M${x1} ${y1}L${x1 + 8 * Math.cos(turn + side)} ${y1 + 8 * Math.sin(turn + side)}`;
      const d = `M${x0} ${y0}L${x1} ${y1}${barb(.5)}${barb(-.5)}`, colour = ink(m.colour, look),
            casing = ink(m.casing, look), end = 'stroke-linecap="round"';
      return (m.arrow && [x0, y0, x1, y1].every(isFinite) ? line(d, {colour: m.casing, width: 4}, look, end) +
                      line(d, {colour: m.colour, width: 1.8}, look, end) :
                                                            '') +
          (known(m.centre[0]) ? `<circle cx="${x}" cy="${y}" r="5" fill="${casing}" stroke="${
                                    casing}" stroke-width="4"/><circle cx="${x}" cy="${y}" r="4.6" fill="${
                                    casing}" stroke="${colour}" stroke-width="1.5"/>` +
                   `<path d="M${x - 2.5} ${y}h5M${x} ${y - 2.5}v5" stroke="${colour}" stroke-width="1.5"/>` :
                                '');
    },
    texts(m, {X, Y, area, look}) {
      if (!m.ends.length)
        return (m.texts || [])
            .map(
                (text, i) => m.room.length && width(text) > Math.abs(X(m.x[i] + m.room[i]) - X(m.x[i])) ?
                    '' :
                    label(
                        X(m.x[i]), Y(m.y[i]) + 4, text,
                        `text-anchor="middle" style="fill: ${ink(m.colour, look)}"`))
            .join('');
      const order = m.texts.map((_, i) => i).filter(i => known(m.y[i])).sort((a, b) => Y(m.y[a]) - Y(m.y[b]));
      let last = -1e9;
      return order
          .map(i => {
            const x = X(m.x[i]), y = Y(m.y[i]), to = last = Math.max(y, last + 13);
            return line(`M${x} ${y}L${x + 10} ${to}`, {colour: m.ends[i], width: 1}, look) +
                label(x + 13, to + 4, m.texts[i]);
          })
          .join('');
    },
    labels: (m, {X, Y, area}) => placed(m.texts || [], m.x.map(X), m.y.map(Y), area) +
        (m.note || [])
            .map((text, i) => label(area.right - 6, area.top + 14 + 14 * i, text, 'text-anchor="end"'))
            .join(''),
  };

  // ---- a page of tokens
  function excerpt(place, mark, title, look) {
    const map = mapOf(mark.colours, look),
          div = place.appendChild(Object.assign(document.createElement('div'), {className: 'excerpt'})),
          labelled = new Set(mark.labelled), ends = new Set(mark.ends);
    div.innerHTML = mark.tokens
                        .map((token, i) => {
                          const share = known(mark.value[i]) ?
                              Math.max(0, (mark.value[i] - mark.low) / (mark.high - mark.low || 1)) :
                              null,
                                own = mark.captured[i], look2 = look.dark ? '#111' : '#fff';
                          const styles = [
                            known(share) ? `background: ${at(map, share)}${own ? '' : '59'}` : '',
                            known(share) && own && share > .55 ? `color: ${look2}` : '',
                            mark.other[i] ? `box-shadow: inset 0 -2px ${ink(mark.otherColour, look)}` : '',
                            labelled.has(i) ? 'font-style: italic' : '',
                            mark.rank[i] ? 'outline: 1.5px solid var(--accent)' : '',
                            i === mark.query ? 'background: var(--accent); color: #000' : ''
                          ];
                          return `<span data-token="${i}" style="${styles.filter(Boolean).join('; ')}">${
                                     plain(token)}</span>` +
                              (mark.rank[i] ? `<sup>${mark.rank[i]}</sup>` : '') +
                              (ends.has(i) ? '<br><br>' : '');
                        })
                        .join('');
    const item = event => event.target.dataset.token,
          tip = i => `<b>${plain(mark.tokens[i])}</b><br>token ${number(mark.first + i)}` +
        (known(mark.value[i]) ? `<br>${rich(title)} ${number(mark.value[i])}${
                                    mark.captured[i] ? '' : ', mean of the rows near it'}` :
                                '');
    div.addEventListener('pointermove', event => look.say(event, item(event) ? tip(+item(event)) : ''));
    div.addEventListener('pointerleave', event => look.say(event, ''));
    div.addEventListener('click', event => {
      if (item(event)) look.pick?.(mark, +item(event), event);
    });
  }

  // ---- a box
  const labelRoom = (axis, high) =>
      axis.noLabels ? 4 : 8 + Math.max(0, ...ticksOf(axis, high - 40, false).map(t => width(t.text)));
  function drawBox(place, box, wide, high, look, least = 0) {
    const page = box.marks.find(m => m.kind === 'excerpt');
    if (page) return excerpt(place, page, box.scale.title, look);
    for (const mark of box.marks)
      if (mark.tipsOf !== undefined) mark.tips = box.marks[mark.tipsOf].tips;
    const yTicks = ticksOf(box.y, high - 40, false), yLabels = !box.y.noLabels, xLabels = !box.x.noLabels;
    const slanted = box.x.slant ?
        Math.sin(box.x.slant * Math.PI / 180) * Math.max(0, ...(box.x.names || []).map(n => width(n))) :
        0;
    const room = Math.max(least, labelRoom(box.y, high)), xRoom = xLabels ? 19 + slanted : 4,
          far = box.y.farNames ? Math.max(...box.y.farNames.map(n => width(n))) + 8 : 0;
    const area = {
      left: box.y.opposite ? 8 : room + (box.y.title ? 18 : 4),
      right: wide - (box.y.opposite ? room + (box.y.title ? 18 : 4) : 14),
      top: (box.x.opposite ? xRoom + (box.x.title ? 18 : 0) : 7),
      bottom: high - (box.x.opposite ? 4 : xRoom + (box.x.title ? 22 : 2))
    };
    const scale = (axis, from, to) => v =>
        from + (axis.reversed ? axis.high - v : v - axis.low) / (axis.high - axis.low || 1) * (to - from);
    const X = scale(box.x, area.left, area.right), Y = scale(box.y, area.bottom, area.top), hits = [];
    const point = (x, y, mark, i, a, b) => hits.push({x, y, mark, i, a, b});
    const cell = (x0, y0, x1, y1, mark, i, a, b) => hits.push({
      x0: Math.min(x0, x1),
      x1: Math.max(x0, x1),
      y0: Math.min(y0, y1),
      y1: Math.max(y0, y1),
      mark,
      i,
      a,
      b
    });
    const frame = 'stroke="var(--frame)" fill="none"', clip = 'clip' + hatches++;
    let out =
        `<clipPath id="${clip}">${rect(area.left, area.top, area.right, area.bottom, '#000')}</clipPath>` +
        (box.frame === 'none' ? '' :
                                rect(
                                    area.left, area.top, area.right, area.bottom,
                                    box.outside ? ink(box.outside, look) : 'var(--ground)'));
    const bold = text => text === look.bold ? 'font-weight="bold"' : '',
          xAt = box.x.opposite ? area.top - 6 : area.bottom + 15;
    for (const t of ticksOf(box.x, area.right - area.left, true)) {
      const x = X(t.v);
      if (box.x.grid) out += `<path d="M${x} ${area.top}V${area.bottom}" stroke="var(--grid)"/>`;
      if (xLabels)
        out += box.x.slant ? label(
                                 0, 0, t.text,
                                 `transform="translate(${x + 4} ${area.bottom + 11}) rotate(${
                                     - box.x.slant})" text-anchor="end" ${bold(t.text)}`) :
                             label(
                                 Math.min(x, wide - width(t.text) / 2 - 1), xAt, t.text,
                                 `class="quiet" text-anchor="middle" ${bold(t.text)}`);
    }
    for (const t of yTicks) {
      if (box.y.grid) out += `<path d="M${area.left} ${Y(t.v)}H${area.right}" stroke="var(--grid)"/>`;
      if (yLabels)
        out += label(
            box.y.opposite ? area.right + 5 : area.left - 5, Y(t.v) + 4, t.text,
            `class="quiet" text-anchor="${box.y.opposite ? 'start' : 'end'}" ${bold(t.text)}`);
    }
    const tools = {X, Y, area, look, point, cell, box};
    for (const layer of [0, 1, 2])
      for (const mark of box.marks)
        if (mark.layer === layer) {
          const shapes = kinds[mark.kind](mark, tools);
          out +=
              mark.unclipped || mark.kind === 'texts' ? shapes : `<g clip-path="url(#${clip})">${shapes}</g>`;
        }
    if (box.frame === 'box')
      out += rect(area.left, area.top, area.right, area.bottom, 'none', 'stroke="var(--frame)"');
    if (box.frame === 'open')
      out += `<path d="M${area.left} ${area.top}V${area.bottom}H${area.right}" ${frame}/>`;
    if (box.x.title)
      out += label(
          (area.left + area.right) / 2, box.x.opposite ? 12 : high - 9,
          fitting(box.x.title, area.right - area.left), 'text-anchor="middle"');
    if (box.y.title)
      out += label(
          0, 0, fitting(box.y.title, area.bottom - area.top),
          `transform="translate(${box.y.opposite ? wide - 4 : 12} ${
              (area.top + area.bottom) / 2}) rotate(-90)" text-anchor="middle"`);
    place.insertAdjacentHTML(
        'beforeend',
        `<svg role="img" width="${wide}" height="${high}" viewBox="0 0 ${wide} ${high}">${out}</svg>`);
    const svg = place.lastElementChild;
    const hit = event => {
      const r = svg.getBoundingClientRect(), x = event.clientX - r.left, y = event.clientY - r.top;
      let best = null, least = 12 * 12;
      for (const h of hits) {
        if (h.x !== undefined) {
          const d = (h.x - x) ** 2 + (h.y - y) ** 2;
          if (d < least) {
            least = d;
            best = h;
          }
        } else if (!best && x >= h.x0 && x < h.x1 && y >= h.y0 && y < h.y1)
          best = h;
      }
      return best;
    };
    svg.addEventListener('pointermove', event => {
      const h = hit(event);
      look.say(event, h ? rich(tipOf(box, h.mark, h.i, h.a, h.b)) : '');
    });
    svg.addEventListener('pointerleave', event => look.say(event, ''));
    svg.addEventListener('click', event => {
      const h = hit(event);
      if (h) look.pick?.(h.mark, h.i, event);
    });
  }

  function symbol(entry, look) {
    const wide = (entry.width || 1.6) * 12;
    if (entry.ramp) return strip(entry.ramp.map(c => ink(c, look)), '3rem');
    if (![entry.box, entry.line, entry.bar, entry.marker, entry.hatch, entry.rim].some(Boolean)) return '';
    const shapes = (entry.box ? rect(1, 1, wide - 1, 11, ink(entry.box, look)) : '') +
        (entry.hatch ? hatched(null, ink(entry.hatch, look), 1, 1, wide - 1, 11) : '') +
        (entry.rim ? rect(1, 1, wide - 1, 11, 'none', `stroke="${ink(entry.rim.colour, look)}"`) : '') +
        (entry.line ? line(`M0 6H${wide}`, entry.line, look) : '') +
        (entry.bar ? line(`M${wide / 2} 0V12`, entry.bar, look) : '') +
        (entry.marker ? marker(wide / 2, 6, entry.marker, Math.min(10, entry.marker.size), look) : '');
    return `<svg class="symbol" width="${wide}" height="12">${shapes}</svg>`;
  }
  const scaleText = (scale, look) => scale ?
      `<span class="scale">${rich((scale.title || '').split('|')[0])} ${number(scale.low / scale.unit)}${
          strip(mapOf(scale.colours, look))}${number(scale.high / scale.unit)}</span>` :
      '';

  function draw(place, plot, look) {
    place.replaceChildren();
    const entries =
        plot.legend.map(entry => `<span>${symbol(entry, look)}${rich(entry.text || '')}</span>`).join('') +
        scaleText(plot.scale, look) + plot.boxes.map(box => scaleText(box.scale, look)).join('');
    if (entries) place.insertAdjacentHTML('beforeend', `<div class="legend">${entries}</div>`);
    const wide = Math.max(240, place.clientWidth), high = look.height || 300,
          total = plot.boxes.reduce((sum, box) => sum + box.height, 0);
    const left = Math.max(...plot.boxes.map(box => labelRoom(box.y, high * box.height / total)));
    for (const box of plot.boxes) {
      const row = place.appendChild(Object.assign(document.createElement('div'), {className: 'row'})),
            beside = box.beside || [];
      const narrow = beside.map(each => Math.max(60, Math.min(wide / 3, each.width || wide / 4)));
      drawBox(row, box, wide - narrow.reduce((sum, w) => sum + w, 0), high * box.height / total, look, left);
      beside.forEach((each, i) => drawBox(row, each, narrow[i], high * box.height / total, look));
    }
    if (!plot.panels.length) return;
    const columns = Math.max(1, Math.min(plot.columns, Math.floor(wide / 230)));
    const grid = place.appendChild(Object.assign(
        document.createElement('div'),
        {className: 'panels', style: `grid-template-columns: repeat(${columns}, minmax(0, 1fr))`}));
    for (const panel of plot.panels)
      draw(
          grid.appendChild(document.createElement('div')), panel, {...look, height: look.panelHeight || 240});
  }
  return {draw, rich, number, plain};
})();
