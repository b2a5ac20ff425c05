// What outlives this session: tasks to be run again, runs to be looked at, and what to type.

import { API } from "./connection.js";
import { byId, make, whenChanged } from "./dom.js";
import { day, t } from "./messages.js";
import { notice } from "./notices.js";
import { seconds, shortPhase } from "./words.js";

const MOST_SUGGESTED = 4;
const UNDO_MS = 7000;

let act = { again() {}, replay() {}, forget() {}, redraw() {} };
export const armKept = (actions) => { act = actions; };

const deleted = new Set(); // on this page; the server hears of it when it can be undone no more

export const drawKept = (kept, shown, enabled, words) => {
  const seen = new Set(shown);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (one) => wanted.every((word) => one.words.toLowerCase().includes(word));
  redraw(kept.filter((one) => !seen.has(one.id) && !deleted.has(one.id) && fits(one)), enabled);
};

const redraw = whenChanged((earlier, enabled) => {
  byId("kept-title").hidden = !earlier.length;
  byId("kept").replaceChildren(...earlier.map(({ id, words, succeeded }) => make("li", {},
    make("button", { type: "button", disabled: !enabled, title: t("kept.show"), onclick: () => act.again(id) },
      make("span", { class: "words", lang: "en" }, words),
      make("span", { class: "outcome", "data-tone": succeeded ? "good" : "" }, succeeded ? t("kept.done", { n: succeeded }) : "")),
    make("a", { class: "small", href: `${API}/library/${encodeURIComponent(id)}/file`, download: "robot-task.json", "aria-label": t("kept.share_name", { words }) }, t("kept.share")),
    make("button", { class: "small", type: "button", "aria-label": t("kept.delete_name", { words }), onclick: () => forget(id, words) }, t("kept.delete")))));
});

function forget(id, words) {
  deleted.add(id);
  act.redraw();
  const timer = setTimeout(() => act.forget(id), UNDO_MS);
  notice(t("kept.deleted", { words }), t("kept.undo"), UNDO_MS, () => {
    clearTimeout(timer);
    deleted.delete(id);
    act.redraw();
  });
}

export const drawRuns = whenChanged((runs) => {
  byId("runs-title").hidden = !runs.length;
  byId("runs").replaceChildren(...runs.map(({ name, words, begun, duration, outcome, why }) => make("li", {},
    make("button", { type: "button", title: why || t("kept.replay"), onclick: () => act.replay(name) },
      make("span", { class: "words" }, make("span", { lang: "en" }, words), " ", make("span", { class: "when" }, day(begun))),
      make("span", { class: "outcome", "data-tone": outcome === "succeeded" ? "good" : "bad" }, `${outcome ? shortPhase(outcome) : t("replay.cut_off")} ${seconds(duration)}`)),
    make("a", { class: "small", href: `${API}/runs/${encodeURIComponent(name)}/bag`, download: true, "aria-label": t("kept.bag_name", { words }) }, t("kept.bag")))));
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
