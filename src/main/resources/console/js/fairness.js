// Verdicts over time, effects by arm, rewards by group, overlap, certificates and assumptions of a segment.

import { h, Fragment, useState } from './lib.js';
import { Arm, Card, Choice, Data, Empty, Icon, Table, Term, Verdict, leftOut, link } from './ui.js';
import { ForestAxis, ForestRow, TimeChart, forestScale } from './charts.js';
import { count, dateTime, number, percent, plural, signed, words } from './format.js';
import { VERDICTS, VERDICT_TEXT } from './terms.js';

export function Fairness({ data }) {
  const { fairness, snapshot, series, model } = data;
  if (!fairness || fairness.attributes.length === 0) return h(Empty, { title: 'Nothing is audited here' }, 'The spec declares no sensitive attribute, or no decision was audited in the time shown.');
  return h('div', { class: 'stack' },
    fairness.attributes.map((attribute) => h(Attribute, { key: attribute.attribute, attribute, fairness, snapshot, series, model })),
    leftOut(fairness.pairsLeftOut, 'pairs of values'),
    leftOut(fairness.auditsLeftOut, 'audit records'),
    h('div', { class: 'columns' },
      h(Overlap, { snapshot }),
      h(Assumptions, { snapshot })),
    snapshot?.fairness.certificates.length > 0 && h(Certificates, { certificates: snapshot.fairness.certificates }));
}

function Attribute({ attribute, fairness, snapshot, series, model }) {
  const [chosen, setChosen] = useState(0);
  const pairs = attribute.pairs;
  const pair = pairs[Math.min(chosen, pairs.length - 1)];
  const name = attribute.attribute;
  return h('section', { class: 'attribute', 'aria-label': `Attribute ${name}` },
    h('div', { class: 'attribute-head' },
      h('h2', null, h(Data, { text: name })),
      pairs.length > 1 && pairs.length <= 4 && h(Choice, { label: 'Pair of values', value: pairs.indexOf(pair), options: pairs.map((one, i) => [i, pairName(one, pairs)]), onChange: setChosen }),
      pairs.length > 4 && h('label', { class: 'pair-select' }, 'Pair ', h('select', { value: chosen, onChange: (event) => setChosen(Number(event.currentTarget.value)) },
        pairs.map((one, i) => h('option', { key: i, value: i }, `${one.factual ?? 'redacted'} → ${one.counterfactual ?? 'redacted'}${onlyKind(pairs) ? '' : `, ${one.kindText}`}`))))),
    pair && h(Fragment, null,
      h(Forest, { pair, attribute: name, fairness }),
      h('div', { class: 'columns' },
        h(Mix, { pair, series, model }),
        h(Groups, { attribute, fairness, snapshot }))),
    attribute.splits.map((split) => h(Split, { key: split.other, split })));
}

/** The gap and its parts, which add up to it. Parts that may be 0 are gray. */
function Split({ split }) {
  const rows = split.bars;
  const scale = forestScale([...rows, { lower: 0, upper: 0, estimate: 0 }], null);
  return h(Card, { title: 'Where the gap comes from', level: 3, note: h(Data, { text: split.sentence }) },
    h(Table, {
      class: 'forest-table', caption: `Parts of the gap from ${split.reference} to ${split.other}`, rows, rowKey: (row) => `${row.kind} ${row.name}`,
      columns: [
        { name: 'Part', cell: (row) => h('span', { class: 'forest-arm' }, h(Data, { text: row.text }), row.unmatched > 0.2 && h('span', { class: 'forest-count' }, `${percent(Math.min(1, row.unmatched))} without counterpart`)) },
        { name: 'Range', class: 'plot-cell', cell: (row) => h(ForestRow, { row, limit: 0, scale, tone: row.lower > 0 || row.upper < 0 ? 'plain' : 'v-UNCERTAIN' }) },
        { name: 'Estimate', class: 'forest-number', cell: (row) => h('span', null, h('b', null, signed(row.estimate)), h('span', null, ` ${signed(row.lower)} to ${signed(row.upper)}`)) }
      ]
    }),
    h('div', { class: 'forest-foot' }, h(ForestAxis, { scale, format: (value) => signed(value, 2) })));
}

/** A level of a record; the record has none where its deployment redacts it. */
const level = (value) => h(Data, { text: value ?? 'redacted' });
const onlyKind = (pairs) => pairs.every((pair) => pair.kind === pairs[0].kind);
const pairName = (pair, pairs) => h('span', null, level(pair.factual), ' → ', level(pair.counterfactual), !onlyKind(pairs) && h(Data, { text: `, ${pair.kindText}` }));

