// What the client sends and what it makes of every kind of answer, against scripted servers.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';

import { Client, EquipoiseError, Unavailable } from '../equipoise.mjs';
import { DROP, ID, scripted, silent } from './servers.mjs';

const ATTRIBUTES = { gender: 'f', income: 'low' };
const FALLBACK = 'offer=standard';
const NO_HOST = Array(5).fill('a'.repeat(60)).join('.'); // too long for a host name, so that no name server is asked
const PATIENT = { timeoutMs: 30_000 }; // a busy machine must not end a call whose duration is not tested
const ACCEPTED = [202, {}, { segment: 'offers', decisionId: 'd-1' }];
const SHOWN = { segment: 'offers', decisionId: 'd-1', arm: FALLBACK };

function decided(more = {}) {
  const candidates = [{ arm: 'offer=small', propensity: 0.9 }, { arm: 'offer=large', propensity: 0.1 }];
  return [200, {}, { decisionId: ID, segment: 'offers', arm: 'offer=small', reason: 'EXPLOIT', specVersion: 3, candidates, ...more }];
}

function problem(status, code, headers = {}) {
  return [status, headers, { type: 'x', title: 't', status, detail: 'd', code, remedy: 'r' }];
}

async function serving(server, work) {
  const started = await server;
  try {
    return await work(started);
  } finally {
    started.close();
  }
}

test('a decision has arm, reason and propensities', () =>
  serving(scripted(decided()), async ({ url, requests }) => {
    const candidates = [{ arm: 'a', attributes: { price: 2.5 } }, { arm: 'b' }];
    const options = { candidates, decisionId: 'd-1', eventTime: 5 };
    const decision = await new Client(`${url}/`, { token: 'secret' }).decide('offers', ATTRIBUTES, options);
    assert.deepEqual(decision, {
      segment: 'offers',
      decisionId: 'd-1',
      arm: 'offer=small',
      reason: 'EXPLOIT',
      propensities: { 'offer=small': 0.9, 'offer=large': 0.1 },
      specVersion: 3,
      fairness: null,
      isFallback: false,
    });
    const [{ method, path, headers, body }] = requests;
    assert.equal(`${method} ${path}`, 'POST /v1/decisions');
    assert.equal(headers.authorization, 'Bearer secret');
    assert.equal(headers['content-type'], 'application/json');
    assert.deepEqual(body, {
      segment: 'offers',
      decisionId: 'd-1',
      eventTime: 5,
      attributes: ATTRIBUTES,
      candidates: [{ name: 'a', attributes: { price: 2.5 } }, { name: 'b', attributes: {} }],
      deadlineMs: 1800,
    });
  }));

test('the comparisons are returned to who asks for them', () => {
  const effect = { attribute: 'gender', counterfactual: 'm', estimate: 0.1, verdict: 'UNCERTAIN' };
  return serving(scripted(decided({ fairness: [effect] })), async ({ url, requests }) => {
    const { fairness } = await new Client(url, PATIENT).decide('offers', ATTRIBUTES, { fairness: true });
    assert.deepEqual(fairness, [effect]);
    assert.equal(requests[0].body.fairness, true);
  });
});

test('a retry asks for the same decision', () =>
  serving(scripted(DROP, problem(503, 'NOT_READY'), decided()), async ({ url, requests }) => {
    await new Client(url, PATIENT).decide('offers', ATTRIBUTES);
    assert.equal(requests.length, 3);
    assert.deepEqual(requests[1].body, requests[0].body);
    assert.deepEqual(requests[2].body, requests[0].body);
    assert.ok(requests[0].body.decisionId.length >= 32);
  }));

test('each decision has an id of its own', () =>
  serving(scripted(decided(), decided()), async ({ url, requests }) => {
    const client = new Client(url, PATIENT);
    await client.decide('offers', ATTRIBUTES);
    await client.decide('offers', ATTRIBUTES);
    assert.notEqual(requests[0].body.decisionId, requests[1].body.decisionId);
  }));

