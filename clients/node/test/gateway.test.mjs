// The client against a gateway in front of a job, in EQUIPOISE_URL. Its segment `offers` has the spec of the README.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Client, EquipoiseError } from '../equipoise.mjs';
import { losesAnswers } from './servers.mjs';

const ATTRIBUTES = { gender: 'f', income: 'low' };
const ARMS = ['offer=large', 'offer=small', 'offer=standard'];
const FALLBACK = 'offer=standard';

const url = process.env.EQUIPOISE_URL;
assert.ok(url, 'set EQUIPOISE_URL to the address of a gateway; mvn test -Pforeign starts one');
const client = new Client(url, { timeoutMs: 30_000 });

async function losing(lost, settings, work) {
  const proxy = await losesAnswers(url, lost);
  try {
    return await work(new Client(proxy.url, settings), proxy);
  } finally {
    proxy.close();
  }
}

test('a decision names an arm and takes a reward', async () => {
  const decision = await client.decide('offers', ATTRIBUTES, { fairness: true });
  assert.deepEqual(decision.fairness.map((each) => each.attribute), ['gender']);
  assert.ok(ARMS.includes(decision.arm));
  assert.equal(decision.isFallback, false);
  assert.equal(decision.specVersion, 1);
  assert.deepEqual(Object.keys(decision.propensities).sort(), ARMS);
  const sum = Object.values(decision.propensities).reduce((a, b) => a + b);
  assert.ok(Math.abs(sum - 1) < 1e-9);
  assert.equal((await client.recent('offers', decision.decisionId)).arm, decision.arm);
  await client.reward(decision, 1);
});

test('a retry after a lost answer gets the same arm', async () => {
  const settings = { timeoutMs: 30_000 };
  const retried = await losing(2, settings, async (lossy, { requests }) => {
    const decision = await lossy.decide('offers', ATTRIBUTES);
    assert.equal(requests.length, 3);
    return decision;
  });
  assert.equal(retried.isFallback, false);
  const again = await client.decide('offers', ATTRIBUTES, { decisionId: retried.decisionId });
  assert.equal(again.arm, retried.arm);
  await losing(1, settings, (lossy) => lossy.reward(retried, 0));
});

test('a batch has a decision or an error for each request', async () => {
  const good = { segment: 'offers', attributes: ATTRIBUTES };
  const bad = { segment: 'offers', attributes: { gender: 'f', income: 'poor' } };
  const [first, second, third] = await client.decideBatch([good, bad, good]);
  assert.ok(ARMS.includes(first.arm) && ARMS.includes(third.arm));
  assert.ok(second instanceof EquipoiseError);
  assert.equal(second.code, 'UNKNOWN_LEVEL');
  const rewards = [{ decision: first, value: 1 }, { decision: third, value: 0 }];
  assert.deepEqual(await client.rewardBatch(rewards), [null, null]);
});

test('a rejected request names its code', async () => {
  const poor = { gender: 'f', income: 'poor' };
  await assert.rejects(client.decide('offers', poor, { fallback: FALLBACK }), { code: 'UNKNOWN_LEVEL' });
});

test('the reward of a fallback names the fallback', async () => {
  const decision = await losing(100, { timeoutMs: 500, retries: 0 }, (lossy) =>
    lossy.decide('offers', ATTRIBUTES, { fallback: FALLBACK, decisionId: 'node-fallback' }),
  );
  assert.deepEqual([decision.arm, decision.reason, decision.isFallback], [FALLBACK, 'UNAVAILABLE', true]);
  await client.reward(decision, 1);
});

test('the segments are listed', async () => {
  const offers = (await client.segments()).find((each) => each.spec === 'offers');
  assert.deepEqual([...offers.arms].sort(), ARMS);
});