function Forest({ pair, attribute, fairness }) {
  const rows = pair.effects;
  const limit = pair.limit ?? fairness.threshold;
  const scale = forestScale(rows, limit);
  return h(Card, {
    title: 'Effect of each arm', term: 'effect', level: 3,
    note: ['If the ', h(Data, { text: attribute }),
      pair.factual === null ? ' of a person were different (levels and effects are redacted)' : [' of a ', h('b', null, level(pair.factual)), ' person were ', h('b', null, level(pair.counterfactual))],
      ' (', h(Data, { text: pair.kindText }), ')',
      ', how would the ', fairness.unit === 'LOG_ODDS' ? 'log odds of a reward' : 'expected reward', ' of the arm change? Each bar is the range of the newest answer. A bar within the shaded band is certified fair: the band ends at the ', h(Term, { of: 'limit' }, 'limit'), ' of ', h('b', null, number(limit, 2)), fairness.unit === 'LOG_ODDS' ? [' of log odds, a ratio of odds of ', h('b', null, number(Math.exp(limit), 2)), '.'] : '.']
  },
  rows.length === 0 ? h('p', { class: 'empty-row' }, 'No effect was audited in the time shown.')
    : h(Fragment, null,
      h(Table, {
        class: 'forest-table', caption: `Effects of ${attribute}, ${pair.factual ?? 'redacted'} to ${pair.counterfactual ?? 'redacted'}`, rows, rowKey: (row) => row.arm,
        columns: [
          { name: 'Arm', cell: (row) => h('span', { class: 'forest-arm' }, h(Arm, { name: row.arm }), h('span', { class: 'forest-count' }, `${plural(row.audits, 'decision')}, the latest ${dateTime(row.time)}`)) },
          { name: 'Range', class: 'plot-cell', cell: (row) => h(ForestRow, { row, limit, scale, tone: `v-${row.verdict}` }) },
          { name: 'Effect', term: 'interval', class: 'forest-number', cell: (row) => h('a', { href: link('decision', { id: row.decisionId }), title: 'The decision with this effect' },
            h('b', null, signed(row.estimate)), h('span', null, row.lower === null ? ' redacted' : ` ${signed(row.lower)} to ${signed(row.upper)}`)) },
          { name: 'Verdict', term: 'verdict', cell: (row) => h('span', { class: 'verdict-cell' }, h(Verdict, { verdict: row.verdict }), h('small', null, `limit ${number(row.threshold)}`), row.guarantee !== 'ANYTIME' && h('small', null, row.guaranteeText)) }
        ]
      }),
      h('div', { class: 'forest-foot' }, h(ForestAxis, { scale, format: (value) => signed(value, 2), left: '← lower reward', right: 'higher reward →' }))),
  leftOut(pair.effectsLeftOut, 'arms'));
}

function Mix({ pair, series, model }) {
  const totals = series.times.map((_, i) => VERDICTS.reduce((sum, verdict) => sum + (pair.series[verdict][i] ?? 0), 0));
  const shares = VERDICTS.map((verdict) => ({
    key: verdict, name: VERDICT_TEXT[verdict].name, class: `v-${verdict}`,
    values: pair.series[verdict].map((value, i) => (totals[i] ? value / totals[i] : null))
  }));
  return h(Card, { title: 'Verdicts over time', term: 'verdict', level: 3, note: [pair.factual === null ? 'Share of the decisions. ' : ['Share of the decisions about ', level(pair.factual), ' persons. '], plural(totals.reduce((a, b) => a + b, 0), 'decision'), ' in the time shown.'] },
    h(TimeChart, {
      label: 'Verdicts over time', times: series.times, bucketMillis: series.bucketMillis, series: shares, stacked: true, domain: [0, 1], format: (value) => percent(value, 0),
      marks: adoptions(model)
    }));
}

export const adoptions = (model) => (model?.timeline ?? []).filter((event) => event.type === 'SPEC_ADOPTED').map((event) => ({ time: event.time, text: `spec v${event.specVersion}` }));

