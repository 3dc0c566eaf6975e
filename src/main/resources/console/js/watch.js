// Challengers in shadow and watched groups: the newest evidence on each registration.

import { h } from './lib.js';
import { Card, Data, Table } from './ui.js';
import { number, percent, words } from './format.js';

export function Watch({ data }) {
  const challengers = data.watch.filter((one) => one.challenger !== null);
  const monitors = data.watch.filter((one) => one.groups !== null);
  const waiting = data.watch.filter((one) => one.challenger === null && one.groups === null);
  return h('div', { class: 'stack' },
    challengers.length > 0 && h(Challengers, { challengers }),
    monitors.map((one) => h(Groups, { key: one.id, one })),
    waiting.map((one) => h(Card, { key: one.id, title: h(Data, { text: one.name }), level: 3 }, h('p', { class: 'note' }, one.state === 'open' ? 'No record yet: a record comes every 1,000 settled rows while watch run runs.' : one.state))));
}

function State({ one }) {
  return h('span', { class: one.passes ? 'tone-good' : one.isAlarm ? 'tone-bad' : 'none' }, words(one.state));
}

function Challengers({ challengers }) {
  return h(Card, { title: 'Challengers', level: 3, note: 'Specs that are replayed beside the one that decides. Look as often as you like: each interval holds with the probability 95 % at all times at once.' },
    h(Table, { caption: 'Challengers', class: 'stacking', rows: challengers, rowKey: (one) => one.id, columns: [
      { name: 'Challenger', cell: (one) => h(Data, { text: one.name }) },
      { name: 'Rows', numeric: true, cell: (one) => one.rows },
      { name: 'Value', cell: (one) => one.value },
      { name: 'Minus champion', cell: (one) => one.difference },
      { name: 'Certified', numeric: true, cell: ({ challenger: it }) => percent(it.certifiedShare) },
      { name: 'Gate', cell: (one) => h(State, { one }) }] }));
}

function Groups({ one }) {
  return h(Card, { title: h(Data, { text: one.name }), level: 3, note: ['Gaps of means over all rows since the registration; parity of means is no proof of equal treatment. Intervals hold at all times at once with 1 - alpha. Changes found: ', one.groups.changeAlarms, '. ', h(State, { one })] },
    h(Table, { caption: one.name, class: 'stacking', rows: one.groups.tests, rowKey: (test) => test.level, empty: 'All groups are below the minimum size.', columns: [
      { name: 'Group', cell: (test) => h(Data, { text: test.level }) },
      { name: 'Rows', numeric: true, cell: (test) => test.rows },
      { name: 'Gap to all others', cell: (test) => `${number(test.low)} to ${number(test.high)}` },
      { name: 'Alarm', cell: (test) => (test.alarm ? h('span', { class: 'tone-bad' }, 'Alarm') : test.flagged ? 'flagged now' : 'none') }] }));
}
