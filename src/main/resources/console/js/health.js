// Whether the job runs: inputs, latency, lag, checkpoints, restarts, dead letters.

import { h, useEffect } from './lib.js';
import { useLive } from './api.js';
import { Card, Data, Figure, Figures, Icon, Loaded, Table } from './ui.js';
import { TimeChart } from './charts.js';
import { bytes, count, duration, rate, timeOfDay, words } from './format.js';

export function Health({ setLive }) {
  const state = useLive('health', {});
  useEffect(() => setLive({ connection: state.connection, reader: state.data?.reader ?? null }), [state.connection, state.data?.reader?.state, state.data?.reader?.behind]);
  return h('div', { class: 'page' }, h('h1', { class: 'hidden' }, 'Health'), h(Loaded, { state, what: 'The health of the job' }, (data) => h(Body, { data })));
}

function Body({ data }) {
  const { inputs, latency, lag, job, series, deadLetters, memory, topics } = data;
  const perSecond = (counts) => counts.map((value, i) => (value === null || i === counts.length - 1 ? null : value / (series.bucketMillis / 1000)));
  return h('div', { class: 'stack' },
    h('p', { class: 'lead' }, h(Sentence, { data })),
    h(Figures, null,
      h(Figure, { label: 'Contexts/s', value: rate(inputs.contextsPerSecond) }),
      h(Figure, { label: 'Decisions/s', term: 'decisionRate', value: rate(inputs.decisionsPerSecond), detail: `${rate(inputs.rewardsPerSecond)} rewards/s` }),
      h(Figure, { label: 'Latency p50', term: 'latency', value: duration(latency.p50Millis), detail: `p99 ${duration(latency.p99Millis)}` }),
      h(Figure, { label: 'Lag', term: 'lag', value: count(lag.contexts), detail: 'contexts' }),
      h(Figure, { label: 'Checkpoint age', term: 'checkpoint', value: duration(job.checkpointAgeMillis), detail: `${count(job.failedCheckpoints)} failed`, tone: job.failedCheckpoints > 0 ? 'warn' : '' }),
      h(Figure, { label: 'Restarts', term: 'restarts', value: count(job.restarts), detail: job.uptimeMillis === null || job.uptimeMillis === undefined ? null : `up ${duration(job.uptimeMillis)}`, tone: job.restarts > 0 ? 'warn' : '' })),
    job.error && h('p', { class: 'mark warn' }, h(Icon, { name: 'warn' }), h('span', null, h(Data, { text: job.error }))),
    job.windowsWaitFor && h('p', { class: 'mark warn' }, h(Icon, { name: 'warn' }), h('span', null, h(Data, { text: job.windowsWaitFor }))),
    inputs.error && h('p', { class: 'mark warn' }, h(Icon, { name: 'warn' }), h('span', null, h(Data, { text: inputs.error }))),
    h(Card, { title: 'Throughput a second', term: 'decisionRate' }, h(TimeChart, { label: 'Decisions, rewards and dead letters a second', times: series.times, bucketMillis: series.bucketMillis, format: rate, height: 190, series: [
      { key: 'd', name: 'Decisions', class: 'ink-1', values: perSecond(series.decisions) }, { key: 'r', name: 'Rewards', class: 'ink-2', values: perSecond(series.rewards) }, { key: 'l', name: 'Dead letters', class: 'ink-bad', values: perSecond(series.deadLetters) }] })),
    h(Card, { title: 'Latency', term: 'latency', note: latency.text }, h(TimeChart, { label: 'Mean time from a context to its decision', times: series.times, bucketMillis: series.bucketMillis, format: duration, height: 150, series: [
      { key: 'ms', name: 'Context to decision', class: 'ink-1', values: series.latencyMillis }] })),
    h(DeadLetters, { deadLetters }),
    h('div', { class: 'columns' },
      h(Card, { title: 'Lag by partition', term: 'lag', note: lag.text }, h(Table, { caption: 'Lag by partition', rows: lag.partitions, rowKey: (one) => one.partition, columns: [
        { name: 'Partition', cell: (one) => h(Data, { text: one.partition }) }, { name: 'End', numeric: true, cell: (one) => count(one.end) },
        { name: 'Decided', numeric: true, cell: (one) => count(one.answered) }, { name: 'Lag', numeric: true, cell: (one) => count(one.lag) }] })),
      h(Card, { title: 'What the console reads', note: `Memory ${bytes(memory.usedBytes)} of ${bytes(memory.maxBytes)}.` }, h(Table, { caption: 'Topics', rows: topics, rowKey: (one) => one.topic, columns: [
        { name: 'Topic', cell: (one) => h(Data, { text: one.topic }) }, { name: 'Partitions', numeric: true, cell: (one) => count(one.partitions) },
        { name: 'Records read', numeric: true, cell: (one) => count(one.records) }, { name: 'Behind', numeric: true, cell: (one) => count(one.behind) }] }))));
}

function Sentence({ data }) {
  const { job, inputs, latency } = data;
  const decides = inputs.decisionsPerSecond > 0;
  if (job.state && job.state !== 'RUNNING' && job.state !== 'UNKNOWN') return h('strong', { class: 'tone-bad' }, `The job is ${words(job.state).toLowerCase()}.`);
  return h('span', null, h('strong', { class: decides ? 'tone-good' : '' }, decides ? 'The job decides' : 'No decision arrived in the newest interval'),
    decides && latency.p50Millis !== null ? `: half of the decisions are committed within ${duration(latency.p50Millis)}, 99 of 100 within ${duration(latency.p99Millis)}.` : '.');
}

function DeadLetters({ deadLetters }) {
  return h(Card, { title: 'Dead letters', term: 'deadLetters', note: deadLetters.total === 0 ? null : `${count(deadLetters.total)} in the time that the console has read.` },
    deadLetters.codes.length === 0 ? h('p', { class: 'note with-icon' }, h(Icon, { name: 'ok' }), 'Every input could be used.')
      : h('ul', { class: 'letters' }, [...deadLetters.codes].sort((a, b) => b.count - a.count).map((one) => h('li', { key: one.code }, h('details', null,
        h('summary', null, h('code', null, one.code), h('span', { class: 'letter-cause' }, h(Data, { text: one.cause })), h('span', { class: 'letter-count' }, count(one.count))),
        h('div', { class: 'letter-body' },
          h('p', null, h('b', null, 'Remedy. '), h(Data, { text: one.remedy })),
          one.example && h('p', { class: 'example' }, h('b', null, 'Example. '), h(Data, { text: one.example.message }),
            h('small', null, ' ', h(Data, { text: [one.example.segment, one.example.decisionId].filter(Boolean).join(' · ') }), ' at ', h(Data, { text: `${one.example.topic}-${one.example.partition}@${one.example.offset}` }), ', ', timeOfDay(one.last)))))))));
}
