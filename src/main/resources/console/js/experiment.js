// A best-arm experiment: its phases, what each excluded and why, and its end.

import { h, Fragment, useState } from './lib.js';
import { Arm, Card, Data, Empty, Figure, Figures, Icon, Table, leftOut } from './ui.js';
import { ForestRow, forestScale } from './charts.js';
import { count, dateTime, number, percent, signed, timeOfDay, words } from './format.js';

export function Experiment({ data }) {
  const { experiment } = data;
  if (!experiment) return h(Empty, { title: 'No best-arm experiment' }, 'This segment does not run one.');
  const { design, phases, terminal } = experiment;
  return h('div', { class: 'stack' },
    h(Card, { title: 'Best-arm experiment', term: 'stage', level: 3, class: terminal ? 'ended' : '' },
      h('p', { class: 'lead' }, h(Data, { text: terminal?.kindText ?? experiment.stateText })),
      terminal && h(Certificate, { terminal, design }),
      design && h(Progress, { design, phases, terminal })),
    phases.length === 0 ? h(Card, { title: 'Phases', level: 3 }, h('p', { class: 'note' }, 'No phase is closed yet.')) : h(Phases, { phases, design }),
    leftOut(experiment.phasesLeftOut, 'phases'));
}

function Certificate({ terminal, design }) {
  return h(Figures, null,
    h(Figure, { label: 'Result', value: words(terminal.kind), tone: terminal.kind === 'BEST_FAIR_ARM' ? 'good' : terminal.kind === 'ABORTED' ? 'bad' : '' }),
    terminal.arm !== null && h(Figure, { label: 'Arm', value: h(Arm, { name: terminal.arm }) }),
    terminal.margin !== null && h(Figure, { label: 'Certified margin', value: number(terminal.margin), detail: terminal.delta === null ? null : `with confidence ${percent(1 - terminal.delta, 0)}` }),
    terminal.margin === null && terminal.kind === 'BEST_FAIR_ARM' && h(Figure, { label: 'Certificate', value: 'none', detail: 'more samples may certify it' }),
    terminal.runnerUp !== null && h(Figure, { label: 'Next', value: h(Arm, { name: terminal.runnerUp }), detail: number(terminal.runnerUpReward) }),
    h(Figure, { label: 'Samples', value: count(terminal.samples), detail: design && `of ${count(design.samples)}` }),
    h(Figure, { label: 'Cost', value: number(terminal.costSpent, 0), detail: design && `of ${number(design.budget, 0)}` }),
    terminal.abortReason !== null && h(Figure, { label: 'Ended by', value: words(terminal.abortReason), tone: 'bad' }),
    h(Figure, { label: 'Ended', value: timeOfDay(terminal.time), detail: dateTime(terminal.time).split(',').slice(0, 2).join(',') }));
}

function Progress({ design, phases, terminal }) {
  const closed = phases.length ? phases.at(-1).place : 0;
  return h(Fragment, null,
    !terminal && h('div', { class: 'progress' }, h('progress', { max: design.phases, value: closed, 'aria-label': 'Closed phases' }), h('span', null, `${closed} of ${design.phases} phases closed`)),
    h('dl', { class: 'facts' },
      [['Attribute', h(Fragment, null, h(Data, { text: design.attribute }), ': ', design.groups.map((group, i) => h(Fragment, { key: group }, i > 0 && ', ', h(Data, { text: group }))))],
        ['Limit', number(design.threshold, 2)], ['Control', h(Arm, { name: design.control })], ['Mode', `${design.mode}, ${design.estimate}`]]
        .map(([name, value]) => h('div', { key: name }, h('dt', null, name), h('dd', null, value)))));
}

function Phases({ phases, design }) {
  const [chosen, setChosen] = useState(null);
  const phase = phases.find((one) => one.place === chosen) ?? phases.at(-1);
  return h(Fragment, null,
    h('ol', { class: 'phases', 'aria-label': 'Phases' }, phases.map((one) => h('li', { key: one.place },
      h('button', { type: 'button', 'aria-pressed': one === phase, onClick: () => setChosen(one.place) },
        h('b', null, `Phase ${one.place}`), h('span', null, `${count(one.samples)} samples`),
        h('span', { class: one.eliminated.length ? 'tone-bad' : '' }, one.eliminated.length ? `${one.eliminated.length} excluded` : 'none excluded'))))),
    h(PhaseArms, { phase, design }));
}

function PhaseArms({ phase, design }) {
  const rows = phase.arms.map((arm) => ({
    arm,
    effect: { lower: arm.effectLower, upper: arm.effectUpper, estimate: arm.forward },
    reward: { lower: arm.rewardLower, upper: arm.rewardUpper, estimate: arm.reward }
  }));
  const limit = design?.threshold ?? null;
  const effects = forestScale(rows.map((row) => row.effect), limit);
  const rewards = forestScale(rows.map((row) => row.reward), null);
  const state = (arm) => (arm.arm === phase.leader ? h('b', null, 'Leader') : arm.isLeft ? 'In' : h('span', { class: 'none' }, 'Out'));
  const numbers = (one, format) => h('span', null, h('b', null, format(one.estimate)), one.lower !== null && h('span', null, ` ${format(one.lower)} to ${format(one.upper)}`));
  return h(Card, { title: `After phase ${phase.place}`, level: 3, note: [`${count(phase.samples)} samples, `, dateTime(phase.time), phase.leader !== null && ['. Leader: ', h(Arm, { name: phase.leader })], '. The shaded band ends at the limit.'] },
    h(Table, { class: 'forest-table two-plots', caption: `Arms after phase ${phase.place}`, rows, rowKey: (row) => row.arm.arm, columns: [
      { name: 'Arm', cell: ({ arm }) => h('span', { class: arm.isLeft ? '' : 'excluded-arm' }, h(Arm, { name: arm.arm })) },
      { name: 'Effect', term: 'effect', class: 'plot-cell', cell: ({ arm, effect }) => h(ForestRow, { row: effect, limit, scale: effects, tone: arm.isFair ? 'v-CERTIFIED_FAIR' : 'v-UNFAIR' }) },
      { name: 'Effect and interval', class: 'forest-number', cell: ({ effect }) => numbers(effect, (value) => signed(value)) },
      { name: 'Reward', class: 'plot-cell', cell: ({ reward }) => reward.estimate !== null && h(ForestRow, { row: reward, limit: null, scale: rewards, tone: 'plain' }) },
      { name: 'Reward and interval', class: 'forest-number', cell: ({ reward }) => numbers(reward, (value) => number(value)) },
      { name: 'State', cell: ({ arm }) => state(arm) }] }),
    h('h4', null, 'Excluded in this phase'),
    phase.eliminated.length === 0 ? h('p', { class: 'note' }, 'No arm was excluded.')
      : h('ul', { class: 'reasons' }, phase.eliminated.map((one, i) => h('li', { key: i }, h(Icon, { name: one.reason === 'SUBOPTIMAL' ? 'down' : 'alert' }), h('span', null, h(Data, { text: one.text }))))));
}
