'use strict';
// A client of the Equipoise gateway: decisions and rewards over HTTP. equipoise.d.ts documents the methods.
//
// The client creates the decision id and the event time before the first try. So a retry asks for the same decision, and a
// repeated reward counts once.

const { randomUUID } = require('node:crypto');
const { setTimeout: sleep } = require('node:timers/promises');

const RETRIED = new Set([429, 500, 502, 503, 504]);
const UNPAIRED = /\p{Cs}/u; // a surrogate that is not part of a pair
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;
const ANSWER_SHARE = 0.9; // of the timeout; the rest is for the way of the gateway's answer
const LONGEST_DEADLINE_MS = 30_000; // gateway.max-deadline

class EquipoiseError extends Error {
  constructor(status, code, detail, remedy = '') {
    super(`${code}: ${detail} ${remedy}`.trim());
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
    if (token !== undefined) this.#headers.authorization = `Bearer ${token}`;
    this.#timeoutMs = timeoutMs;
    this.#retries = retries;
  }

  async decide(segment, attributes, options = {}) {
    const request = filled({ segment, attributes, ...options });
    try {
      return decisionOf(request, await this.#call('POST', '/v1/decisions', this.#asked(request)));
    } catch (error) {
      if (error instanceof Unavailable && request.fallback !== undefined) return fallbackOf(request);
      throw error;
    }
  }

  async decideBatch(requests) {
    if (requests.length === 0) return [];
    const all = requests.map(filled);
    try {
      const { decisions } = await this.#call('POST', '/v1/decisions:batch', { decisions: all.map((each) => this.#asked(each)) });
      return decisions.map((answer, at) => decisionOrError(all[at], answer));
    } catch (error) {
      if (error instanceof Unavailable && all.every((each) => each.fallback !== undefined)) return all.map(fallbackOf);
      throw error;
    }
  }

  async recent(segment, decisionId) {
    const path = `/v1/decisions/${encodeURIComponent(decisionId)}?segment=${encodeURIComponent(segment)}`;
    return decisionOf({ segment }, await this.#call('GET', path));
  }

  async reward(decision, value, options = {}) {
    await this.#call('POST', '/v1/rewards', givenOf({ decision, value, ...options }));
  }

  async rewardBatch(rewards) {
    if (rewards.length === 0) return [];
    const answer = await this.#call('POST', '/v1/rewards:batch', { rewards: rewards.map(givenOf) });
    return answer.rewards.map(({ problem }) => (problem === undefined ? null : problemOf(problem.status, problem)));
  }

  async shown({ segment, decisionId, arm }, { eventTime } = {}) {
    await this.#call('POST', `/v1/decisions/${encodeURIComponent(decisionId)}/shown`, { segment, shownArm: arm ?? undefined, eventTime });
  }

  async segments() {
    return (await this.#call('GET', '/v1/segments')).segments;
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

  // Returns the decoded answer; retries until the timeout.
  async #call(method, path, body) {
    const payload = body === undefined ? undefined : JSON.stringify(body, sendable);
    const end = performance.now() + this.#timeoutMs;
    for (let tries = 0, longest = FIRST_PAUSE_MS; ; tries++, longest = Math.min(2 * longest, LONGEST_PAUSE_MS)) {
      let pause = longest * (0.5 + Math.random() / 2);
      let failure;
      try {
        const { status, retryAfterMs, text } = await this.#exchange(method, path, payload, end);
        if (status < 300) return text === '' ? undefined : JSON.parse(text);
        failure = errorOf(status, text);
        pause = Math.max(pause, retryAfterMs);
      } catch (problem) {
        failure = new EquipoiseError(0, 'UNAVAILABLE', String(problem.cause?.message ?? problem.message));
      }
      if (failure.status !== 0 && !RETRIED.has(failure.status)) throw failure;
      if (tries >= this.#retries || performance.now() + pause >= end) {
        const detail = `no answer of ${this.#url} to ${method} ${path} after ${tries + 1} tries; last: ${failure.message}`;
        throw new Unavailable(failure.status, failure.code, detail, failure.remedy);
      }
      await sleep(pause);
    }
  }

  async #exchange(method, path, payload, end) {
    const headers = payload === undefined ? this.#headers : { ...this.#headers, 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(end - performance.now())));
    const response = await fetch(this.#url + path, { method, headers, body: payload, signal, redirect: 'error' });
    const text = await response.text();
    const retryAfter = response.headers.get('retry-after') ?? '';
    return { status: response.status, retryAfterMs: /^\d+$/.test(retryAfter) ? 1000 * Number(retryAfter) : 0, text };
  }
}

// JSON.stringify would write null, which means "undisclosed", and several unpaired surrogates would be one id on the topics.
function sendable(name, value) {
  if (UNPAIRED.test(name) || (typeof value === 'string' && UNPAIRED.test(value))) {
    throw new RangeError('a text has an unpaired surrogate, and so no UTF-8 form; send whole characters only');
  }
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

function decisionOf({ segment, fallback }, answer) {
  const isFallback = answer.reason === 'DEADLINE_EXCEEDED';
  return {
    segment,
    decisionId: answer.decisionId,
    arm: isFallback && fallback !== undefined ? fallback : answer.arm ?? null,
    reason: answer.reason,
    propensities: Object.fromEntries((answer.candidates ?? []).map(({ arm, propensity }) => [arm, propensity])),
    specVersion: answer.specVersion ?? null,
    fairness: answer.fairness ?? null,
    isFallback,
  };
}

function decisionOrError(request, answer) {
  const { problem } = answer;
  if (problem === undefined) return decisionOf(request, answer);
  if (RETRIED.has(problem.status) && request.fallback !== undefined) return fallbackOf(request);
  return problemOf(problem.status, problem);
}

function errorOf(status, text) {
  try {
    return problemOf(status, JSON.parse(text));
  } catch {
    return problemOf(status, {});
  }
}

function problemOf(status, { code, detail, title, remedy }) {
  return new EquipoiseError(status, code ?? `HTTP_${status}`, detail ?? title ?? `status ${status} without a problem document`, remedy);
}

module.exports = { Client, EquipoiseError, Unavailable };
