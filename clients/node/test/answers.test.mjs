// An answer that no gateway gives is no answer. The same cases are in the tests of the other clients.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';

import { Client, EquipoiseError, Unavailable } from '../equipoise.mjs';
import { handling } from './servers.mjs';

const DECIDED = { decisionId: 'd-1', segment: 'offers', arm: 'offer=small', reason: 'EXPLOIT' };
const SHOWN = { segment: 'offers', decisionId: 'd-1', arm: 'a' };
const ASKED = { segment: 'offers', attributes: {}, decisionId: 'd-1' };
const NO_RECORDS = ['', "''", '""', 'null', '[]'];
const DEEP = '['.repeat(100_000);

function without(name) {
  const { [name]: _, ...rest } = DECIDED;
  return rest;
}

const OTHER_DECISIONS = [
  {},
  without('decisionId'),
  without('arm'),
  without('reason'),
  { ...DECIDED, decisionId: 'd-2' },
  { ...DECIDED, arm: 1 },
  { ...DECIDED, specVersion: 'x' },
  { ...DECIDED, candidates: [1] },
  { ...DECIDED, fairness: null },
  { ...DECIDED, fairness: ['x'] },
].map((each) => JSON.stringify(each));

async function against(handler, work, timeoutMs = 30_000) {
  const server = await handling((request, response) => {
    request.resume();
    handler(response);
  });
  try {
    await work(new Client(server.url, { timeoutMs, retries: 0 }));
  } finally {
    server.close();
  }
}

function answering(status, body, work) {
  return against((response) => response.writeHead(status, { location: '/' }).end(body), work);
}

function assertUnavailable(call, part = /./) {
  return assert.rejects(call, (error) => {
    assert.ok(error instanceof Unavailable, String(error));
    assert.deepEqual([error.status, error.code], [0, 'UNAVAILABLE']);
    assert.match(error.message, part);
    return true;
  });
}

async function assertFallback(client) {
  const decision = await client.decide('offers', {}, { decisionId: 'd-1', fallback: 'a' });
  assert.deepEqual([decision.arm, decision.reason, decision.isFallback], ['a', 'UNAVAILABLE', true]);
  await assertUnavailable(client.decide('offers', {}, { decisionId: 'd-1' }));
}

test('every call ends within the timeout though the body does not', () =>
  against(
    (response) => response.writeHead(200, { 'content-length': 100 }).write(' '),
    async (client) => {
      await assertFallback(client);
      await assertUnavailable(client.decideBatch([ASKED]), /last: the timeout is over$/);
      await assertUnavailable(client.reward(SHOWN, 1), /last: the timeout is over$/);
      await assertUnavailable(client.shown(SHOWN), /last: the timeout is over$/);
    },
    300,
  ));

test('an answer that is not whole is named in words', async () => {
  const closed = 'the connection was closed before the whole answer';
  for (const [text, words] of [
    ['HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n{', closed],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{', closed],
    ['HTTP/1.1 200', closed],
    ['SSH-2.0-OpenSSH\r\n', 'the answer is no HTTP'],
  ]) {
    await against(
      (response) => response.socket.end(text),
      (client) => assertUnavailable(client.decide('offers', {}), new RegExp(`; last: ${words}$`)),
    );
  }
});

test('a server without TLS is named in words', async () => {
  const plain = createServer((connection) => connection.on('error', () => {}).once('data', () => connection.end('HTTP/1.1 400 Bad\r\n\r\n')));
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  try {
    const client = new Client(`https://127.0.0.1:${plain.address().port}`, { timeoutMs: 30_000, retries: 0 });
    await assertUnavailable(client.decide('offers', {}), /; last: no TLS connection: [a-z]/);
  } finally {
    plain.close();
  }
});

test('an answer is read up to its limit', () =>
  against(
    async (response) => {
      for (let mebibytes = 0; mebibytes <= 128 && !response.destroyed; mebibytes++) {
        if (!response.write(' '.repeat(1 << 20))) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      }
      response.end(JSON.stringify(DECIDED));
    },
    (client) => assertUnavailable(client.decide('offers', {}, { decisionId: 'd-1' }), /128 MiB/),
    300_000,
  ));

test('another answer than a decision is the fallback', async () => {
  for (const body of [...NO_RECORDS, DEEP, ...OTHER_DECISIONS]) await answering(200, body, assertFallback);
});

test('another status than the documented one is the fallback', async () => {
  for (const status of [202, 302]) await answering(status, JSON.stringify(DECIDED), assertFallback);
});

test('a problem that is none is a rejection still', async () => {
  for (const body of [...NO_RECORDS, DEEP]) {
    await answering(422, body, (client) =>
      assert.rejects(client.decide('offers', {}, { fallback: 'a' }), (error) => {
        assert.ok(error instanceof EquipoiseError && !(error instanceof Unavailable), String(error));
        assert.equal(error.code, 'HTTP_422');
        return true;
      }),
    );
  }
});

test('a batch with other results is all fallbacks', async () => {
  for (const body of ['[]', '{}', '{"decisions":[]}', '{"decisions":[1]}', '{"decisions":[{"problem":1}]}', '{"decisions":[{}]}']) {
    await answering(200, body, async (client) => {
      const [first] = await client.decideBatch([{ ...ASKED, fallback: 'a' }]);
      assert.ok(first?.isFallback, body);
      await assertUnavailable(client.decideBatch([ASKED]));
    });
  }
});

test('a reward is accepted by its documented answer only', async () => {
  const accepted = '{"segment":"offers","decisionId":"d-1"}';
  const others = [[200, accepted], [202, accepted.replace('d-1', 'd-2')], [202, '{}'], ...NO_RECORDS.map((body) => [202, body])];
  for (const [status, body] of others) await answering(status, body, (client) => assertUnavailable(client.reward(SHOWN, 1)));
});

test('rewards are accepted by as many results only', async () => {
  for (const body of ['[]', '{}', '{"rewards":[]}', '{"rewards":[1]}', '{"rewards":[{"problem":1}]}']) {
    await answering(202, body, (client) => assertUnavailable(client.rewardBatch([{ decision: SHOWN, value: 1 }])));
  }
});

test('what was shown is accepted by its documented answer only', async () => {
  for (const [status, body] of [[200, '{}'], ...NO_RECORDS.map((text) => [202, text])]) {
    await answering(status, body, (client) => assertUnavailable(client.shown(SHOWN)));
  }
});

test('other answers to reads are errors', async () => {
  for (const body of [...NO_RECORDS, '{}', '{"segments":[1]}']) {
    await answering(200, body, async (client) => {
      await assertUnavailable(client.segments());
      await assertUnavailable(client.recent('offers', 'd-1'));
    });
  }
});