test('a rejected request is an error even with a fallback and is not repeated', () =>
  serving(scripted(problem(400, 'UNKNOWN_LEVEL')), async ({ url, requests }) => {
    await assert.rejects(new Client(url, PATIENT).decide('offers', ATTRIBUTES, { fallback: FALLBACK }), (error) => {
      assert.ok(error instanceof EquipoiseError && !(error instanceof Unavailable));
      assert.deepEqual([error.status, error.code, error.detail, error.remedy], [400, 'UNKNOWN_LEVEL', 'd', 'r']);
      return true;
    });
    assert.equal(requests.length, 1);
  }));

test("an answer after the deadline is the caller's fallback", () => {
  const late = decided({ arm: 'offer=large', reason: 'DEADLINE_EXCEEDED' });
  return serving(scripted(late, late), async ({ url }) => {
    const client = new Client(url, PATIENT);
    const own = await client.decide('offers', ATTRIBUTES, { fallback: FALLBACK });
    assert.deepEqual([own.arm, own.isFallback, own.reason], [FALLBACK, true, 'DEADLINE_EXCEEDED']);
    const spec = await client.decide('offers', ATTRIBUTES);
    assert.deepEqual([spec.arm, spec.isFallback], ['offer=large', true]);
  });
});

test('a silent gateway gives the fallback within the timeout', () =>
  serving(silent(), async ({ url }) => {
    const client = new Client(url, { timeoutMs: 300 });
    const start = performance.now();
    const decision = await client.decide('offers', ATTRIBUTES, { fallback: FALLBACK });
    const waited = performance.now() - start;
    assert.deepEqual([decision.arm, decision.reason, decision.isFallback], [FALLBACK, 'UNAVAILABLE', true]);
    assert.ok(waited >= 250 && waited < 3000, `it waited ${waited} ms`);
    await assert.rejects(client.decide('offers', ATTRIBUTES), Unavailable);
  }));

test('a gateway that is down gives the fallback after the retries', async () => {
  const closed = await silent();
  closed.close();
  const decision = await new Client(closed.url, { ...PATIENT, retries: 1 }).decide('offers', ATTRIBUTES, { fallback: FALLBACK });
  assert.ok(decision.isFallback);
});

test('Retry-After is respected and ends the call if it is too long', async () => {
  const busy = problem(429, 'TOO_MANY_REQUESTS', { 'retry-after': '1' });
  await serving(scripted(busy, decided()), async ({ url }) => {
    const start = performance.now();
    await new Client(url, PATIENT).decide('offers', ATTRIBUTES);
    assert.ok(performance.now() - start >= 990);
  });
  await serving(scripted(busy), async ({ url, requests }) => {
    await assert.rejects(new Client(url, { timeoutMs: 500 }).decide('offers', ATTRIBUTES), (error) => {
      assert.ok(error instanceof Unavailable);
      assert.deepEqual([error.status, error.code], [429, 'TOO_MANY_REQUESTS']);
      return true;
    });
    assert.equal(requests.length, 1);
  });
});

test('the retries are limited', () =>
  serving(scripted(...Array(3).fill(problem(500, 'INTERNAL'))), async ({ url, requests }) => {
    await assert.rejects(new Client(url, { ...PATIENT, retries: 2 }).decide('offers', ATTRIBUTES), Unavailable);
    assert.equal(requests.length, 3);
  }));

test('an error without a problem document names its status', () =>
  serving(scripted([404, {}]), async ({ url }) => {
    await assert.rejects(new Client(url, PATIENT).decide('offers', ATTRIBUTES), { code: 'HTTP_404' });
  }));

test('a number that is not finite is not sent', () =>
  serving(scripted(), async ({ url, requests }) => {
    await assert.rejects(new Client(url, PATIENT).decide('offers', { age: NaN }), RangeError);
    assert.equal(requests.length, 0);
  }));

