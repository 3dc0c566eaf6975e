// Charts as SVG. Colors come from the style sheet; each chart has a table behind it.

import { h, Fragment, d3, useMemo, useState } from './lib.js';
import { TableBehind, useWidth } from './ui.js';
import { minuteOfDay, timeOfDay } from './format.js';

/** A line without axes for a table's row; `domain` is fixed or follows the values. */
export function Spark({ values, domain, label, width = 112, height = 28 }) {
  const path = useMemo(() => {
    const known = values.filter((value) => value !== null);
    if (known.length === 0) return null;
    let [low, high] = domain ?? d3.extent(known);
    if (low === high) [low, high] = [low - 1, high + 1];
    const x = d3.scaleLinear([0, Math.max(1, values.length - 1)], [2, width - 4]);
    const y = d3.scaleLinear([low, high], [height - 3, 3]);
    const points = values.map((value, i) => [x(i), value === null ? null : y(value)]);
    const defined = ([, py]) => py !== null;
    const last = points.filter(defined).at(-1);
    return {
      line: d3.line().defined(defined)(points),
      area: d3.area().defined(defined).x((p) => p[0]).y0(height - 1).y1((p) => p[1])(points),
      last
    };
  }, [values.join(), String(domain), width, height]);
  if (!path) return h('span', { class: 'none' }, 'no data');
  return h('svg', { class: 'spark', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
    h('path', { class: 'spark-area', d: path.area }),
    h('path', { class: 'spark-line', d: path.line }),
    h('circle', { class: 'spark-last', cx: path.last[0], cy: path.last[1], r: 2.5 }));
}

const MARGIN = { top: 20, right: 12, bottom: 24, left: 54 };

/**
 * Values over time.
 * series: [{key, name, values, class}]; stacked: areas on top of each other; marks: [{time, text}]; format(value).
 */
export function TimeChart({ label, times, bucketMillis, series, stacked, domain, height = 200, format, marks = [], tableFormat }) {
  const [frame, width] = useWidth();
  const [at, setAt] = useState(null);
  const shown = series.filter((one) => one.values.some((value) => value !== null && value !== 0) || !stacked);
  return h('figure', { class: 'chart' },
    h('div', { class: 'chart-frame', ref: frame },
      width > 0 && times.length > 0 && h(Plot, { label, times, bucketMillis, series: shown, stacked, domain, height, width, format, marks, at, setAt })),
    h(Legend, { series: shown, at, format, stacked, times }),
    h(TableBehind, {
      caption: label,
      columns: [{ name: 'Time', cell: (i) => timeOfDay(times[i]) },
        ...series.map((one) => ({ name: one.name, numeric: true, cell: (i) => (tableFormat ?? format)(one.values[i]) }))],
      rows: () => d3.range(times.length).reverse()
    }));
}

function Legend({ series, at, format, times }) {
  return h('figcaption', { class: 'legend' },
    series.map((one) => h('span', { key: one.key, class: 'legend-item' },
      h('i', { class: `swatch ${one.class}` }), one.label ?? one.name,
      at !== null && h('b', null, format(one.values[at])))),
    at !== null && h('span', { class: 'legend-time' }, timeOfDay(times[at])));
}

function Plot({ label, times, bucketMillis, series, stacked, domain, height, width, format, marks, at, setAt }) {
  const right = width - MARGIN.right;
  const bottom = height - MARGIN.bottom;
  const end = times.at(-1) + bucketMillis;
  const x = d3.scaleTime([times[0], end], [MARGIN.left, right]);
  const layers = stacked ? stack(series, times.length) : null;
  const values = stacked ? layers.flat(2) : series.flatMap((one) => [...one.values, ...(one.low ?? []), ...(one.high ?? [])]).filter((value) => value !== null);
  const extent = domain ?? padded(d3.extent(values), stacked);
  const y = d3.scaleLinear(extent, [bottom, MARGIN.top]);
  if (!domain) y.nice(4);
  const shapes = series.map((one, s) => shape(one, layers?.[s], times, end, x, y, bucketMillis));
  const index = (px) => Math.max(0, Math.min(times.length - 1, Math.floor((x.invert(px) - times[0]) / bucketMillis)));
  const move = (event) => setAt(index(event.clientX - event.currentTarget.getBoundingClientRect().left));
  const keys = { ArrowLeft: -1, ArrowRight: 1, Home: -times.length, End: times.length };
  const step = (event) => {
    if (keys[event.key] === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(times.length - 1, (at ?? times.length - 1) + keys[event.key])));
  };
  const spoken = (i) => `${timeOfDay(times[i])}: ${series.map((one) => `${one.name} ${format(one.values[i])}`).join(', ')}`;
  const now = at ?? times.length - 1;
  const xTicks = x.ticks(Math.max(2, Math.floor(width / 110)));
  return h('div', {
    class: 'plot', role: 'slider', tabIndex: 0, 'aria-label': label, 'aria-valuemin': 0, 'aria-valuemax': times.length - 1, 'aria-valuenow': now,
    'aria-valuetext': spoken(now), onPointerMove: move, onPointerLeave: () => setAt(null), onKeyDown: step, onBlur: () => setAt(null)
  },
  h('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
    h('g', { class: 'axis' },
      y.ticks(4).map((tick) => h(Fragment, { key: `y${tick}` },
        h('line', { x1: MARGIN.left, x2: right, y1: y(tick), y2: y(tick) }),
        h('text', { x: MARGIN.left - 8, y: y(tick), dy: '.32em', 'text-anchor': 'end' }, format(tick)))),
      xTicks.map((tick) => h('text', { key: `x${tick.getTime()}`, x: x(tick), y: height - 6, 'text-anchor': x(tick) > right - 15 ? 'end' : 'middle' }, bucketMillis * times.length < 600000 ? timeOfDay(tick.getTime()) : minuteOfDay(tick.getTime())))),
    shapes,
    marks.filter((mark) => mark.time >= times[0] && mark.time <= end).map((mark) => h('g', { key: mark.time, class: 'time-mark' },
      h('line', { x1: x(mark.time), x2: x(mark.time), y1: MARGIN.top, y2: bottom }),
      h('text', { x: Math.min(x(mark.time), right), y: MARGIN.top - 7, 'text-anchor': x(mark.time) > right - 30 ? 'end' : 'middle' }, mark.text))),
    at !== null && h('line', { class: 'cross', x1: x(times[at] + bucketMillis / 2), x2: x(times[at] + bucketMillis / 2), y1: MARGIN.top, y2: bottom })));
}

function stack(series, length) {
  const sums = new Array(length).fill(0);
  return series.map((one) => one.values.map((value, i) => {
    const low = sums[i];
    sums[i] += value ?? 0;
    return [low, sums[i]];
  }));
}

function padded([low, high], fromZero) {
  if (low === undefined) return [0, 1];
  if (fromZero) return [0, high || 1];
  const room = (high - low) * 0.1 || Math.abs(high) * 0.1 || 1;
  return [low >= 0 ? Math.max(0, low - room) : low - room, high + room];
}

function shape(one, layer, times, end, x, y, bucketMillis) {
  if (layer) {
    // A bucket is a step: its value counts for the whole of it.
    const steps = [...layer.map((ends, i) => ({ time: times[i], ends })), { time: end, ends: layer.at(-1) }];
    const area = d3.area().curve(d3.curveStepAfter).x((step) => x(step.time)).y0((step) => y(step.ends[0])).y1((step) => y(step.ends[1]));
    return h('path', { key: one.key, class: `area ${one.class}`, d: area(steps) });
  }
  const middle = (i) => x(times[i] + bucketMillis / 2);
  const defined = (value) => value !== null;
  const line = d3.line().defined(defined).x((value, i) => middle(i)).y((value) => y(value));
  const alone = one.values.map((value, i) => defined(value) && !defined(one.values[i - 1] ?? null) && !defined(one.values[i + 1] ?? null) ? i : -1).filter((i) => i >= 0);
  return h('g', { key: one.key },
    h('path', { class: `line ${one.class}`, d: line(one.values) }),
    alone.map((i) => h('circle', { key: i, class: `dot ${one.class}`, cx: middle(i), cy: y(one.values[i]), r: 2.5 })));
}

