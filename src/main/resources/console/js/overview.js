// One row for each segment: what needs attention first.

import { h, useEffect, useRef, useState } from './lib.js';
import { useLive } from './api.js';
import { Attention, Choice, Data, Empty, Figure, Figures, Icon, Loaded, Table, Term, link } from './ui.js';
import { Spark } from './charts.js';
import { count, number, percent, plural, rate } from './format.js';
import { TERMS } from './terms.js';

const PAGE = 25;
const TRENDS = [['certifiedShare', 'Certified'], ['meanReward', 'Reward'], ['decisions', 'Decisions']];

const COLUMNS = [
  { key: 'name', name: 'Segment', first: 'asc' },
  { key: 'rate', name: 'Decisions/s', term: 'decisionRate', cell: (row) => rate(row.rate) },
  { key: 'meanReward', name: 'Mean reward', term: 'meanReward', cell: (row) => number(row.meanReward) },
  { key: 'certifiedShare', name: 'Certified', term: 'certified', cell: (row) => percent(row.certifiedShare) },
  { key: 'unfair', name: 'Unfair', term: 'unfair', cell: (row) => h('span', { class: row.unfair > 0 ? 'tone-bad' : undefined }, count(row.unfair)) },
  { key: 'fallbackShare', name: 'Fallback', term: 'fallback', cell: (row) => percent(row.fallbackShare) },
  { key: 'groupGap', name: 'Group gap', term: 'gap', cell: (row) => number(row.groupGap) },
  { key: 'specVersion', name: 'Spec', term: 'spec', cell: (row) => (row.specVersion === null ? '–' : `v${row.specVersion}`) },
  { key: 'deadLetters', name: 'Dead letters', term: 'deadLetters', cell: (row) => count(row.deadLetters) }
];

export function Overview({ parameters, set, setLive }) {
  const sort = parameters.sort ?? 'attention';
  const direction = parameters.direction ?? 'desc';
  const offset = Number(parameters.offset ?? 0);
  const query = { q: parameters.q, sort, direction, attention: parameters.attention, limit: PAGE, offset };
  const state = useLive('overview', query, true);
  useEffect(() => setLive({ connection: state.connection, reader: state.data?.reader ?? null }), [state.connection, state.data?.reader?.state, state.data?.reader?.behind]);
  const [trend, setTrend] = useState('certifiedShare');
  return h('div', { class: 'page' },
    h('h1', { class: 'hidden' }, 'Overview'),
    h(Loaded, { state, what: 'The overview' }, (data) => data.totals.segments === 0
      ? h(Empty, { title: 'No segment has decided yet' },
        'The console shows a segment after its first decision. Publish a spec with ', h('code', null, 'equipoise specs publish'), ' and send contexts.')
      : h('div', null,
        h(Summary, { data }),
        h('div', { class: 'filters' },
          h(Search, { value: parameters.q ?? '', onChange: (q) => set({ q, offset: null }) }),
          h('button', {
            type: 'button', class: 'toggle', 'aria-pressed': parameters.attention === 'true',
            onClick: () => set({ attention: parameters.attention === 'true' ? null : 'true', offset: null })
          }, h(Icon, { name: 'warn' }), 'Needs attention'),
          h('span', { class: 'filters-end' }, h('span', { class: 'label', 'aria-hidden': 'true' }, 'Trend'), h(Choice, { label: 'Trend', value: trend, options: TRENDS, onChange: setTrend }))),
        h(Rows, { data, trend, sort, direction, set }),
        h(Pager, { data, set }))));
}

function Summary({ data }) {
  const { totals } = data;
  const calm = totals.needAttention === 0;
  return h('div', { class: 'summary' },
    h('p', { class: 'lead' }, calm
      ? ['All ', plural(totals.segments, 'segment'), ' run without a mark.']
      : [h('strong', { class: 'tone-bad' }, count(totals.needAttention)), ' of ', plural(totals.segments, 'segment'), totals.needAttention === 1 ? ' needs' : ' need', ' attention.']),
    h(Figures, null,
      h(Figure, { label: 'Segments', value: count(totals.segments) }),
      h(Figure, { label: 'Decisions/s', term: 'decisionRate', value: rate(totals.rate) }),
      h(Figure, { label: 'Need attention', term: 'attention', value: count(totals.needAttention), tone: calm ? '' : 'bad' }),
      h(Figure, { label: 'Dead letters', term: 'deadLetters', value: count(totals.deadLetters) })));
}

