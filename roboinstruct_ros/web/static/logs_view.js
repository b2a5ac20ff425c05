// What happened in the run that is shown, and all tasks of this session.

import { byId, make, whenChanged } from "./dom.js";
import { keepingFocus, tools } from "./kept_view.js";
import { t } from "./messages.js";
import { wholeWords } from "./store.js";
import { answerWords, callWords, errorLine, langOf, searched, seconds, shortPhase, told, TONES } from "./words.js";

const MARKS = { going: "▸", held: "‖", failed: "✕", done: "✓" };
const OPEN = { running: "going", stopping: "going", paused: "held" }; // a call that has not ended

export const drawRun = whenChanged((calls, before, printed, error, phase) => {
  const list = byId("run");
  const rows = calls.map((call) => {
    const open = !call.ended && call.error_code === 0;
    const state = open ? OPEN[phase] ?? "failed" : call.error_code ? "failed" : "done";
    const failed = state === "failed";
    const answer = failed ? told(call.error_msg) : answerWords(call.result);
    const lang = failed ? langOf(call.error_msg) : null;
    return make("li", { class: state },
      make("span", { class: "mark", role: "img", "aria-label": t(`call.${state}`) }, MARKS[state]),
      make("span", {}, callWords(call), answer ? make("span", { class: "answer", lang }, ` ${answer}`) : null),
      call.ended - call.started >= 0.1 ? make("span", { class: "took" }, seconds(call.ended - call.started)) : null);
  });
  if (before) rows.unshift(make("li", { class: "empty" }, t("run.before", { n: before })));
  for (const text of printed) rows.push(make("li", {}, make("span", { class: "mark" }, "›"), make("span", { class: "answer", lang: "en" }, text)));
  if (error && phase !== "writing" && phase !== "ready") {
    rows.push(make("li", { class: "failed" }, make("span", { class: "mark" }, "!"), make("span", {}, errorLine(error.error_name, error.message))));
  }
  if (!rows.length) rows.push(make("li", { class: "empty" }, t("run.empty")));
  list.replaceChildren(...rows);
  byId("run-scroll").scrollTop = byId("run-scroll").scrollHeight;
});

export const drawHistory = (tasks, shown, choose, kept, free, opened, words, fits = searched(words)) => redrawHistory(
  tasks.filter((one) => fits(wholeWords(one))).map((one) => [one.id, wholeWords(one), one.phase, one.duration, one.here, keptOf(one, tasks, kept)]), shown, choose, free, opened, Boolean(words.trim()));

// The library's task, beside the last of its versions here.
const keptOf = (one, tasks, kept) => (one === tasks.findLast((other) => other.version && other.task === one.task)
  ? kept.find(({ id }) => id === one.task) ?? null : null);

let chooseTask = () => {};
const drawRows = whenChanged((tasks, shown, free, opened, searching) => {
  const rows = tasks.reverse().map(([id, text, phase, duration, here, kept]) => {
    const took = duration > 0 ? ` ${seconds(duration)}` : "";
    return make("li", {},
      make("button", { type: "button", "aria-current": id === shown ? "true" : null, onclick: () => chooseTask(id) },
        make("span", { class: "words", lang: text ? "en" : null }, text || (here ? "" : t("tasks.elsewhere"))),
        make("span", { class: "outcome", "data-tone": TONES[phase] }, shortPhase(phase) + took)),
      ...(kept ? tools(kept, "history", free) : []));
  });
  if (!rows.length) rows.push(make("li", { class: "empty" }, t(searching ? "tasks.none_fit" : "tasks.empty")));
  keepingFocus(() => byId("history").replaceChildren(...rows));
});

function redrawHistory(tasks, shown, choose, free, opened, searching) {
  chooseTask = choose;
  drawRows(tasks, shown, free, opened, searching);
}
