'use strict';
// A client of the Equipoise gateway: decisions and rewards over HTTP. equipoise.d.ts documents the methods.
//
// The client creates the decision id and the event time before the first try. So a retry asks for the same decision, and a
// repeated reward counts once. An answer that the gateway does not document, and one beyond 128 MiB, counts as a connection failure.

const { randomUUID } = require('node:crypto');
const { setTimeout: sleep } = require('node:timers/promises');

const RETRIED = new Set([429, 500, 502, 503, 504]);
const UNPAIRED = /\p{Cs}/u; // a surrogate that is not part of a pair
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const UNCONNECTED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT']);
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;
const ANSWER_SHARE = 0.9; // of the timeout; the rest is for the way of the gateway's answer
const LONGEST_DEADLINE_MS = 30_000; // gateway.max-deadline
const FIRST_PROBLEM = 400;
const LARGEST_ANSWER = 128 * 1024 * 1024; // above those of a gateway with its default options: 100 decisions among 10,000 arms

class EquipoiseError extends Error {
  constructor(status, code, detail, remedy = '') {
    const stop = detail === '' || remedy === '' ? '' : /[.!?]$/.test(detail) ? ' ' : '. ';
    super(`${code}: ${detail}${stop}${remedy}`);
    this.name = new.target.name;
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.remedy = remedy;
  }
}

class Unavailable extends EquipoiseError {}

class Client {
  #url;
  #headers;
  #timeoutMs;
  #retries;

  constructor(url = 'http://127.0.0.1:8080', { token, timeoutMs = 2000, retries = 3 } = {}) {
    if (!/^https?:\/\/[^/]/.test(url)) throw new TypeError(`url ${url} must be http://HOST[:PORT] or https://HOST[:PORT]`);
    if (!(timeoutMs > 0) || !(retries >= 0)) {
      throw new RangeError(`timeoutMs ${timeoutMs} must be above 0 and retries ${retries} at least 0`);
    }
    this.#url = url.replace(/\/+$/, '');
    this.#headers = { accept: 'application/json, application/problem+json' };
    if (token !== undefined && token !== null) {
      checkToken(token);
      this.#headers.authorization = `Bearer ${token}`;
    }
    this.#timeoutMs = timeoutMs;
    this.#retries = retries;
  }

  async decide(segment, attributes, options = {}) {
    const request = filled({ segment, attributes, ...options });
    try {
      return await this.#call((answer) => decisionOf(request, answer), 'POST', '/v1/decisions', this.#asked(request));
    } catch (error) {
      if (error instanceof Unavailable && request.fallback !== undefined) return fallbackOf(request);
      throw error;
    }
  }

