// Requests to the console's own API: documents, and streams of documents.

import { useEffect, useRef, useState } from './lib.js';

const RETRY_MILLIS = 2000;
const TOKEN = 'equipoise-token';

/** An error that the server explained: RFC 9457. */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? body.title ?? `The console answered with status ${status}.`);
    this.status = status;
    this.code = body.code ?? null;
    this.remedy = body.remedy ?? null;
  }
}

export const setToken = (token) => sessionStorage.setItem(TOKEN, token);
export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;

/** A path of the API with its parameters; null and empty ones are left out. */
export function apiUrl(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== undefined && value !== '') query.set(name, value);
  }
  const text = query.toString();
  return `api/${path}${text && `?${text}`}`;
}

const problemOf = (body) => new Problem(body.status ?? 500, body);

async function request(url, signal, accept = 'application/json') {
  const token = sessionStorage.getItem(TOKEN);
  const headers = { Accept: accept, ...(token && { Authorization: `Bearer ${token}` }) };
  const response = await fetch(url, { headers, signal, cache: 'no-store' });
  if (!response.ok) {
    const body = await response.json().catch(() => ({}));
    throw new Problem(response.status, body);
  }
  return response;
}

export const getJson = async (url, signal) => (await request(url, signal)).json();
export const getBlob = async (url) => (await request(url, undefined, 'text/html')).blob();

/** Reads server-sent events with fetch, which can send a token; EventSource cannot. */
async function readEvents(url, signal, onEvent) {
  const response = await request(url, signal, 'text/event-stream');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    buffer += value.replaceAll('\r', '');
    for (let end = buffer.indexOf('\n\n'); end >= 0; end = buffer.indexOf('\n\n')) {
      const block = buffer.slice(0, end).split('\n');
      buffer = buffer.slice(end + 2);
      const field = (name) => block.filter((line) => line.startsWith(name)).map((line) => line.slice(name.length).trimStart()).join('\n');
      if (field('data:')) onEvent(field('event:'), field('data:'));
    }
  }
}

/**
 * The document at `url` once, or again when `url` changes.
 * Returns {data, error}: both null while it loads.
 */
export function useDocument(url) {
  const [state, setState] = useState({ url, data: null, error: null });
  useEffect(() => {
    if (url === null) return undefined;
    const abort = new AbortController();
    getJson(url, abort.signal).then(
      (data) => setState({ url, data, error: null }),
      (error) => abort.signal.aborted || setState({ url, data: null, error }));
    return () => abort.abort();
  }, [url]);
  return state.url === url ? state : { data: null, error: null };
}

/**
 * A document that follows live: the stream of `view`, which begins with the document and sends it again as it changes.
 * Returns {data, error, connection}: `connection` is `connecting`, `live` or `lost`. The newest data stays while a connection is lost.
 * While new parameters load, the data of the earlier ones stay if `keep` is set.
 */
export function useLive(view, parameters, keep = false) {
  const key = JSON.stringify([view, parameters]);
  const [state, setState] = useState({ key, data: null, error: null, connection: 'connecting' });
  const shown = useRef(state);
  shown.current = state;
  useEffect(() => {
    const abort = new AbortController();
    const update = (change) => {
      if (!abort.signal.aborted) {
        const earlier = shown.current.key === key || keep ? shown.current : { data: null };
        shown.current = { error: null, connection: 'live', ...change, key, data: change.data ?? earlier.data };
        setState(shown.current);
      }
    };
    const follow = async () => {
      while (!abort.signal.aborted) {
        try {
          await readEvents(apiUrl('live', { view, ...parameters }), abort.signal, (event, data) => {
            if (event === view) update({ data: JSON.parse(data) });
            if (event === 'problem') throw problemOf(JSON.parse(data));
          });
        } catch (error) {
          if (abort.signal.aborted) return;
          const isFinal = error instanceof Problem && ![404, 429, 503].includes(error.status);
          update({ error, connection: 'lost' });
          if (isFinal) return;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MILLIS));
      }
    };
    follow();
    return () => abort.abort();
  }, [key]);
  if (state.key === key || keep) return state;
  return { data: null, error: null, connection: 'connecting' };
}
