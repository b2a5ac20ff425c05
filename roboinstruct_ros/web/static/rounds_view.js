// A task in rounds: what is done now, what comes later, what was found, and how it was approved.

import { byId, make, whenChanged } from "./dom.js";
import { t } from "./messages.js";

const line = (label, text, kind = null) => make("p", { class: kind }, make("b", {}, `${label}: `), text);

// "When it is known what Bob needs: bring it to Bob", as a person reads it.
function later(left) {
  const known = /^when it is known ([^:]+): (.+)$/i.exec(left);
  return known ? line(t("rounds.later_when", { known: known[1] }), known[2]) : line(t("rounds.later"), left);
}

export const drawRounds = whenChanged((task) => {
  const { round, text, now, left, found, approved_by: by, earlier, phase } = task;
  const pane = byId("rounds");
  const inRounds = round > 1 || Boolean(left);
  pane.hidden = !inRounds;
  if (!inRounds) return;
  const parts = [make("p", { class: "round-title" }, t("rounds.round", { n: round }))];
  for (const one of earlier) parts.push(line(t("rounds.done", { n: one.round }), one.words, "done"));
  if (found.length) {
    parts.push(make("details", { open: phase === "asking" ? "" : null }, make("summary", {}, t("rounds.found", { n: found.length })),
      make("ul", {}, ...found.map((sentence) => make("li", {}, sentence)))));
  }
  if (phase === "writing") parts.push(line(t("rounds.now"), t("rounds.writing")));
  else if (phase !== "asking") parts.push(line(t("rounds.now"), now || text));
  if (left) parts.push(later(left));
  if (by.includes("approved with")) parts.push(line(t("rounds.approval"), by));
  pane.replaceChildren(...parts);
});

const NO_ROUNDS = { round: 1, text: "", now: "", left: "", found: [], approved_by: "", earlier: [], phase: "none" };
export const roundsOf = (now) => (now ? Object.fromEntries(Object.keys(NO_ROUNDS).map((key) => [key, now[key]])) : NO_ROUNDS);

export const drawAsking = whenChanged((asking, question) => {
  byId("say").hidden = !asking;
  byId("say-question").textContent = question;
  byId("say-error").hidden = true;
  if (!asking) byId("say-words").value = "";
});