/** The scale that all rows of a forest plot share, in percent of the plot's width: symmetric about 0 if it has a limit. */
export function forestScale(rows, limit) {
  const ends = rows.flatMap((row) => [row.lower, row.upper, row.estimate]).filter((value) => value !== null && value !== undefined);
  let extent = d3.extent(ends);
  if (limit !== null && limit !== undefined) {
    const reach = Math.max(limit * 1.35, ...ends.map(Math.abs)) * 1.04;
    extent = [-reach, reach];
  } else {
    extent = padded(extent, false);
  }
  const scale = d3.scaleLinear(extent, [3, 97]);
  const at = (value) => `${scale(value).toFixed(2)}%`;
  return { at, ticks: scale.ticks(5), span: (from, to) => `${(scale(to) - scale(from)).toFixed(2)}%` };
}

/** One row of a forest plot: the limit's band, the line of no effect, the interval and its estimate. It fills its cell. */
export function ForestRow({ row, limit, scale, tone }) {
  const { lower, upper, estimate } = row;
  const upright = (value, name) => h('line', { class: name, x1: scale.at(value), x2: scale.at(value), y1: 0, y2: '100%' });
  const cap = (value) => h('svg', { x: scale.at(value), y: '50%', overflow: 'visible' }, h('line', { class: 'forest-cap', y1: -5, y2: 5 }));
  return h('svg', { class: `forest ${tone}`, 'aria-hidden': 'true' },
    limit !== null && limit !== undefined && h(Fragment, null,
      h('rect', { class: 'forest-band', x: scale.at(-limit), width: scale.span(-limit, limit), y: 0, height: '100%' }),
      upright(-limit, 'forest-limit'), upright(limit, 'forest-limit'), upright(0, 'forest-zero')),
    lower !== null && upper !== null && h(Fragment, null,
      h('line', { class: 'forest-bar', x1: scale.at(lower), x2: scale.at(upper), y1: '50%', y2: '50%' }), cap(lower), cap(upper)),
    estimate !== null && h('circle', { class: 'forest-dot', cx: scale.at(estimate), cy: '50%', r: 4.5 }));
}

/** The axis below a forest plot. */
export function ForestAxis({ scale, format, left, right }) {
  return h('svg', { class: 'forest-axis', width: '100%', height: left ? 40 : 22, 'aria-hidden': 'true' },
    scale.ticks.map((tick) => h(Fragment, { key: tick },
      h('line', { x1: scale.at(tick), x2: scale.at(tick), y1: 0, y2: 4 }),
      h('text', { x: scale.at(tick), y: 16, 'text-anchor': 'middle' }, format(tick)))),
    left && h('text', { class: 'forest-side', x: 0, y: 34 }, left),
    right && h('text', { class: 'forest-side', x: '100%', y: 34, 'text-anchor': 'end' }, right));
}

const NODE = { height: 34, gapX: 74, gapY: 24, char: 7.6, pad: 14, minimum: 56, bend: 14 };

