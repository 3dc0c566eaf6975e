// The spec of a segment: its graph, its text, its versions and the causal bounds in force.

import { h, Fragment } from './lib.js';
import { useDocument, apiUrl } from './api.js';
import { Arm, Card, Data, Icon, Table, leftOut } from './ui.js';
import { GraphPicture } from './charts.js';
import { count, dateTime, duration, number, words } from './format.js';

const ROLES = [['sensitive', 'Sensitive'], ['context', 'Context'], ['action', 'Action'], ['mediator', 'Mediator'], ['reward', 'Reward'], ['latent', 'Not observed']];
const EVENT_ICON = { SPEC_ADOPTED: 'ok', BOUNDS_ADOPTED: 'ok', ASSUMPTION_REFUTED: 'alert', BOUNDS_REFUTED: 'alert' };

export function Model({ data }) {
  const { model } = data;
  return h('div', { class: 'stack' },
    model.graph && h(Graph, { graph: model.graph }),
    h('div', { class: 'columns' },
      h(Card, { title: 'Versions', term: 'spec', level: 3 }, h(Timeline, { events: model.timeline })),
      h(Card, { title: 'In short', level: 3 },
        h('dl', { class: 'facts' },
          fact('Spec', h(Fragment, null, h(Data, { text: model.specName }), model.specVersion !== null && ` version ${model.specVersion}`)),
          fact('Policy', h(Data, { text: model.policy })),
          fact('Hash', h('code', null, model.specHash ?? '–')),
          fact('Reward range', model.rewardRange ? `${number(model.rewardRange[0])} to ${number(model.rewardRange[1])}` : '–'),
          fact('Reward window', duration(model.rewardWindowMillis))))),
    model.bounds && h(Bounds, { bounds: model.bounds }),
    h(Spec, { model }));
}

const fact = (name, value) => h('div', { key: name }, h('dt', null, name), h('dd', null, value));

function Graph({ graph }) {
  const roles = ROLES.filter(([role]) => graph.nodes.some((node) => node.role === role));
  return h(Card, { title: 'Causal graph', term: 'graph', level: 3 },
    h(GraphPicture, { graph }),
    h('p', { class: 'legend' }, roles.map(([role, name]) => h('span', { key: role, class: 'legend-item' }, h('i', { class: `swatch role-${role}` }), name)),
      graph.edges.some((edge) => edge.kind === 'bidirected') && h('span', { class: 'legend-item' }, h('i', { class: 'swatch dashed' }), 'Hidden common cause')),
    h('details', { class: 'behind' }, h('summary', null, 'Show as table'),
      h(Table, { caption: 'Variables', rows: graph.nodes, rowKey: (node) => node.name, columns: [
        { name: 'Variable', cell: (node) => h(Data, { text: node.name }) },
        { name: 'Role', cell: (node) => words(node.role) },
        { name: 'Caused by', cell: (node) => names(graph.edges.filter((edge) => edge.kind === 'directed' && edge.to === node.name).map((edge) => edge.from)) },
        { name: 'Levels', cell: (node) => names(node.levels) }] })));
}

const names = (list) => (list.length === 0 ? '–' : list.map((one, i) => h(Fragment, { key: one }, i > 0 && ', ', h(Data, { text: one }))));

function Timeline({ events }) {
  if (events.length === 0) return h('p', { class: 'note' }, 'No change was seen in the time that the console has read.');
  return h('ol', { class: 'timeline' }, [...events].reverse().map((event, i) => h('li', { key: i, class: EVENT_ICON[event.type] === 'alert' ? 'bad' : '' },
    h('i', { 'aria-hidden': 'true' }, h(Icon, { name: EVENT_ICON[event.type] ?? 'info' })),
    h('time', null, dateTime(event.time)), h('p', null, h(Data, { text: event.text })))));
}

function boundState(refuted) {
  if (refuted === null) return 'not known';
  return refuted ? h('span', { class: 'tone-bad' }, 'refuted by rewards') : 'not refuted';
}

function Bounds({ bounds }) {
  return h(Card, { title: 'Causal bounds in force', term: 'bounds', level: 3, note: [h(Data, { text: bounds.name }), bounds.version !== null ? `, version ${bounds.version}. ` : '. ', `${count(bounds.rowCount)} rows.`] },
    h(Table, { caption: 'Causal bounds', class: 'stacking', rows: bounds.rows, columns: [
      { name: 'Arm', cell: (row) => h(Arm, { name: row.arm }) },
      { name: 'Context', cell: (row) => names(Object.entries(row.context).map(([name, value]) => `${name}=${value}`)) },
      { name: 'Lower', numeric: true, cell: (row) => number(row.lower) },
      { name: 'Upper', numeric: true, cell: (row) => number(row.upper) },
      { name: 'Mode', cell: (row) => words(row.mode) },
      { name: 'State', cell: (row) => boundState(row.refuted) }] }),
    bounds.rows.some((row) => row.refuted === null) && h('p', { class: 'note' }, 'A state is not known where a redacted record may name the row, or where the console has not read back to the adoption of the bounds.'),
    leftOut(bounds.rowsLeftOut, 'rows'));
}

function Spec({ model }) {
  const given = model.specText !== null;
  const fetched = useDocument(given || !model.specHash ? null : apiUrl('spec', { hash: model.specHash }));
  const text = model.specText ?? fetched.data?.text ?? null;
  return h(Card, { title: 'Spec', term: 'spec', level: 3, actions: text && h('button', { type: 'button', onClick: () => navigator.clipboard?.writeText(text) }, 'Copy') },
    model.specError && h('p', { class: 'note with-icon' }, h(Icon, { name: 'warn' }), h(Data, { text: model.specError })),
    text === null ? h('p', { class: 'note' }, 'The text of this spec is not known: it was retired, or its topic is not readable.')
      : h('pre', { class: 'spec', tabIndex: 0, 'aria-label': 'Text of the spec' }, text.split('\n').map((line, i) => h(SpecLine, { key: i, line }))));
}

function SpecLine({ line }) {
  const [, indent, key, rest] = line.match(/^(\s*(?:- )?)([\w.-]+:)?(.*)$/u) ?? [null, '', undefined, line];
  const comment = rest.match(/(^|\s)#.*$/u);
  const value = comment ? rest.slice(0, comment.index) : rest;
  return h('span', { class: 'spec-line' }, indent, key && h('span', { class: 'spec-key' }, key), h(Data, { text: value }), comment && h('span', { class: 'spec-comment' }, h(Data, { text: comment[0] })), '\n');
}
