// What outlives this session: tasks to be run again, runs to be looked at, and what to type.

import { API } from "./connection.js";
import { byId, make, whenChanged } from "./dom.js";
import { day, t } from "./messages.js";
import { notice } from "./notices.js";
import { capital, langOf, searched, seconds, shortPhase, told } from "./words.js";

const MOST_SUGGESTED = 4;
const WORDS_OF_A_NAME = 4;
const UNDO_MS = 7000;

let act = { again() {}, replay() {}, forget() {}, redraw() {}, mark() {}, duplicate() {}, schedule() {} };
export const armKept = (actions) => { act = actions; };

const deleted = new Set(); // on this page; the server hears of it when it can be undone no more
let opened = ""; // the row whose tools are out

export const drawKept = (kept, shown, enabled, words) => {
  const seen = new Set(shown), fits = searched(words);
  const fitting = kept.filter((one) => !deleted.has(one.id) && fits(one.words));
  redraw(fitting.filter((one) => one.favourite), fitting.filter((one) => !one.favourite && !seen.has(one.id)), enabled, opened);
};

const redraw = whenChanged((favourites, earlier, enabled) => keepingFocus(() => {
  drawList("favourites", favourites, enabled);
  drawList("kept", earlier, enabled);
  byId("session-title").hidden = !favourites.length;
}));

// A tool that was drawn anew, maybe in another list, has the focus again.
export function keepingFocus(redrawn) {
  const [kind, , id] = document.activeElement?.dataset?.tool?.split(" ") ?? [];
  redrawn();
  if (!kind || document.activeElement !== document.body) return;
  [...document.querySelectorAll("[data-tool]")].find(({ dataset }) => dataset.tool.startsWith(`${kind} `) && dataset.tool.endsWith(` ${id}`))?.focus();
}

function drawList(list, tasks, enabled) {
  byId(`${list}-title`).hidden = !tasks.length;
  byId(list).replaceChildren(...tasks.map((one) => make("li", {},
    make("button", { type: "button", disabled: !enabled, title: t("kept.show"), onclick: () => act.again(one.id) },
      make("span", { class: "words", lang: "en" }, one.words),
      make("span", { class: "outcome", "data-tone": one.succeeded ? "good" : "" }, one.succeeded ? t("kept.done", { n: one.succeeded }) : "")),
    ...tools(one, list, enabled))));
}

// Star and more, for a row of a task that is kept.
export function tools(one, list, enabled) {
  const { id, words, favourite, succeeded } = one;
  const row = `${list} ${id}`;
  const out = opened === row;
  const small = (text, label, onclick, more = {}) => make("button", { class: "small", type: "button", "aria-label": t("kept.tool", { what: label, words }), onclick, ...more }, text);
  return [
    small(favourite ? "★" : "☆", t("kept.favourite"), () => act.mark(id, !favourite), { "aria-pressed": String(favourite), "data-tool": `star ${row}` }),
    small("⋯", t("kept.more"), () => { opened = out ? "" : row; act.redraw(); }, { "aria-expanded": String(out), "data-tool": `more ${row}` }),
    out ? make("div", { class: "tools", role: "group", "aria-label": t("kept.with", { words }) },
      small(t("kept.duplicate"), t("kept.duplicate"), () => act.duplicate(words)),
      succeeded ? small(t("kept.at_a_time"), t("schedule.later_title"), () => act.schedule(id), { disabled: !enabled }) : null,
      make("a", { class: "small", href: `${API}/library/${encodeURIComponent(id)}/file`, download: "robot-task.json", "aria-label": t("kept.tool", { what: t("kept.share"), words }) }, t("kept.share")),
      small(t("kept.delete"), t("kept.delete"), () => forget(id, words))) : null,
  ];
}
export const openedRow = () => opened;

function forget(id, words) {
  deleted.add(id);
  act.redraw();
  const bringBack = () => {
    deleted.delete(id);
    act.redraw();
  };
  const timer = setTimeout(async () => { if (!await act.forget(id)) bringBack(); }, UNDO_MS);
  notice(t("kept.deleted", { words }), t("kept.undo"), UNDO_MS, () => {
    clearTimeout(timer);
    bringBack();
  });
}

export const drawRuns = whenChanged((runs, attempts) => {
  const rows = [...runs.map((one) => [one.begun, runRow(one)]), ...attempts.map((one) => [one.created, attemptRow(one)])];
  byId("runs-title").hidden = !rows.length;
  byId("runs").replaceChildren(...rows.sort(([a], [b]) => b - a).map(([, row]) => row));
});

const runRow = ({ name, words, begun, duration, outcome, why, phrase }) => make("li", {},
  make("button", { type: "button", title: told(why, phrase) || t("kept.replay"), onclick: () => act.replay(name) },
    make("span", { class: "words" }, make("span", { lang: "en" }, words), " ", make("span", { class: "when" }, day(begun))),
    make("span", { class: "outcome", "data-tone": outcome === "succeeded" ? "good" : "bad" }, `${outcome ? shortPhase(outcome) : t("replay.cut_off")} ${seconds(duration)}`)),
  make("a", { class: "small", href: `${API}/runs/${encodeURIComponent(name)}/bag`, download: true, "aria-label": t("kept.bag_name", { words }) }, t("kept.bag")));

const attemptRow = ({ words, created, outcome, why, phrase }) => make("li", { class: "attempt" },
  make("p", { class: "words" }, make("span", { lang: "en" }, words), " ", make("span", { class: "when" }, day(created))),
  make("span", { class: "outcome", "data-tone": "bad" }, t(`attempt.${outcome}`)),
  make("p", { class: "why", lang: langOf(why, phrase) }, capital(told(why, phrase))));


// The words with their end, as far as a name of the map begins with it, made that name.
function completed(typed, names) {
  const words = [...typed.matchAll(/\S+/g)].slice(-WORDS_OF_A_NAME);
  for (const { index } of words) {
    const end = typed.slice(index).toLowerCase();
    const fitting = names.filter((name) => name.length > end.length && name.toLowerCase().startsWith(end));
    if (end.length > 1 && fitting.length) return fitting.map((name) => typed.slice(0, index) + name);
  }
  return [];
}

// What somebody may mean who has typed this, by the map's names and what was asked before; the examples where nothing fits.
export function suggested(typed, examples, kept, names) {
  if (!typed || examples.includes(typed)) return examples;
  const known = [...new Set([...kept.map((one) => one.words), ...examples])];
  const hasAll = searched(typed);
  const fits = (text) => text !== typed && hasAll(text);
  const fitting = [...completed(typed, names), ...known.filter(fits)].slice(0, MOST_SUGGESTED);
  return fitting.length ? fitting : examples;
}
