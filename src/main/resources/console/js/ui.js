// Parts that every page uses. Text from data reaches the page only as text nodes.

import { h, Fragment, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from './lib.js';
import { visibleRuns, count } from './format.js';
import { TERMS, VERDICTS, VERDICT_TEXT, verdictName } from './terms.js';

/** A text from data: isolated from the direction of its surroundings, with invisible characters made visible. */
export function Data({ text, class: name }) {
  if (text === null || text === undefined) return h('span', { class: 'none' }, 'not known');
  const runs = visibleRuns(String(text));
  return h('bdi', { class: name }, runs.map((run) => (run.code ? h('span', { class: 'code-point', title: `character U+${run.code}` }, `U+${run.code}`) : run.text)));
}

/** An arm: `A1=x,A2=y`, with a chance to break the line after each part. */
export function Arm({ name }) {
  if (name === null || name === undefined) return h('span', { class: 'none' }, 'no arm');
  const parts = String(name).split(/(?<=,)/u);
  if (parts.length > 12) return h(Data, { text: name, class: 'arm' });
  return h('bdi', { class: 'arm' }, parts.map((part, i) => {
    const at = part.indexOf('=');
    return h(Fragment, { key: i },
      at > 0 && h('span', { class: 'arm-key' }, h(Data, { text: part.slice(0, at + 1) })),
      h(Data, { text: part.slice(at + 1) }),
      h('wbr'));
  }));
}

/** A word with its meaning, shown on hover, focus and tap. */
export function Term({ of, children }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const tip = useRef(null);
  useLayoutEffect(() => {
    if (!open || !tip.current) return;
    const box = tip.current.getBoundingClientRect();
    const edge = document.documentElement.clientWidth - 12;
    tip.current.style.translate = box.right > edge ? `${edge - box.right}px 0` : '';
  }, [open]);
  return h('span', {
    class: 'term', onMouseEnter: () => setOpen(true), onMouseLeave: () => setOpen(false)
  },
  h('button', {
    type: 'button', class: 'term-word', 'aria-describedby': open ? id : undefined,
    onFocus: () => setOpen(true), onBlur: () => setOpen(false), onClick: () => setOpen(true),
    onKeyDown: (event) => event.key === 'Escape' && setOpen(false)
  }, children),
  open && h('span', { class: 'term-tip', role: 'tooltip', id, ref: tip }, TERMS[of]));
}

export function Card({ title, term, note, actions, children, class: name, level = 2 }) {
  const id = useId();
  return h('section', { class: `card ${name ?? ''}`, 'aria-labelledby': id },
    h('header', { class: 'card-head' },
      h(`h${level}`, { id }, term ? h(Term, { of: term }, title) : title),
      actions && h('div', { class: 'card-actions' }, actions)),
    note && h('p', { class: 'note' }, note),
    children);
}

/** A number with its name: the headline figures of a page. */
export function Figure({ label, term, value, detail, tone }) {
  return h('div', { class: `figure ${tone ?? ''}` },
    h('dt', null, term ? h(Term, { of: term }, label) : label),
    h('dd', null, h('span', { class: 'figure-value' }, value), detail && h('span', { class: 'figure-detail' }, detail)));
}

export const Figures = ({ children }) => h('dl', { class: 'figures' }, children);

export function Verdict({ verdict }) {
  const known = VERDICTS.includes(verdict);
  return h('span', { class: `verdict v-${known ? verdict : 'NONE'}`, title: VERDICT_TEXT[verdict]?.text }, verdict ? verdictName(verdict) : 'Not audited');
}

const LEVELS = { bad: 'Act', warn: 'Look', info: 'Note' };

/** Marks that call for a person, the gravest first. Shape and word say the level too, not only the color. */
export function Attention({ marks }) {
  return h('ul', { class: 'attention' }, marks.map((mark) =>
    h('li', { key: mark.code, class: `mark ${mark.level}` },
      h(Icon, { name: mark.level === 'bad' ? 'alert' : mark.level === 'warn' ? 'warn' : 'info' }),
      h('span', { class: 'mark-level' }, LEVELS[mark.level] ?? 'Note'),
      h('span', null, h(Data, { text: mark.text })))));
}

const ICONS = {
  alert: 'M8 1.5 1.5 8 8 14.5 14.5 8ZM8 5v3.6M8 10.6v.5',
  warn: 'M8 2 1.5 13.5h13ZM8 6.4v3.4M8 11.4v.4',
  info: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8ZM8 7.4v3.6M8 5v.3',
  ok: 'M3 8.4l3.2 3.2L13 4.8',
  search: 'M7 2.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6ZM10.6 10.6l3.4 3.4',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M3 13l1.2-1.2M11.8 4.2 13 3',
  moon: 'M13.4 9.6A5.8 5.8 0 0 1 6.4 2.6 5.8 5.8 0 1 0 13.4 9.6Z',
  system: 'M2 3h12v8H2ZM6 14h4M8 11v3',
  up: 'M4 9.5 8 5.5l4 4',
  down: 'M4 6.5l4 4 4-4',
  right: 'M6 3.5 10.5 8 6 12.5',
  report: 'M4 1.8h5.5L12.5 5v9.2H4ZM9.3 1.8V5h3.2M6 8.2h4.4M6 10.8h4.4'
};

export const Icon = ({ name }) => h('svg', { class: `icon icon-${name}`, viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' }, h('path', { d: ICONS[name] }));

/** The table behind a chart. Its rows exist only while it is open. */
export function TableBehind({ columns, rows, caption }) {
  const [open, setOpen] = useState(false);
  return h('details', { class: 'behind', open, onToggle: (event) => setOpen(event.currentTarget.open) },
    h('summary', null, 'Show as table'),
    open && h(Table, { columns, rows: rows(), caption }));
}

/**
 * A table. Columns: {name, term, numeric, cell(row)}; the first column is the row's header.
 * On small screens each row becomes a block with the column's name before each value.
 * rowVersion(row): a text; a row with the same text as before is not rendered again.
 */
export function Table({ columns, rows, caption, rowKey, rowVersion, class: name, empty }) {
  return h('div', { class: `table-frame ${name ?? ''}`, tabIndex: 0, role: 'group', 'aria-label': caption },
    h('table', null,
      h('caption', { class: 'hidden' }, caption),
      h('thead', null, h('tr', null, columns.map((column) =>
        h('th', { key: column.name, scope: 'col', class: column.numeric ? 'numeric' : column.class, 'aria-sort': column.sorted },
          column.head ?? (column.term ? h(Term, { of: column.term }, column.name) : column.name))))),
      h('tbody', null,
        rows.length === 0 && h('tr', null, h('td', { colSpan: columns.length, class: 'empty-row' }, empty ?? 'Nothing yet.')),
        rows.map((row, i) => h(Row, { key: rowKey ? rowKey(row) : i, row, columns, version: rowVersion ? rowVersion(row) : {} })))));
}

function Row({ row, columns, version }) {
  return useMemo(() => h('tr', null, columns.map((column, c) => h(c === 0 ? 'th' : 'td', {
    key: column.name, scope: c === 0 ? 'row' : undefined, 'data-name': column.name, class: column.numeric ? 'numeric' : column.class
  }, column.cell(row)))), [version]);
}

/** One choice of few: buttons that look like one control. */
export function Choice({ label, value, options, onChange }) {
  return h('div', { class: 'choice', role: 'group', 'aria-label': label }, options.map(([key, text]) =>
    h('button', { key, type: 'button', 'aria-pressed': key === value, onClick: () => onChange(key) }, text)));
}

export function Loading({ what }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 250);
    return () => clearTimeout(timer);
  }, []);
  return h('div', { class: 'state', role: 'status', 'data-loading': '' }, late && h(Fragment, null,
    h('div', { class: 'skeleton' }, h('i'), h('i'), h('i')),
    h('p', null, `Loading ${what} …`)));
}