/** A causal graph: nodes in layers from cause to effect. Hidden common causes are dashed. */
export function GraphPicture({ graph }) {
  const drawing = useMemo(() => layout(graph), [JSON.stringify(graph)]);
  const spoken = graph.edges.map((edge) => (edge.kind === 'bidirected' ? `${edge.from} and ${edge.to} have a hidden common cause` : `${edge.from} causes ${edge.to}`));
  return h('div', { class: 'graph-frame', tabIndex: 0, role: 'group', 'aria-label': 'Causal graph' },
    h('svg', { class: 'graph', width: drawing.width, height: drawing.height, viewBox: `0 0 ${drawing.width} ${drawing.height}`, role: 'img', 'aria-label': `Causal graph: ${spoken.join('; ')}` },
      h('defs', null, h('marker', { id: 'arrow', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' }, h('path', { d: 'M0 .6 7.4 4 0 7.4Z' }))),
      drawing.edges.map((edge, i) => h('path', { key: i, class: `edge ${edge.kind}`, d: edge.path, 'marker-end': 'url(#arrow)', 'marker-start': edge.kind === 'bidirected' ? 'url(#arrow)' : undefined })),
      drawing.nodes.map((node) => h('g', { key: node.name, class: `node role-${node.role}`, transform: `translate(${node.x} ${node.y - NODE.height / 2})` },
        h('rect', { width: node.width, height: NODE.height, rx: node.role === 'latent' ? 17 : 7 }),
        h('text', { x: node.width / 2, y: NODE.height / 2, dy: '.34em', 'text-anchor': 'middle' }, node.text),
        h('title', null, `${node.name}: ${node.role}${node.levels.length ? `, levels ${node.levels.join(', ')}` : ''}`)))));
}

/**
 * Sugiyama, Tagawa and Toda 1981 in small: an edge over other layers gets a bend in each of them, barycenters order each layer,
 * and nodes move toward their neighbors as far as the order allows.
 */
function layout(graph) {
  const nodes = new Map(graph.nodes.map((node) => [node.name, {
    ...node, text: node.name.length > 22 ? `${node.name.slice(0, 21)}…` : node.name, size: NODE.height + NODE.gapY, near: []
  }]));
  const depths = [...new Set(graph.nodes.map((node) => node.layer))].sort((a, b) => a - b);
  const layers = depths.map((depth) => [...nodes.values()].filter((node) => node.layer === depth).sort((a, b) => a.order - b.order));
  layers.forEach((layer, depth) => layer.forEach((node) => Object.assign(node, { depth, width: Math.max(NODE.minimum, node.text.length * NODE.char + 2 * NODE.pad) })));
  const edges = graph.edges.filter((edge) => nodes.has(edge.from) && nodes.has(edge.to)).map((edge) => {
    const from = nodes.get(edge.from);
    const to = nodes.get(edge.to);
    const points = [from];
    for (let depth = from.depth + Math.sign(to.depth - from.depth); from.depth !== to.depth && depth !== to.depth; depth += Math.sign(to.depth - from.depth)) {
      const bend = { depth, size: NODE.bend, near: [] };
      layers[depth].push(bend);
      points.push(bend);
    }
    points.push(to);
    d3.pairs(points).forEach(([a, b]) => {
      a.near.push(b);
      b.near.push(a);
    });
    return { kind: edge.kind, points };
  });
  spread(layers);
  let x = 12;
  for (const layer of layers) {
    const width = d3.max(layer, (node) => node.width ?? 0);
    layer.forEach((node) => Object.assign(node, { x: x + (width - (node.width ?? width)) / 2, width: node.width ?? width }));
    x += width + NODE.gapX;
  }
  const all = layers.flat();
  const top = d3.min(all, (node) => node.y) - NODE.height;
  all.forEach((node) => { node.y -= top; });
  return { nodes: [...nodes.values()], edges: edges.map(({ kind, points }) => ({ kind, path: edgePath(points, kind) })), width: x - NODE.gapX + 12, height: d3.max(all, (node) => node.y) + NODE.height };
}

function spread(layers) {
  const stackUp = (layer) => {
    let y = -d3.sum(layer, (node) => node.size) / 2;
    layer.forEach((node) => {
      node.y = y + node.size / 2;
      y += node.size;
    });
  };
  layers.forEach(stackUp);
  for (let sweep = 0; sweep < 12; sweep++) {
    for (const layer of sweep % 2 ? [...layers].reverse() : layers) {
      layer.forEach((node) => { node.wish = node.near.length ? d3.mean(node.near, (other) => other.y) : node.y; });
      layer.sort((a, b) => a.wish - b.wish);
      const drift = (gap) => {
        for (let i = 1; i < layer.length; i++) layer[i].y = Math.max(layer[i].y, layer[i - 1].y + gap(layer[i - 1], layer[i]));
      };
      layer.forEach((node) => { node.y = node.wish; });
      drift((a, b) => (a.size + b.size) / 2);
      const shift = d3.mean(layer, (node) => node.wish - node.y);
      layer.forEach((node) => { node.y += shift; });
    }
  }
}

function edgePath(points, kind) {
  const from = points[0];
  const to = points.at(-1);
  if (from.depth === to.depth) {
    const bend = 30 + Math.abs(to.y - from.y) / 6;
    const side = kind === 'bidirected' ? -1 : 1;
    const x = side < 0 ? Math.min(from.x, to.x) : Math.max(from.x + from.width, to.x + to.width);
    return `M${side < 0 ? from.x : from.x + from.width} ${from.y}C${x + side * bend} ${from.y} ${x + side * bend} ${to.y} ${side < 0 ? to.x : to.x + to.width} ${to.y}`;
  }
  const forward = from.depth < to.depth;
  const sides = (node) => (forward ? [[node.x, node.y], [node.x + node.width, node.y]] : [[node.x + node.width, node.y], [node.x, node.y]]);
  const line = [sides(from)[1], ...points.slice(1, -1).flatMap(sides), sides(to)[0]];
  return d3.line().curve(d3.curveBumpX)(line);
}