test('a text without a UTF-8 form is not sent', () =>
  serving(scripted(), async ({ url, requests }) => {
    const client = new Client(url, PATIENT);
    await assert.rejects(client.decide('offers', ATTRIBUTES, { decisionId: 'x\udc00y' }), RangeError);
    await assert.rejects(client.decide('offers', { 'gender\ud800': 'f' }), RangeError);
    await assert.rejects(client.recent('offers', '\ud800'), RangeError);
    await assert.rejects(client.shown({ ...SHOWN, decisionId: '\ud800' }), RangeError);
    assert.equal(requests.length, 0);
  }));

test('a batch has a decision, a fallback or an error for each request', () => {
  const bad = { problem: problem(400, 'UNKNOWN_LEVEL')[2] };
  const busy = { problem: problem(429, 'TOO_MANY_REQUESTS')[2] };
  return serving(scripted([200, {}, { decisions: [decided()[2], bad, busy] }]), async ({ url, requests }) => {
    const request = { segment: 'offers', attributes: ATTRIBUTES, fallback: FALLBACK };
    const [first, second, third] = await new Client(url, PATIENT).decideBatch([request, request, request]);
    assert.equal(first.arm, 'offer=small');
    assert.ok(second instanceof EquipoiseError);
    assert.equal(second.code, 'UNKNOWN_LEVEL');
    assert.deepEqual([third.arm, third.isFallback], [FALLBACK, true]);
    assert.equal(requests[0].path, '/v1/decisions:batch');
    assert.equal(new Set(requests[0].body.decisions.map((each) => each.decisionId)).size, 3);
  });
});

test('a batch without an answer is all fallbacks or an error', () =>
  serving(scripted(DROP, DROP), async ({ url }) => {
    const client = new Client(url, { ...PATIENT, retries: 0 });
    const request = { segment: 'offers', attributes: ATTRIBUTES };
    const decisions = await client.decideBatch([{ ...request, fallback: FALLBACK }]);
    assert.deepEqual(decisions.map((each) => each.isFallback), [true]);
    await assert.rejects(client.decideBatch([{ ...request, fallback: FALLBACK }, request]), Unavailable);
  }));

test('a reward names the arm that was shown', () =>
  serving(scripted(ACCEPTED), async ({ url, requests }) => {
    await new Client(url, PATIENT).reward(SHOWN, 0.5, { mediators: { clicks: 2 }, rewardId: 'r-1', eventTime: 7 });
    assert.deepEqual(requests[0].body, {
      segment: 'offers',
      decisionId: 'd-1',
      value: 0.5,
      eventTime: 7,
      shownArm: FALLBACK,
      mediators: { clicks: 2 },
      rewardId: 'r-1',
    });
  }));

test('what was shown is confirmed', () =>
  serving(scripted([202, {}, {}]), async ({ url, requests }) => {
    await new Client(url, PATIENT).shown(SHOWN);
    assert.equal(requests[0].path, '/v1/decisions/d-1/shown');
    assert.deepEqual(requests[0].body, { segment: 'offers', shownArm: FALLBACK });
  }));

test('a retry sends the same reward', () =>
  serving(scripted(DROP, DROP, ACCEPTED), async ({ url, requests }) => {
    await new Client(url, PATIENT).reward(SHOWN, 1);
    assert.equal(requests.length, 3);
    assert.deepEqual(requests[2].body, requests[0].body);
  }));

test('an empty batch needs no request', () =>
  serving(scripted(), async ({ url, requests }) => {
    assert.deepEqual(await new Client(url, PATIENT).rewardBatch([]), []);
    assert.deepEqual(await new Client(url, PATIENT).decideBatch([]), []);
    assert.equal(requests.length, 0);
  }));

test('a batch of rewards is one request', () => {
  const answer = { accepted: 1, rewards: [{}, { problem: problem(422, 'UNKNOWN_ARM')[2] }] };
  return serving(scripted([202, {}, answer]), async ({ url, requests }) => {
    const rewards = [{ decision: SHOWN, value: 1 }, { decision: SHOWN, value: 0, rewardId: 'r-2' }];
    const [first, second] = await new Client(url, PATIENT).rewardBatch(rewards);
    assert.equal(first, null);
    assert.deepEqual([second.status, second.code], [422, 'UNKNOWN_ARM']);
    assert.equal(requests[0].path, '/v1/rewards:batch');
    assert.deepEqual(requests[0].body.rewards.map((each) => each.shownArm), [FALLBACK, FALLBACK]);
  });
});