  async decideBatch(requests) {
    if (requests.length === 0) return [];
    const all = requests.map(filled);
    try {
      const body = { decisions: all.map((each) => this.#asked(each)) };
      return await this.#call((answer) => resultsOf(all, answer), 'POST', '/v1/decisions:batch', body);
    } catch (error) {
      if (error instanceof Unavailable && all.every((each) => each.fallback !== undefined)) return all.map(fallbackOf);
      throw error;
    }
  }

  async recent(segment, decisionId) {
    const path = `/v1/decisions/${quoted(decisionId)}?segment=${quoted(segment)}`;
    return this.#call((answer) => decisionOf({ segment, decisionId }, answer), 'GET', path);
  }

  async reward(decision, value, options = {}) {
    const given = givenOf({ decision, value, ...options });
    await this.#call((answer) => checkDecisionId(answer, decision.decisionId), 'POST', '/v1/rewards', given, 202);
  }

  async rewardBatch(rewards) {
    if (rewards.length === 0) return [];
    const read = (answer) => recordsOf(answer, 'rewards', rewards.length).map(problemIn);
    return this.#call(read, 'POST', '/v1/rewards:batch', { rewards: rewards.map(givenOf) }, 202);
  }

  async shown({ segment, decisionId, arm }, { eventTime } = {}) {
    const path = `/v1/decisions/${quoted(decisionId)}/shown`;
    const read = (answer) => documented(isRecord(answer), 'it is no object');
    await this.#call(read, 'POST', path, { segment, shownArm: arm ?? undefined, eventTime }, 202);
  }

  async segments() {
    return this.#call((answer) => recordsOf(answer, 'segments'), 'GET', '/v1/segments');
  }

  #asked({ segment, decisionId, eventTime, attributes, candidates, fairness }) {
    return {
      segment,
      decisionId,
      eventTime,
      attributes,
      candidates: candidates?.map((each) => ({ name: each.arm, attributes: each.attributes ?? {} })),
      deadlineMs: Math.min(Math.max(1, Math.floor(this.#timeoutMs * ANSWER_SHARE)), LONGEST_DEADLINE_MS),
      fairness: fairness ? true : undefined,
    };
  }

  // Returns the answer as `read` understands it; retries until the timeout. `read` throws if it is not the documented one, which is no answer.
  async #call(read, method, path, body, documentedStatus = 200) {
    const payload = body === undefined ? undefined : JSON.stringify(body, sendable);
    const end = performance.now() + this.#timeoutMs;
    for (let tries = 0, longest = FIRST_PAUSE_MS; ; tries++, longest = Math.min(2 * longest, LONGEST_PAUSE_MS)) {
      let pause = longest * (0.5 + Math.random() / 2);
      let failure;
      try {
        const { status, retryAfterMs, text } = await this.#exchange(method, path, payload, end);
        if (status < FIRST_PROBLEM) {
          documented(status === documentedStatus, `its status is ${status}, not ${documentedStatus}`);
          return read(jsonOf(text));
        }
        failure = errorOf(status, text);
        pause = Math.max(pause, retryAfterMs);
      } catch (problem) {
        failure = new EquipoiseError(0, 'UNAVAILABLE', wordsOf(problem));
      }
      if (failure.status !== 0 && !RETRIED.has(failure.status)) throw failure;
      if (tries >= this.#retries || performance.now() + pause >= end) {
        const count = tries === 0 ? '1 try' : `${tries + 1} tries`;
        const detail = `no answer of ${this.#url} to ${method} ${path} after ${count}; last: ${failure.detail}`;
        throw new Unavailable(failure.status, failure.code, detail, failure.remedy);
      }
      await sleep(pause);
    }
  }

  async #exchange(method, path, payload, end) {
    const headers = payload === undefined ? this.#headers : { ...this.#headers, 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(end - performance.now())));
    const response = await fetch(this.#url + path, { method, headers, body: payload, signal, redirect: 'manual' });
    const text = await textOf(response);
    const retryAfter = response.headers.get('retry-after') ?? '';
    return { status: response.status, retryAfterMs: /^\d+$/.test(retryAfter) ? 1000 * Number(retryAfter) : 0, text };
  }
}

// The messages have no character of the token, which is a secret.
function checkToken(token) {
  if (typeof token !== 'string') throw new TypeError('the token is no text; decode what you read from a file');
  if (token === '') throw new RangeError('the token is empty; leave it out if the gateway has no tokens');
  const at = token.search(/[^!-~]/);
  if (at >= 0) {
    const fault = `the token has at place ${at + 1} a blank, a line end or another character that no token has`;
    throw new RangeError(`${fault}; strip what you read from a file`);
  }
}

// Names a failure in the words of all clients, where fetch has codes.
function wordsOf(problem) {
  const cause = problem.cause ?? problem;
  if (problem.name === 'TimeoutError' || cause.name === 'TimeoutError') return 'the timeout is over';
  if (cause.syscall === 'getaddrinfo') return 'the host name has no address';
  if (CLOSED.has(cause.code)) return 'the connection was closed before the whole answer';
  if (UNCONNECTED.has(cause.code)) return 'no connection';
  if (/^EPROTO|^ERR_(SSL|TLS)|CERT|VERIFY/.test(cause.code)) return `no TLS connection: ${cause.reason ?? cause.message}`;
  if (String(cause.code).startsWith('HPE_')) return 'the answer is no HTTP';
  return String(cause.message || problem.message);
}

function checkUtf8(text) {
  if (UNPAIRED.test(text)) throw new RangeError('a text has an unpaired surrogate, and so no UTF-8 form; send whole characters only');
}

function quoted(text) {
  checkUtf8(text);
  return encodeURIComponent(text);
}

// JSON.stringify would write null, which means "undisclosed", and several unpaired surrogates would be one id on the topics.
function sendable(name, value) {
  checkUtf8(name);
  if (typeof value === 'string') checkUtf8(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${name} is ${value}; send finite numbers only`);
  return value;
}

// Returns the request with an id and a time, which every try repeats.
function filled(request) {
  return {
    ...request,
    decisionId: request.decisionId ?? randomUUID().replaceAll('-', ''),
    eventTime: request.eventTime ?? Date.now(),
    fallback: request.fallback ?? undefined,
  };
}

function givenOf({ decision, value, mediators, rewardId, eventTime }) {
  return {
    segment: decision.segment,
    decisionId: decision.decisionId,
    value,
    eventTime: eventTime ?? Date.now(),
    shownArm: decision.arm ?? undefined,
    mediators,
    rewardId,
  };
}

function fallbackOf({ segment, decisionId, fallback }) {
  return { segment, decisionId, arm: fallback, reason: 'UNAVAILABLE', propensities: {}, specVersion: null, fairness: null, isFallback: true };
}

async function textOf(response) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > LARGEST_ANSWER) throw new Error(`the answer is longer than ${LARGEST_ANSWER / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function documented(isDocumented, fault) {
  if (!isDocumented) throw new Error(`the answer is not the documented one: ${fault}`);
}

function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch (problem) {
    throw new Error(`the answer is not the documented one: it is no JSON, ${problem.message}`);
  }
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function recordsOf(answer, name, count) {
  const records = answer?.[name];
  const isList = Array.isArray(records) && records.every(isRecord);
  documented(isList && (count ?? records.length) === records.length, `${name} is not a list of ${count ?? ''} objects`);
  return records;
}

function checkDecisionId(answer, asked) {
  documented(isRecord(answer) && answer.decisionId === asked, `decisionId is ${answer?.decisionId}, not ${asked}`);
}

function decisionOf({ segment, decisionId, fallback }, answer) {
  checkDecisionId(answer, decisionId);
  const { arm, reason, specVersion = null } = answer;
  documented(arm === null || typeof arm === 'string', 'arm is neither a text nor null');
  documented(typeof reason === 'string', 'reason is no text');
  documented(specVersion === null || Number.isInteger(specVersion), 'specVersion is neither a whole number nor null');
  const candidates = 'candidates' in answer ? recordsOf(answer, 'candidates') : [];
  const areWhole = candidates.every((each) => typeof each.arm === 'string' && typeof each.propensity === 'number');
  documented(areWhole, 'a candidate has no arm or no propensity');
  const isFallback = reason === 'DEADLINE_EXCEEDED';
  return {
    segment,
    decisionId,
    arm: isFallback && fallback !== undefined ? fallback : arm,
    reason,
    propensities: Object.fromEntries(candidates.map(({ arm, propensity }) => [arm, propensity])),
    specVersion,
    fairness: 'fairness' in answer ? recordsOf(answer, 'fairness') : null,
    isFallback,
  };
}

function resultsOf(requests, answer) {
  return recordsOf(answer, 'decisions', requests.length).map((each, at) => resultOf(requests[at], each));
}

function resultOf(request, answer) {
  const problem = problemIn(answer);
  if (problem === null) return decisionOf(request, answer);
  return RETRIED.has(problem.status) && request.fallback !== undefined ? fallbackOf(request) : problem;
}

function problemIn(answer) {
  if (!('problem' in answer)) return null;
  const { problem } = answer;
  documented(isRecord(problem) && Number.isInteger(problem.status), 'a problem has no status');
  return problemOf(problem.status, problem);
}

function errorOf(status, text) {
  try {
    return problemOf(status, JSON.parse(text));
  } catch {
    return problemOf(status, {});
  }
}

function problemOf(status, problem) {
  const textOrNone = (value) => (typeof value === 'string' ? value : undefined);
  const [code, detail, title, remedy] = [problem.code, problem.detail, problem.title, problem.remedy].map(textOrNone);
  return new EquipoiseError(status, code ?? `HTTP_${status}`, detail ?? title ?? `status ${status} without a problem document`, remedy);
}

module.exports = { Client, EquipoiseError, Unavailable };