export function Empty({ title, children }) {
  return h('div', { class: 'state' }, h('h2', null, title), h('p', null, children));
}

/** An error with what to do about it. */
export function Failure({ error, what }) {
  const starting = error.code === 'NOT_READY';
  if (error.status === undefined) {
    return h('div', { class: 'state failure', role: 'alert' },
      h(Icon, { name: 'alert' }),
      h('h2', null, 'The console does not answer'),
      h('p', null, `No answer came from ${location.origin}. Check that the console runs, then load the page again.`));
  }
  return h('div', { class: 'state failure', role: 'alert' },
    h(Icon, { name: starting ? 'info' : 'alert' }),
    h('h2', null, starting ? 'The console is starting' : `${what} cannot be shown`),
    h('p', null, h(Data, { text: error.message })),
    error.remedy && h('p', { class: 'remedy' }, h(Data, { text: error.remedy })),
    error.code && h('p', { class: 'code' }, error.code));
}

/** Data, or the state in which there is none. Old data stay, with a note, while the connection is lost. */
export function Loaded({ state, what, children }) {
  if (!state.data) return state.error ? h(Failure, { error: state.error, what }) : h(Loading, { what });
  return h(Fragment, null,
    state.error && h('p', { class: 'banner', role: 'status' }, h(Icon, { name: 'warn' }), 'The connection is lost. The page shows what it knew and tries again every 2 seconds.'),
    children(state.data));
}

/** Width of an element in pixels, kept current. */
export function useWidth() {
  const ref = useRef(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const measure = () => ref.current && setWidth(Math.floor(ref.current.clientWidth));
    const observer = new ResizeObserver(measure);
    observer.observe(ref.current);
    measure();
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

export const leftOut = (n, what) => n > 0 && h('p', { class: 'note' }, `${count(n)} more ${what} are not listed.`);

export const link = (page, parameters) => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (value !== null && value !== undefined && value !== '') query.set(name, value);
  }
  const text = query.toString();
  return `#/${page}${text && `?${text}`}`;
};
