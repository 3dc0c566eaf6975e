// One segment: is it fair, what does it choose, with which model.

import { h, useEffect, useState } from './lib.js';
import { apiUrl, getBlob, hasToken, useLive } from './api.js';
import { Attention, Data, Figure, Figures, Icon, Loaded, Verdict, Arm, Table, link, Card } from './ui.js';
import { Spark } from './charts.js';
import { Fairness } from './fairness.js';
import { Choices } from './choices.js';
import { Model } from './model.js';
import { Experiment } from './experiment.js';
import { Watch } from './watch.js';
import { count, number, percent, rate, timeOfDay, words } from './format.js';

const TABS = [['fairness', 'Fairness'], ['choices', 'Choices'], ['model', 'Model'], ['experiment', 'Experiment'], ['watch', 'Challengers and groups'], ['decisions', 'Decisions']];
const BODIES = { fairness: Fairness, choices: Choices, model: Model, experiment: Experiment, watch: Watch, decisions: Decisions };

export function Segment({ parameters, info, setLive }) {
  const state = useLive('segment', { name: parameters.name });
  useEffect(() => setLive({ connection: state.connection, reader: state.data?.reader ?? null }), [state.connection, state.data?.reader?.state, state.data?.reader?.behind]);
  return h('div', { class: 'page' },
    h('p', { class: 'crumbs' }, h('a', { href: '#/' }, 'Overview'), h(Icon, { name: 'right' }), h('span', null, 'Segment')),
    h(Loaded, { state, what: 'The segment' }, (data) => h(Body, { data, parameters, info })));
}

function Body({ data, parameters, info }) {
  const { row } = data;
  const tabs = TABS.filter(([key]) => (key !== 'experiment' || data.experiment !== null) && (key !== 'watch' || data.watch !== null));
  // The answer above the marks states unfair decisions already.
  const marks = row.attention.filter((mark) => mark.code !== 'UNFAIR' || !data.fairness);
  const start = data.experiment !== null && data.fairness === null ? 'experiment' : 'fairness';
  const tab = tabs.some(([key]) => key === parameters.tab) ? parameters.tab : start;
  return h('div', { class: 'segment' },
    h('div', { class: 'title-row' },
      h('div', null,
        h('h1', null, h(Data, { text: data.name })),
        h('p', { class: 'subtitle' }, h('span', { class: 'chip' }, h(Data, { text: row.policy })), row.specVersion !== null && h('span', null, `spec version ${row.specVersion}`),
          h('span', null, `last decision ${timeOfDay(row.lastDecision)}`))),
      h(ReportButton, { name: parameters.name, info })),
    h(Answer, { data }),
    marks.length > 0 && h(Attention, { marks }),
    h(Figures, null,
      h(Figure, { label: 'Certified', term: 'certified', value: percent(row.certifiedShare), detail: h(Spark, { values: data.series.certifiedShare, domain: [0, 1], label: 'Certified share over time', width: 96, height: 24 }) }),
      h(Figure, { label: 'Unfair', term: 'unfair', value: count(row.unfair), tone: row.unfair > 0 ? 'bad' : '', detail: row.hidden > 0 ? `${count(row.hidden)} redacted` : `${count(row.violations.window)} by estimate` }),
      h(Figure, { label: 'Group gap', term: 'gap', value: number(row.groupGap), detail: row.groupGapOf && h(Data, { text: row.groupGapOf }) }),
      h(Figure, { label: 'Mean reward', term: 'meanReward', value: number(row.meanReward), detail: `${count(row.rewards)} rewards` }),
      h(Figure, { label: 'Fallback', term: 'fallback', value: percent(row.fallbackShare) }),
      h(Figure, { label: 'Decisions/s', term: 'decisionRate', value: rate(row.rate), detail: `${count(row.decisions.lifetime)} in all` })),
    h('nav', { class: 'tabs', 'aria-label': 'Parts of the segment' }, tabs.map(([key, text]) =>
      h('a', { key, href: link('segment', { name: parameters.name, tab: key }), 'aria-current': key === tab ? 'page' : undefined }, text))),
    h(BODIES[tab], { data }));
}

