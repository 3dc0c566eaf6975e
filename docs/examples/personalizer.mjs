// Ranks and rewards with Azure's own client on a gateway, by docs/personalizer.md.
//
//   node personalizer.mjs [URL OF THE GATEWAY] [SEGMENT]
//
// Needs @azure/cognitiveservices-personalizer and @azure/ms-rest-js: npm ci

import { strict as assert } from 'node:assert';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url); // finds libraries under NODE_PATH too
const { PersonalizerClient } = require('@azure/cognitiveservices-personalizer');
const { ApiKeyCredentials } = require('@azure/ms-rest-js');

const [url = 'http://127.0.0.1:8080', segment = 'offers'] = process.argv.slice(2);
const inHeader = { 'Ocp-Apim-Subscription-Key': 'TOKEN', 'Equipoise-Segment': segment };
const client = new PersonalizerClient(new ApiKeyCredentials({ inHeader }), url);
const actions = ['small', 'standard', 'large'].map((size) => ({ id: `offer=${size}`, features: [] }));
const rank = (eventId, more = {}) =>
  client.rank({ eventId, contextFeatures: [{ gender: 'f' }, { income: 'high' }], actions, ...more });

const eventId = `personalizer-${Date.now()}`;
const first = await rank(eventId);
assert.equal(first.eventId, eventId);
assert.equal(first.ranking.length, 3);
assert.ok(Math.abs(first.ranking.reduce((sum, it) => sum + it.probability, 0) - 1) < 1e-6);
assert.equal((await rank(eventId)).rewardActionId, first.rewardActionId);

await client.events.activate(eventId);
await client.events.reward(eventId, { value: 1 });

const refused = async (call, code) => {
  const error = await call.then(() => assert.fail('not refused'), (it) => it);
  assert.ok(error.message.includes(`problem:${code}`), error.message);
};
await refused(client.events.reward(`${eventId}-unknown`, { value: 1 }), 'SHOWN_ARM_REQUIRED');
await refused(client.events.reward(eventId, { value: 7 }), 'REWARD_OUT_OF_RANGE');
await refused(rank('x'.repeat(129)), 'INVALID_ID');
// The policy of the README chooses among the arms of its spec, so it takes no other set of actions.
await refused(rank(`${eventId}-fewer`, { excludedActions: ['offer=large'] }), 'CANDIDATES_UNSUPPORTED');
console.log(`ranked ${first.rewardActionId} and rewarded ${eventId}`);
