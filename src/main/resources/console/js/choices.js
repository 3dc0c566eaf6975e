// What a segment chooses and earns.

import { h } from './lib.js';
import { Arm, Card, Table } from './ui.js';
import { ForestAxis, ForestRow, TimeChart, forestScale } from './charts.js';
import { count, number, percent, plural, words } from './format.js';
import { adoptions } from './fairness.js';

const COLORS = 6;

export function Choices({ data }) {
  const { choices, series, model } = data;
  const top = choices.arms.slice(0, COLORS);
  const rest = choices.arms.slice(COLORS);
  const layers = top.map((arm, i) => ({ key: arm.arm, name: arm.arm, label: h(Arm, { name: arm.arm }), class: `fill-arm-${i}`, counts: arm.series }));
  const others = series.times.map((_, i) => rest.reduce((sum, arm) => sum + (arm.series[i] ?? 0), choices.otherArms?.series[i] ?? 0));
  if (others.some((value) => value > 0)) layers.push({ key: '', name: 'Other arms', class: 'fill-other', counts: others });
  const totals = series.times.map((_, i) => layers.reduce((sum, layer) => sum + (layer.counts[i] ?? 0), 0));
  const shares = layers.map(({ counts, ...layer }) => ({ ...layer, values: counts.map((value, i) => (totals[i] ? (value ?? 0) / totals[i] : null)) }));
  const marks = adoptions(model);
  return h('div', { class: 'stack' },
    h(Card, { title: 'Arms over time', term: 'share', level: 3, note: `Share of the decisions. ${plural(choices.armCount, 'arm')} in all.` },
      h(TimeChart, { label: 'Share of each arm over time', times: series.times, bucketMillis: series.bucketMillis, series: shares, stacked: true, domain: [0, 1], format: (value) => percent(value, 0), marks, height: 220 })),
    h(RewardByArm, { choices }),
    h('div', { class: 'columns' },
      h(Card, { title: 'Mean reward over time', term: 'meanReward', level: 3 },
        h(TimeChart, { label: 'Mean reward over time', times: series.times, bucketMillis: series.bucketMillis, series: [{ key: 'reward', name: 'Mean reward', class: 'ink-1', values: series.meanReward }], format: (value) => number(value, 2), tableFormat: (value) => number(value), marks, height: 180 })),
      h(Card, { title: 'Exploration and fallback', term: 'exploration', level: 3 },
        h(TimeChart, { label: 'Exploration and fallback over time', times: series.times, bucketMillis: series.bucketMillis, series: [
          { key: 'explore', name: 'Exploration', class: 'ink-1', values: series.exploreShare }, { key: 'fallback', name: 'Fallback', class: 'ink-2', values: series.fallbackShare }],
        format: (value) => percent(value, 0), tableFormat: (value) => percent(value), marks, height: 180 }))),
    h('div', { class: 'columns' },
      h(Card, { title: 'Why arms were played', level: 3 },
        h(Table, { caption: 'Reasons of decisions', rows: Object.entries(choices.reasons).sort((a, b) => b[1] - a[1]), rowKey: ([reason]) => reason,
          columns: [{ name: 'Reason', cell: ([reason]) => words(reason) }, { name: 'Decisions', numeric: true, cell: ([, n]) => count(n) },
            { name: 'Share', numeric: true, cell: ([, n]) => percent(n / Object.values(choices.reasons).reduce((a, b) => a + b, 0)) }] })),
      series.dual.some((value) => value !== null) && h(Card, { title: 'Price of the constraint', term: 'dual', level: 3, note: choices.dualText },
        h(TimeChart, { label: 'Price of the constraint over time', times: series.times, bucketMillis: series.bucketMillis, series: [{ key: 'dual', name: 'Price', class: 'ink-1', values: series.dual }], format: (value) => number(value, 2), tableFormat: (value) => number(value, 4), height: 180 }))));
}

function RewardByArm({ choices }) {
  const rows = choices.arms.map((arm) => ({ ...arm, estimate: arm.meanReward, lower: arm.rewardLower, upper: arm.rewardUpper }));
  const scale = forestScale(rows.filter((row) => row.estimate !== null), null);
  return h(Card, { title: 'Reward of each arm', term: 'meanReward', level: 3, note: 'Mean of the rewards in the time shown, with an approximate 95 % interval. Arms are played for different people, so this alone does not rank them.' },
    h(Table, { class: 'forest-table', caption: 'Reward of each arm', rows, rowKey: (row) => row.arm, columns: [
      { name: 'Arm', cell: (row) => h('span', { class: 'forest-arm' }, h(Arm, { name: row.arm }), h('span', { class: 'forest-count' }, plural(row.rewards, 'reward'))) },
      { name: 'Range', class: 'plot-cell', cell: (row) => row.estimate !== null && h(ForestRow, { row, limit: null, scale, tone: 'plain' }) },
      { name: 'Mean', class: 'forest-number', cell: (row) => h('span', null, h('b', null, number(row.estimate)), row.lower !== null && h('span', null, ` ${number(row.lower)} to ${number(row.upper)}`)) },
      { name: 'Share', term: 'share', numeric: true, cell: (row) => percent(row.share) }
    ] }),
    rows.length > 0 && h('div', { class: 'forest-foot' }, h(ForestAxis, { scale, format: (value) => number(value, 2) })),
    choices.otherArms?.decisions.window > 0 && h('p', { class: 'note' }, `Arms that are not listed: ${plural(choices.otherArms.decisions.window, 'decision')} in the time shown.`));
}