/** The first question of the page, answered in a sentence. */
function Answer({ data }) {
  const { row, fairness } = data;
  if (!fairness || row.certifiedShare === null) return h('p', { class: 'lead' }, 'Nothing was decided and audited in the time shown.');
  const limit = fairness.limitsText ? `the limit of its kind (${fairness.limitsText})` : `the limit of ${number(fairness.threshold, 2)}`;
  const sure = fairness.confidenceText;
  const parts = [];
  if (row.certifiedShare === 1) parts.push(h('strong', { class: 'tone-good' }, 'Every decision is certified fair'), `: with ${sure} confidence no effect exceeds ${limit}.`);
  else if (row.certifiedShare > 0) parts.push(h('strong', null, `${percent(row.certifiedShare)} of the decisions are certified fair`), `: with ${sure} confidence each effect is within ${limit}.`);
  else parts.push(h('strong', null, 'No decision is certified fair yet'), fairness.limitsText ? `. Each kind of effect has its own limit: ${fairness.limitsText}.` : `. The limit is ${number(fairness.threshold, 2)}.`);
  if (row.unfair > 0) parts.push(' ', h('strong', { class: 'tone-bad' }, `${count(row.unfair)} decisions are unfair: the whole interval of an effect is beyond it.`));
  else if (row.violations.window > 0) parts.push(` No interval proves an effect beyond it; ${count(row.violations.window)} decisions have an estimate beyond it.`);
  else if (row.certifiedShare < 1) parts.push(row.hidden > 0 ? ` The effects of ${count(row.hidden)} decisions are redacted; no verdict says that one exceeds it.` : ' No estimated effect exceeds it.');
  return h('p', { class: 'lead' }, parts);
}

/** Opens the report of a period. With a token the page fetches it, because a link cannot send one. */
function ReportButton({ name, info }) {
  const [open, setOpen] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const millis = (field) => (form.get(field) ? new Date(form.get(field)).getTime() : null);
    const parameters = { segment: name, from: millis('from'), to: millis('to') };
    if (hasToken()) {
      const anchor = document.createElement('a');
      anchor.href = URL.createObjectURL(await getBlob(apiUrl('report', { ...parameters, download: true })));
      anchor.download = 'fairness-report.html';
      anchor.click();
    } else {
      window.open(apiUrl('report', parameters), '_blank', 'noopener');
    }
    setOpen(false);
  };
  return h('div', { class: 'report' },
    h('button', { type: 'button', 'aria-expanded': open, onClick: () => setOpen(!open) }, h(Icon, { name: 'report' }), 'Fairness report'),
    open && h('form', { class: 'report-form', onSubmit: submit, onKeyDown: (event) => event.key === 'Escape' && setOpen(false) },
      h('label', null, 'From', h('input', { type: 'datetime-local', name: 'from', step: 1 })),
      h('label', null, 'To', h('input', { type: 'datetime-local', name: 'to', step: 1 })),
      h('p', { class: 'note' }, 'Empty fields stand for the time that the console holds', info ? `, ${Math.round(info.historyMillis / 60000)} minutes.` : '.'),
      h('button', { type: 'submit', class: 'primary' }, 'Open the report')));
}

function Decisions({ data }) {
  return h(Card, { title: 'Recent decisions', note: 'The newest decisions that the console holds.' }, h(RecentTable, { decisions: data.recent }));
}

/** Recent decisions, each with a link to its page. */
export function RecentTable({ decisions, withSegment }) {
  const columns = [
    { name: 'Decision', cell: (one) => h('a', { href: link('decision', { id: one.decisionId, segment: one.segment, near: one.time }) }, h(Data, { text: one.decisionId })) },
    withSegment && { name: 'Segment', cell: (one) => h(Data, { text: one.segment }) },
    { name: 'Time', cell: (one) => timeOfDay(one.time) },
    { name: 'Arm', cell: (one) => h(Arm, { name: one.arm }) },
    { name: 'Reason', cell: (one) => words(one.reason) },
    { name: 'Verdict', cell: (one) => h(Verdict, { verdict: one.verdict }) },
    { name: 'Reward', numeric: true, cell: (one) => (one.reward === null ? h('span', { class: 'none' }, words(one.status).toLowerCase()) : number(one.reward)) }
  ];
  return h(Table, { columns: columns.filter(Boolean), rows: decisions, rowKey: (one) => `${one.segment} ${one.decisionId} ${one.time}`, caption: 'Recent decisions', class: 'stacking', empty: 'No decision is in memory yet.' });
}