function Groups({ attribute, fairness, snapshot }) {
  const rows = attribute.groups.map((group) => ({ ...group, estimate: group.mean }));
  const scale = forestScale(rows, null);
  return h(Card, { title: 'Mean reward by group', term: 'groups', level: 3, note: fairness.groupIntervalText },
      h(Table, {
      class: 'forest-table group-table', caption: `Mean reward by ${attribute.attribute}`, rows, rowKey: (row) => row.level, empty: 'No group has enough rewards.',
      columns: [
        { name: 'Group', cell: (row) => h('span', { class: 'forest-arm' }, level(row.level), h('span', { class: 'forest-count' }, plural(row.rewards, 'reward'))) },
        { name: 'Range', class: 'plot-cell', cell: (row) => h(ForestRow, { row, limit: null, scale, tone: 'plain' }) },
        { name: 'Mean', class: 'forest-number', cell: (row) => h('span', null, h('b', null, row.rewards === 0 ? 'no reward yet' : number(row.mean)), row.lower !== null && h('span', null, ` ${number(row.lower)} to ${number(row.upper)}`)) }
      ]
    }),
    rows.length > 0 && h('div', { class: 'forest-foot' }, h(ForestAxis, { scale, format: (value) => number(value, 2) })),
    (snapshot?.groups.difference ?? null) !== null && h('p', { class: 'fact' }, h(Term, { of: 'gap' }, 'Largest gap'), ' ', h('b', null, number(snapshot.groups.difference))),
    fairness.suppressionText && h('p', { class: 'note with-icon' }, h(Icon, { name: 'info' }), h('span', null, h(Data, { text: fairness.suppressionText }))));
}

function Overlap({ snapshot }) {
  return h(Card, { title: 'What traffic cannot tell', term: 'overlap', level: 3 },
    snapshot === null || snapshot.fairness.noOverlapShare === null ? h('p', { class: 'note' }, 'Overlap is not measured yet.')
      : h(Fragment, null,
        h('p', { class: `big ${snapshot.fairness.overlapAlarm ? 'tone-bad' : ''}` }, percent(snapshot.fairness.noOverlapShare)),
        h('meter', { min: 0, max: 1, high: 0.5, value: snapshot.fairness.noOverlapShare, 'aria-label': 'Share of decisions without overlap' }),
        h('p', null, h(Data, { text: snapshot.overlapText }))));
}

const STATE_TEXT = { TESTED: 'Tested, not refuted', REFUTED: 'Refuted by rewards', UNTESTED: 'Cannot be tested' };

function Assumptions({ snapshot }) {
  const refuted = snapshot?.assumptions.refuted ?? [];
  const sorted = [
    ...refuted.map((name) => ({ name, state: 'REFUTED' })),
    ...(snapshot?.assumptions.tested ?? []).filter((name) => !refuted.includes(name)).map((name) => ({ name, state: 'TESTED' })),
    ...(snapshot?.assumptions.untested ?? []).map((name) => ({ name, state: 'UNTESTED' }))];
  return h(Card, { title: 'Assumptions', term: 'assumption', level: 3 },
    sorted.length === 0 ? h('p', { class: 'note' }, 'The segment reports no assumption.')
      : h('ul', { class: 'assumptions' }, sorted.map((one) => h('li', { key: `${one.state} ${one.name}`, class: `assumption ${one.state}` },
        h(Icon, { name: one.state === 'REFUTED' ? 'alert' : one.state === 'TESTED' ? 'ok' : 'info' }),
        h('span', null, h(Data, { text: one.name })), h('small', null, STATE_TEXT[one.state] ?? words(one.state))))));
}

function Certificates({ certificates }) {
  return h(Card, { title: 'Certificates by arm', term: 'certificate', level: 3 },
    h(Table, {
      caption: 'Certificates by arm', class: 'stacking', rows: certificates, rowKey: (row) => `${row.attribute} ${row.arm}`,
      columns: [
        { name: 'Arm', cell: (row) => h(Arm, { name: row.arm }) },
        { name: 'Attribute', cell: (row) => h(Data, { text: row.attribute }) },
        { name: 'Status', cell: (row) => h('span', { class: `verdict v-${{ FAIR: 'CERTIFIED_FAIR', UNFAIR: 'UNFAIR' }[row.status] ?? 'UNCERTAIN'}` }, words(row.status)) },
        { name: 'Rewards to a certificate', numeric: true, cell: (row) => count(row.rewardsToCertificate) },
        { name: 'Share', term: 'share', numeric: true, cell: (row) => percent(row.share) },
        { name: 'Note', cell: (row) => row.lockedIn && h(Term, { of: 'lockedIn' }, 'locked in') }
      ]
    }));
}
