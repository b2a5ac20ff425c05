// Tasks that were written before this session: to be run again, and what to type.

import { byId, make, whenChanged } from "./dom.js";

const MOST_SUGGESTED = 4;

let again = () => {};
export const armKept = (chosen) => { again = chosen; };

export const drawKept = whenChanged((kept, shown, enabled) => {
  const seen = new Set(shown);
  const earlier = kept.filter(({ id }) => !seen.has(id));
  byId("kept-title").hidden = !earlier.length;
  byId("kept").replaceChildren(...earlier.map(({ id, words, succeeded }) => make("li", {},
    make("button", { type: "button", disabled: !enabled, title: "Show its program again; nothing moves before you approve it", onclick: () => again(id) },
      make("span", { class: "words" }, words),
      make("span", { class: "outcome", "data-tone": succeeded ? "good" : "" }, succeeded > 1 ? `done ${succeeded} times` : succeeded ? "done" : "")))));
});

// What somebody may mean who has typed this, of what was asked before; the examples where nothing fits.
export function suggested(typed, examples, kept) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return examples;
  if (examples.includes(typed)) return examples;
  const known = [...new Set([...kept.map((one) => one.words), ...examples])];
  const fits = (text) => text !== typed && words.every((word) => text.toLowerCase().includes(word));
  const fitting = known.filter(fits).slice(0, MOST_SUGGESTED);
  return fitting.length ? fitting : examples;
}
