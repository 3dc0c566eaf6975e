// The frame of all pages: header, navigation, theme, and the route in the address's hash.

import { h, Fragment, render, useEffect, useRef, useState } from './lib.js';
import { hasToken, setToken, useDocument } from './api.js';
import { Data, Empty, Icon, link } from './ui.js';
import { count } from './format.js';
import { Overview } from './overview.js';
import { Segment } from './segment.js';
import { DecisionPage } from './decision.js';
import { Health } from './health.js';

const PAGES = {
  '': { title: 'Overview', page: Overview },
  segment: { title: 'Segment', page: Segment },
  decision: { title: 'Decision', page: DecisionPage },
  health: { title: 'Health', page: Health }
};

const NAVIGATION = [['', 'Overview'], ['decision', 'Decisions'], ['health', 'Health']];

function readRoute() {
  const [path, query] = location.hash.replace(/^#\/?/u, '').split('?', 2);
  return { path, parameters: Object.fromEntries(new URLSearchParams(query ?? '')) };
}

function useRoute() {
  const [route, setRoute] = useState(readRoute);
  useEffect(() => {
    const changed = () => setRoute(readRoute());
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return route;
}

/** Changes parameters of the page without a new entry in the history. */
function replaceRoute(path, parameters) {
  history.replaceState(null, '', link(path, parameters));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

const THEMES = { system: ['Follows the system', 'system'], light: ['Light', 'sun'], dark: ['Dark', 'moon'] };

function ThemeButton() {
  const [theme, setTheme] = useState(document.documentElement.dataset.theme ?? 'system');
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(theme) + 1) % names.length];
  const change = () => {
    if (next === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try {
      localStorage.setItem('equipoise-theme', next);
    } catch {
      // The choice then ends with the page.
    }
    setTheme(next);
  };
  const [name, icon] = THEMES[theme];
  return h('button', { type: 'button', class: 'theme-button', onClick: change, 'aria-label': `Theme: ${name}. Change to: ${THEMES[next][0]}`, title: `Theme: ${name}` }, h(Icon, { name: icon }));
}

const STATES = {
  live: ['live', 'Live'],
  connecting: ['waiting', 'Connecting'],
  lost: ['lost', 'Connection lost'],
  catching: ['waiting', 'Catching up'],
  failed: ['lost', 'Not reading']
};

/** Whether the page follows the topics, and how far behind the console is. */
function LiveState({ connection, reader }) {
  let state = connection;
  let detail = '';
  if (connection === 'live' && reader?.state === 'CATCHING_UP') {
    state = 'catching';
    detail = ` · ${count(reader.behind)} records behind`;
  } else if (connection === 'live' && reader && reader.state !== 'LIVE') {
    state = reader.error ? 'failed' : 'catching';
  }
  const [tone, text] = STATES[state];
  return h('span', { class: `live ${tone}`, role: 'status', title: reader?.error ?? undefined }, h('i', { 'aria-hidden': 'true' }), h('span', null, text, h('span', { class: 'live-detail' }, detail)));
}

function TokenForm() {
  const submit = (event) => {
    event.preventDefault();
    setToken(new FormData(event.currentTarget).get('token').trim());
    location.reload();
  };
  return h('form', { class: 'state token-form', onSubmit: submit },
    h('h1', null, 'This console needs a token'),
    h('p', null, hasToken() ? 'The console rejected the token. Enter one with the scope read.' : 'Enter an API token with the scope read. This tab keeps it until you close it.'),
    h('label', { for: 'token' }, 'Token'),
    h('input', { id: 'token', name: 'token', type: 'password', autocomplete: 'off', required: true, spellcheck: false }),
    h('button', { type: 'submit', class: 'primary' }, 'Open the console'));
}

function App() {
  const route = useRoute();
  const info = useDocument('api/info');
  const [live, setLive] = useState({ connection: 'connecting', reader: null });
  const main = useRef(null);
  const known = PAGES[route.path];
  const subject = route.parameters.name ?? route.parameters.id ?? '';
  const place = `${route.path} ${subject}`;
  const first = useRef(place);
  useEffect(() => {
    document.title = `${subject ? `${subject.slice(0, 60)} · ` : ''}${known?.title ?? 'Not found'} · Equipoise`;
    setLive({ connection: 'connecting', reader: null });
    if (first.current !== place) {
      first.current = place;
      scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
  }, [place]);
  const refused = info.error?.status === 401;
  const set = (change) => replaceRoute(route.path, { ...route.parameters, ...change });
  return h(Fragment, null,
    h('a', { class: 'skip', href: '#main', onClick: (event) => { event.preventDefault(); main.current.focus(); } }, 'Skip to the content'),
    h('header', { class: 'top' },
      h('a', { class: 'brand', href: '#/', 'aria-label': 'Equipoise, overview' },
        h('img', { src: 'icon.svg', alt: '', width: 26, height: 26 }), h('span', null, 'Equipoise')),
      info.data && h('span', { class: 'deployment', title: 'Deployment' }, h(Data, { text: info.data.deployment })),
      h('nav', { 'aria-label': 'Pages' }, NAVIGATION.map(([path, name]) => {
        const current = route.path === path || (path === '' && route.path === 'segment');
        return h('a', { key: path, href: `#/${path}`, 'aria-current': current ? (route.path === path && !subject ? 'page' : 'true') : undefined }, name);
      })),
      h('div', { class: 'top-end' }, !refused && h(LiveState, live), h(ThemeButton))),
    h('main', { id: 'main', tabIndex: -1, ref: main },
      refused ? h(TokenForm)
        : known ? h(known.page, { key: place, parameters: route.parameters, set, info: info.data, setLive })
          : h(Empty, { title: 'There is no such page' }, h('a', { href: '#/' }, 'Go to the overview'))),
    info.data && h('footer', { class: 'bottom' },
      h('span', null, 'Equipoise ', info.data.version), h('span', null, info.data.delivery),
      h('span', null, 'sensitive values: ', info.data.privacy.sensitiveValues),
      h('span', null, 'read-only')));
}

render(h(App), document.getElementById('app'));
