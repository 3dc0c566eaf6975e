// Numbers, times and names as text.

const LOCALE = 'en-US';
const NONE = '–';

const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const fixed = [0, 1, 2, 3, 4].map(
  (digits) => new Intl.NumberFormat(LOCALE, { minimumFractionDigits: digits, maximumFractionDigits: digits }));
const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const minute = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const stamp = new Intl.DateTimeFormat(LOCALE, {
  year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23'
});

const missing = (value) => value === null || value === undefined || !Number.isFinite(value);

/** A count, with thousands separated. */
export const count = (value) => (missing(value) ? NONE : whole.format(value));

/** Smaller sizes are what rounding left of 0. */
const LEAST = 1e-9;

/** Digits after the point, or a power of ten where these would be zeros. A minus sign, never a hyphen. */
const digitsOf = (value, digits) => {
  const size = Math.abs(value);
  const isSmall = size >= LEAST && size < 0.5 * 10 ** -digits;
  return withMinus(isSmall ? value.toExponential(1) : fixed[digits].format(value));
};

/** A number with a fixed count of digits after the point, never 0 if it is not. */
export const number = (value, digits = 3) => (missing(value) ? NONE : digitsOf(value, digits));

/** A number with its sign: +0.02 or −0.02. */
export const signed = (value, digits = 3) => {
  if (missing(value)) return NONE;
  const text = digitsOf(Math.abs(value), digits);
  if (Math.abs(value) < LEAST) return text;
  return (value < 0 ? '−' : '+') + text;
};

/** A share of 0 to 1 as percent. Never rounds up to 100 % or down to 0 %. */
export const percent = (share, digits = 1) => {
  if (missing(share)) return NONE;
  if (share === 0 || share === 1) return `${share * 100}\u00a0%`;
  const step = 10 ** -digits;
  const value = Math.min(Math.max(share * 100, step), 100 - step);
  return `${fixed[digits].format(value)}\u00a0%`;
};

/** Events a second: more digits for slow streams. */
export const rate = (value) => {
  if (missing(value)) return NONE;
  return value >= 100 || value === 0 ? whole.format(value) : fixed[value >= 10 ? 1 : 2].format(value);
};

export const timeOfDay = (millis) => (missing(millis) ? NONE : clock.format(millis));
export const minuteOfDay = (millis) => minute.format(millis);
export const dateTime = (millis) => (missing(millis) ? NONE : stamp.format(millis));

/** A span of time in its two largest units. */
export const duration = (millis) => {
  if (missing(millis)) return NONE;
  if (millis < 1000) return `${whole.format(millis)} ms`;
  const seconds = millis / 1000;
  if (seconds < 10) return `${fixed[1].format(seconds)} s`;
  if (seconds < 60) return `${whole.format(seconds)} s`;
  const units = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
  const first = units.findIndex(([, size]) => seconds >= size);
  const [name, size] = units[first];
  const large = Math.floor(seconds / size);
  const next = units[first + 1];
  const small = Math.floor((seconds - large * size) / next[1]);
  return small === 0 ? `${large} ${name}` : `${large} ${name} ${small} ${next[0]}`;
};

export const bytes = (value) => {
  if (missing(value)) return NONE;
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = value < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(value) / 3));
  const scaled = value / 1000 ** power;
  return `${fixed[power === 0 || scaled >= 100 ? 0 : 1].format(scaled)} ${units[power]}`;
};

/** Words of the records' enums: CERTIFIED_FAIR becomes "Certified fair". */
export const words = (symbol) => {
  if (!symbol) return NONE;
  const text = symbol.toLowerCase().replaceAll('_', ' ');
  return text[0].toUpperCase() + text.slice(1);
};

export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

// Characters that change how their neighbors are shown, or that are not shown at all.
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/u;

/** Splits a text from data into runs; `code` is set for a character that is not visible by itself. */
export const visibleRuns = (text) => {
  if (!INVISIBLE.test(text)) return [{ text }];
  const runs = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (INVISIBLE.test(text[i])) {
      if (i > start) runs.push({ text: text.slice(start, i) });
      runs.push({ code: text.charCodeAt(i).toString(16).toUpperCase().padStart(4, '0') });
      start = i + 1;
    }
  }
  if (start < text.length) runs.push({ text: text.slice(start) });
  return runs;
};

function withMinus(text) {
  return text.replaceAll('-', '−');
}
