// A task in rounds: what is done now, what comes later, what was found, and how it was approved.

import { byId, make, whenChanged } from "./dom.js";
import { language, t } from "./messages.js";
import { isOwn, langOf, told } from "./words.js";

const line = (label, text, kind = null) => make("p", { class: kind }, make("b", {}, `${label}: `), text);

// What people have written is English, and what the stack says of it is not.
const english = (text) => make("span", { lang: langOf(text) }, told(text));
// "Later: when it is known what Bob needs: bring it to Bob".
const later = (left) => (isOwn(left) ? told(left)[0].toLowerCase() + told(left).slice(1) : english(left));

export const drawRounds = whenChanged((task) => {
  const { round, text, now, left, found, approved_by: by, earlier, phase } = task;
  const pane = byId("rounds");
  const inRounds = round > 1 || Boolean(left);
  pane.hidden = !inRounds;
  if (!inRounds) return;
  const parts = [make("p", { class: "round-title" }, t("rounds.round", { n: round }))];
  for (const one of earlier) parts.push(line(t("rounds.done", { n: one.round }), english(one.words), "done"));
  if (found.length) {
    parts.push(make("details", { open: phase === "asking" ? "" : null }, make("summary", {}, t("rounds.found", { n: found.length })),
      make("ul", {}, ...found.map((sentence) => make("li", {}, english(sentence))))));
  }
  if (phase === "writing") parts.push(line(t("rounds.now"), t("rounds.writing")));
  else if (phase !== "asking") parts.push(line(t("rounds.now"), english(now || text)));
  if (left) parts.push(line(t("rounds.later"), later(left)));
  if (isOwn(by)) parts.push(line(t("rounds.approval"), told(by)));
  pane.replaceChildren(...parts);
});

const NO_ROUNDS = { round: 1, text: "", now: "", left: "", found: [], approved_by: "", earlier: [], phase: "none" };
export const roundsOf = (now) => (now ? Object.fromEntries(Object.keys(NO_ROUNDS).map((key) => [key, now[key]])) : NO_ROUNDS);

export const drawAsking = whenChanged((asking, question) => {
  byId("say").hidden = !asking;
  byId("say-question").textContent = told(question);
  byId("say-question").lang = langOf(question) ?? language;
  byId("say-error").hidden = true;
  if (!asking) byId("say-words").value = "";
});
