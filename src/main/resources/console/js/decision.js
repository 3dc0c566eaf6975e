// One decision: for whom, which arm, why, how fair, and what happened next.

import { h, Fragment, useEffect } from './lib.js';
import { apiUrl, useDocument } from './api.js';
import { Arm, Card, Data, Failure, Icon, Loading, Table, Term, Verdict, leftOut, link } from './ui.js';
import { ForestAxis, ForestRow, forestScale } from './charts.js';
import { RecentTable } from './segment.js';
import { count, dateTime, number, percent, signed, timeOfDay, words } from './format.js';

export function DecisionPage({ parameters, setLive }) {
  return h('div', { class: 'page' }, parameters.id ? h(One, { parameters, setLive }) : h(Find, { setLive }));
}

function Find({ setLive }) {
  const state = useDocument(apiUrl('decisions', { limit: 20 }));
  useEffect(() => setLive({ connection: state.error ? 'lost' : state.data ? 'live' : 'connecting', reader: null }), [state]);
  return h('div', { class: 'stack' },
    h('h1', null, 'Find a decision'),
    h(FindForm, {}),
    h(Card, { title: 'Recent decisions' }, state.error ? h(Failure, { error: state.error, what: 'Recent decisions' }) : state.data ? h(RecentTable, { decisions: state.data.decisions, withSegment: true }) : h(Loading, { what: 'recent decisions' })));
}

function FindForm({ id, segment, near }) {
  const submit = (event) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const time = form.get('near');
    location.hash = link('decision', { id: form.get('id').trim(), segment: form.get('segment').trim(), near: time ? new Date(time).getTime() : null });
  };
  return h('form', { class: 'find', onSubmit: submit },
    h('label', { class: 'find-id' }, 'Decision id', h('input', { name: 'id', required: true, value: id, spellcheck: false, autocomplete: 'off', placeholder: 'order-20931' })),
    h('label', null, 'Segment (optional)', h('input', { name: 'segment', value: segment, spellcheck: false, autocomplete: 'off' })),
    h('label', null, 'About when (for older ones)', h('input', { name: 'near', type: 'datetime-local', step: 1, value: near })),
    h('button', { type: 'submit', class: 'primary' }, h(Icon, { name: 'search' }), 'Find'));
}

function One({ parameters, setLive }) {
  const state = useDocument(apiUrl('decision', { id: parameters.id, segment: parameters.segment, near: parameters.near }));
  useEffect(() => setLive({ connection: state.error ? (state.error.status ? 'live' : 'lost') : state.data ? 'live' : 'connecting', reader: null }), [state]);
  return h(Fragment, null,
    h('p', { class: 'crumbs' }, h('a', { href: '#/decision' }, 'Decisions'), h(Icon, { name: 'right' }), h('span', null, 'Decision')),
    state.error ? h('div', { class: 'stack' }, h('h1', null, 'Find a decision'), h(Failure, { error: state.error, what: 'The decision' }), h(FindForm, { id: parameters.id, segment: parameters.segment }))
      : state.data ? h(Found, { decision: state.data }) : h(Loading, { what: 'the decision' }));
}

function Found({ decision }) {
  return h('div', { class: 'stack decision' },
    h('div', { class: 'title-row' }, h('div', null,
      h('h1', null, h(Data, { text: decision.decisionId })),
      h('p', { class: 'subtitle' },
        h('a', { href: link('segment', { name: decision.segment }) }, h(Data, { text: decision.segment })),
        h('span', null, dateTime(decision.time)),
        decision.policy && h('span', { class: 'chip' }, h(Data, { text: decision.policy })),
        decision.specVersion !== null && h('span', null, `spec version ${decision.specVersion}`),
        decision.otherSegments.map((segment) => h('span', { key: segment }, 'same id in ', h('a', { href: link('decision', { id: decision.decisionId, segment }) }, h(Data, { text: segment })))),
        decision.otherTimes.map((time) => h('span', { key: time }, 'same id at ', h('a', { href: link('decision', { id: decision.decisionId, segment: decision.segment, near: time }) }, dateTime(time)))),
        decision.foundIn === 'TOPICS' && h('span', null, 'found on the topics'),
        decision.foundIn === 'TOPICS_INCOMPLETE' && h('span', { class: 'tone-bad' }, 'found on the topics; the scan ended before all of its records were read')))),
    h('p', { class: 'lead' }, 'This person got ', h('strong', null, h(Arm, { name: decision.arm })), '. ', h(Data, { text: decision.reasonText })),
    decision.errorText && h('p', { class: 'mark bad' }, h(Icon, { name: 'alert' }), h(Data, { text: decision.errorText })),
    h(FairnessRecord, { decision }),
    h('div', { class: 'columns' },
      h(Context, { decision }),
      h(Outcome, { decision })),
    h(Candidates, { decision }),
    h(Technical, { decision }));
}

function FairnessRecord({ decision }) {
  const records = decision.fairness;
  return h(Card, { title: 'Was it fair?', term: 'effect', class: 'fairness-record' },
    records.length === 0 && h('p', null, h(Data, { text: decision.fairnessText ?? 'This decision has no fairness record.' })),
    records.map((record, i) => {
      const scale = forestScale([record], record.threshold);
      return h('article', { key: i, class: 'record' },
        h('header', null, h(Verdict, { verdict: record.verdict }), h('span', { class: 'record-pair' }, h(Data, { text: record.kindText }), ': ', h(Data, { text: record.factual ?? 'redacted' }), ' → ', h(Data, { text: record.counterfactual ?? 'redacted' }))),
        h('div', { class: 'record-words' },
          h('p', { class: 'sentence' }, h(Data, { text: record.sentence })),
          h('p', null, h(Data, { text: record.verdictText }), record.guaranteeText && h(Fragment, null, ' The ', h(Term, { of: 'guarantee' }, 'interval'), ' ', h(Data, { text: record.guaranteeText }), '.'))),
        record.lower !== null && h('div', { class: 'record-plot' },
          h('div', { class: 'plot-cell' }, h(ForestRow, { row: record, limit: record.threshold, scale, tone: `v-${record.verdict}` })),
          h(ForestAxis, { scale, format: (value) => signed(value, 2), left: '← lower reward', right: 'higher reward →' })),
        record.refutedAssumption && h('p', { class: 'mark bad' }, h(Icon, { name: 'alert' }), h('span', null, `An assumption is refuted: ${words(record.refutedAssumption).toLowerCase()}.`)),
        record.dual !== null && h('p', { class: 'note' }, h(Term, { of: 'dual' }, 'Price of the constraint'), ` ${number(record.dual, 4)}`),
        record.excluded && h('p', { class: 'excluded' }, h(Icon, { name: 'info' }), h('span', null, h('b', null, 'Excluded arm. '), h(Data, { text: record.excluded.sentence }))));
    }));
}

function Context({ decision }) {
  const { context } = decision;
  return h(Card, { title: 'Context', note: context.text },
    context.attributes.length === 0 ? null
      : h(Table, { caption: 'Context', rows: context.attributes, rowKey: (one) => one.name, columns: [
        { name: 'Attribute', cell: (one) => h(Data, { text: one.name }) },
        { name: 'Role', cell: (one) => words(one.role).toLowerCase() },
        { name: 'Value', cell: (one) => (one.redacted ? h('span', { class: 'none' }, 'redacted') : one.value === null ? h('span', { class: 'none' }, 'undisclosed') : h(Data, { text: one.value })) }] }),
    leftOut(context.attributesLeftOut, 'attributes'),
    decision.contextTopic && h('p', { class: 'note place' }, h(Data, { text: `${decision.contextTopic}-${decision.contextPartition}@${decision.contextOffset}` })));
}

function Outcome({ decision }) {
  const { outcome, deadLetters } = decision;
  return h(Card, { title: 'What happened next' },
    h('p', null, h(Data, { text: outcome.statusText })),
    h('ol', { class: 'timeline' },
      h('li', null, h('i', { 'aria-hidden': 'true' }, h(Icon, { name: 'ok' })), h('time', null, timeOfDay(decision.time)), h('p', null, 'The decision was made.')),
      outcome.events.map((event, i) => h('li', { key: i },
        h('i', { 'aria-hidden': 'true' }, h(Icon, { name: event.learned ? 'ok' : 'info' })), h('time', null, timeOfDay(event.time)), h('p', null, h(Data, { text: event.text })))),
      deadLetters.map((letter, i) => h('li', { key: `d${i}`, class: 'bad' },
        h('i', { 'aria-hidden': 'true' }, h(Icon, { name: 'alert' })), h('time', null, timeOfDay(letter.time)),
        h('p', null, h('b', null, letter.code), ' ', h(Data, { text: letter.message }), letter.remedy && h('small', null, ' ', h(Data, { text: letter.remedy })))))),
    outcome.status === 'AWAITING' && outcome.windowEnds !== null && h('p', { class: 'note' }, `The reward window ends at ${dateTime(outcome.windowEnds)} of event time.`));
}

function Candidates({ decision }) {
  if (decision.candidates.length === 0) return null;
  return h(Card, { title: 'Candidates', note: decision.propensityKind && `Propensities are ${words(decision.propensityKind).toLowerCase()}.` },
    h(Table, { caption: 'Candidates', class: 'stacking', rows: decision.candidates, rowKey: (one) => one.arm, columns: [
      { name: 'Arm', cell: (one) => h('span', { class: one.isChosen ? 'chosen' : '' }, h(Arm, { name: one.arm })) },
      { name: 'Propensity', term: 'propensity', numeric: true, cell: (one) => h('span', { class: 'propensity' }, percent(one.propensity), h('meter', { min: 0, max: 1, value: one.propensity ?? 0, 'aria-hidden': 'true' })) },
      { name: 'Index', term: 'index', numeric: true, cell: (one) => number(one.index) },
      { name: 'Certificate', term: 'certificate', cell: (one) => words(one.certificate) },
      { name: 'Status', cell: (one) => h(Data, { text: one.statusText, class: `status-${one.status}` }) }] }),
    leftOut(decision.candidatesLeftOut, 'candidates'));
}

function Technical({ decision }) {
  const facts = [['Reason', words(decision.reason)], ['Index', number(decision.index)], ['Mean', number(decision.mean)], ['Margin', number(decision.width)], ['Arms in the fair set', count(decision.fairSetSize)],
    ['Sequence', count(decision.seq)], ['Writer epoch', count(decision.writerEpoch)], ['Event time', dateTime(decision.eventTime)], ['Spec hash', decision.specHash ? h('code', null, decision.specHash) : '–'],
    ['Causal bounds', decision.boundsVersion === null ? 'none' : `version ${decision.boundsVersion}`], ['Recovered', decision.recovered ? 'yes' : 'no']];
  return h('details', { class: 'technical' }, h('summary', null, 'Fields of the record'),
    h('dl', { class: 'facts' }, facts.map(([name, value]) => h('div', { key: name }, h('dt', null, name), h('dd', null, value)))));
}