test('settings that mean nothing are refused', () => {
  assert.throws(() => new Client('ftp://host'), TypeError);
  assert.throws(() => new Client('host:8080'), TypeError);
  assert.throws(() => new Client(undefined, { timeoutMs: 0 }), RangeError);
  assert.throws(() => new Client(undefined, { retries: -1 }), RangeError);
});

test('a token with a character that no token has is refused without its text', () => {
  for (const [token, place] of [['s3cret\n', 7], ['s3 cret', 3], ['s\u00e9cret', 2], ['s3cret\t', 7], ['s3cret\x7f', 7]]) {
    const message = `the token has at place ${place} a blank, a line end or another character that no token has; strip what you read from a file`;
    assert.throws(() => new Client(undefined, { token }), { name: 'RangeError', message });
  }
});

test('a token that is none is refused', () => {
  const empty = { name: 'RangeError', message: 'the token is empty; leave it out if the gateway has no tokens' };
  assert.throws(() => new Client(undefined, { token: '' }), empty);
  const bytes = { name: 'TypeError', message: 'the token is no text; decode what you read from a file' };
  assert.throws(() => new Client(undefined, { token: Buffer.from('s3cret') }), bytes);
});

test('a token is of any visible characters', () =>
  serving(scripted(decided()), async ({ url, requests }) => {
    await new Client(url, { ...PATIENT, token: '!-_.~a9' }).decide('offers', ATTRIBUTES);
    assert.equal(requests[0].headers.authorization, 'Bearer !-_.~a9');
  }));

test('detail and remedy are sentences', () => {
  for (const [detail, remedy, message] of [
    ['it is needed', 'Send it.', 'C: it is needed. Send it.'],
    ['It is needed.', 'Send it.', 'C: It is needed. Send it.'],
    ['Is it needed?', 'Send it.', 'C: Is it needed? Send it.'],
    ['it is needed', '', 'C: it is needed'],
    ['', 'Send it.', 'C: Send it.'],
  ]) {
    assert.equal(new EquipoiseError(422, 'C', detail, remedy).message, message);
  }
});

test('the last failure is named once in words', async () => {
  const busy = problem(503, 'NOT_READY');
  const server = await scripted(busy, busy, DROP, DROP);
  const client = new Client(server.url, { ...PATIENT, retries: 1 });
  const call = `no answer of ${server.url} to POST /v1/decisions after `;
  try {
    await assert.rejects(client.decide('offers', ATTRIBUTES), { message: `NOT_READY: ${call}2 tries; last: d. r` });
    const closed = `UNAVAILABLE: ${call}2 tries; last: the connection was closed before the whole answer`;
    await assert.rejects(client.decide('offers', ATTRIBUTES), { message: closed });
  } finally {
    server.close();
  }
  await assert.rejects(client.decide('offers', ATTRIBUTES), { message: `UNAVAILABLE: ${call}2 tries; last: no connection` });
  const once = new Client(server.url, { ...PATIENT, retries: 0 });
  await assert.rejects(once.decide('offers', ATTRIBUTES), { message: `UNAVAILABLE: ${call}1 try; last: no connection` });
  const local = new Client(server.url.replace('127.0.0.1', 'localhost'), { ...PATIENT, retries: 0 }); // several addresses
  await assert.rejects(local.decide('offers', ATTRIBUTES), /; last: no connection$/);
});

test('a host without an address is named in words', () =>
  assert.rejects(
    new Client(`http://${NO_HOST}`, { ...PATIENT, retries: 0 }).decide('offers', ATTRIBUTES),
    /; last: the host name has no address$/,
  ));

test('require returns the same classes as import', () => {
  const required = createRequire(import.meta.url)('../equipoise.cjs');
  assert.equal(required.Client, Client);
  assert.equal(required.Unavailable, Unavailable);
});