function Search({ value, onChange }) {
  const [text, setText] = useState(value);
  const timer = useRef(null);
  const typed = (event) => {
    const next = event.currentTarget.value;
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(next.trim()), 50);
  };
  return h('label', { class: 'search' },
    h(Icon, { name: 'search' }), h('span', { class: 'hidden' }, 'Search segments by name or policy'),
    h('input', { type: 'search', value: text, onInput: typed, placeholder: 'Search segments', spellcheck: false, autocomplete: 'off' }));
}

function Rows({ data, trend, sort, direction, set }) {
  const sortBy = (column) => {
    const next = sort === column.key ? (direction === 'asc' ? 'desc' : 'asc') : (column.first ?? 'desc');
    set({ sort: column.key, direction: next, offset: null });
  };
  const columns = COLUMNS.map((column) => ({
    name: column.name,
    numeric: column.key !== 'name',
    sorted: sort === column.key ? (direction === 'asc' ? 'ascending' : 'descending') : undefined,
    head: h('button', { type: 'button', class: 'sort', title: TERMS[column.term], onClick: () => sortBy(column) }, column.name,
      sort === column.key && h(Icon, { name: direction === 'asc' ? 'up' : 'down' })),
    cell: column.cell ?? ((row) => h(NameCell, { row }))
  }));
  const trendName = TRENDS.find(([key]) => key === trend)[1];
  columns.splice(1, 0, {
    name: 'Trend', class: 'trend',
    cell: (row) => row.spark && h(Spark, { values: row.spark[trend], domain: trend === 'certifiedShare' ? [0, 1] : undefined, label: `${trendName} over time` })
  });
  return h('div', { class: 'segments' },
    h('p', { class: 'sort-small' },
      h('label', null, 'Sort by ', h('select', { value: sort, onChange: (event) => set({ sort: event.currentTarget.value, direction: event.currentTarget.value === 'name' ? 'asc' : 'desc', offset: null }) },
        h('option', { value: 'attention' }, 'Attention'), COLUMNS.map((column) => h('option', { key: column.key, value: column.key }, column.name))))),
    h(Table, { columns, rows: data.rows, rowKey: (row) => row.key ?? row.name, rowVersion: (row) => trend + JSON.stringify(row), caption: 'Segments', class: 'stacking', empty: 'No segment matches the search.' }));
}

function NameCell({ row }) {
  return h('div', { class: 'name-cell' },
    h('a', { href: link('segment', { name: row.key ?? row.name }) }, h(Data, { text: row.name })),
    h('span', { class: 'policy' }, h(Data, { text: row.policy })),
    row.attention.length > 0 && h(Attention, { marks: row.attention }));
}

function Pager({ data, set }) {
  const last = Math.min(data.total, data.offset + data.rows.length);
  const go = (offset) => {
    set({ offset: offset || null });
    scrollTo(0, 0);
  };
  return h('nav', { class: 'pager', 'aria-label': 'Pages of segments' },
    h('span', { role: 'status' }, data.total === 0 ? 'No segments' : `${count(data.offset + 1)} to ${count(last)} of ${plural(data.total, 'segment')}`),
    data.totals.recordsLeftOut > 0 && h('span', { class: 'tone-bad' }, `${plural(data.totals.recordsLeftOut, 'record')} of segments beyond the console's limit are left out.`),
    data.totals.unreadable > 0 && h('span', { class: 'tone-bad' }, `${plural(data.totals.unreadable, 'record')} could not be read.`),
    data.total > data.limit && h('span', { class: 'pager-buttons' },
      h('button', { type: 'button', disabled: data.offset === 0, onClick: () => go(Math.max(0, data.offset - data.limit)) }, 'Previous'),
      h('button', { type: 'button', disabled: last >= data.total, onClick: () => go(data.offset + data.limit) }, 'Next')),
    h('span', { class: 'pager-note' }, 'Figures cover the time that the console has read, its ', h(Term, { of: 'attention' }, 'marks'), ' too.'));
}
