// What people read here, in the page's language: the message file that came with the page.

const messages = JSON.parse(document.getElementById("messages").textContent);
export const language = document.documentElement.lang;
const plurals = new Intl.PluralRules(language);
const numbers = new Intl.NumberFormat(language);

// The message of that key, with values at its {placeholders}; where it has forms, the one for the number `n`.
export function t(key, values = {}) {
  const message = messages[key] ?? key;
  const text = typeof message === "string" ? message : message[plurals.select(values.n)] ?? message.other;
  return text.replace(/\{(\w+)\}/g, (place, name) => (name in values ? said(values[name]) : place));
}

// The message of that key, or null where there is none: of a code that this page does not know.
export const known = (key) => (key in messages ? t(key) : null);

// A value as text: a phrase of the server, parts of a text, a number as people here write it, or text as it is.
export function said(value) {
  if (Array.isArray(value)) return value.map(said).join("");
  if (value?.key) return t(value.key, value.values);
  return typeof value === "number" ? numbers.format(value) : String(value ?? "");
}

// A clause as a sentence: first letter large, full stop.
export function sentence(value) {
  const text = said(value).trim();
  return text && text[0].toUpperCase() + text.slice(1) + (/[.?!:]$|[.?!]["“”»]$/.test(text) ? "" : ".");
}

const format = (options) => new Intl.DateTimeFormat(language, options);
const [dayAndTime, timeOnly] = [format({ dateStyle: "medium", timeStyle: "short" }), format({ timeStyle: "short" })];
// Args: stamp, s since the Unix epoch. In the person's time zone.
export const day = (stamp) => dayAndTime.format(stamp * 1000);
export const clock = (stamp) => timeOnly.format(stamp * 1000);

const digits = (most) => new Intl.NumberFormat(language, { minimumFractionDigits: most, maximumFractionDigits: most });
const [whole, tenths] = [digits(0), digits(1)];

// A duration, s: 0.4 ms, 12 ms, 3.2 s, 2 min 5 s.
export function duration(s) {
  if (s < 0.1) return `${(s < 0.01 ? tenths : whole).format(Math.max(s * 1000, 0.1))} ms`;
  if (s < 60) return `${tenths.format(s)} s`;
  const rounded = Math.round(s); // before it is split: 119.7 s is no 1 min 60 s
  return `${whole.format(Math.floor(rounded / 60))} min ${whole.format(rounded % 60)} s`;
}
// A number with one digit behind the point.
export const inTenths = (value) => tenths.format(value);
