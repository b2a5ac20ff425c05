// What several parts of the engineer's page have in common: facts, faults, and the story of a violation.

import { make } from "../dom.js";
import { language, t } from "../messages.js";
import { callWords, answerWords } from "../words.js";

export const facts = (pairs) => make("dl", { class: "facts-list" },
  ...pairs.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, String(value))]));

export const atLine = (line, text) => (line ? t("engineer.at_line", { n: line, text }) : text);

const callTold = (call) => {
  const ended = call.failed ? t("engineer.call_fails", { why: call.failed }) : answerWords(call.result);
  return make("li", {}, t("engineer.at_line", { n: call.line, text: [callWords(call), ended].filter(Boolean).join(" → ") }));
};

// Which call breaks it, and the world in which it does.
export function violationTold(violation) {
  const story = violation.counterexample;
  const steps = story?.steps ?? [];
  return make("li", { class: "violation" },
    make("p", {}, `${atLine(violation.line, violation.message)} (${violation.code})`),
    story?.calls.length ? make("p", { class: "hint" }, t("engineer.calls")) : null,
    story?.calls.length ? make("ol", { class: "numbered" }, ...story.calls.map(callTold)) : null,
    steps.length ? make("p", { class: "hint" }, t("engineer.world")) : null,
    steps.length ? make("ol", { class: "numbered" }, ...steps.map((step) => make("li", {}, step))) : null);
}

export const time = (stamp) => new Date(stamp * 1000).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });
