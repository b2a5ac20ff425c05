// The kiosk's words for phases, errors and skill calls.

import { duration, known, language, said, t } from "./messages.js";

// The tone in which a phase is shown.
export const TONES = {
  writing: "go", asking: "go", ready: "go", answered: "", rejected: "bad", running: "go", paused: "held", stopping: "bad",
  succeeded: "good", failed: "bad", cancelled: "bad", discarded: "",
};

export const phaseWords = (phase) => known(`phase.${phase}`) ?? "";
export const shortPhase = (phase) => known(`phase.${phase}.short`) ?? phase;

// Server, verifier and model speak English; in another language a code has a sentence of its own.
const ENGLISH = "en";
export const foreign = language !== ENGLISH;
export const capital = (text) => text && text[0].toUpperCase() + text.slice(1);

// The sentences of the server that are its own, as phrases by their English text; the last ones.
const phrases = new Map();
const MOST = 1000;

export function learn(more) {
  for (const [text, phrase] of Object.entries(more ?? {})) {
    if (!phrase) continue;
    phrases.delete(text); // one that is there would keep its place, and be the first to go
    phrases.set(text, phrase);
  }
  for (const text of phrases.keys()) {
    if (phrases.size <= MOST) break;
    phrases.delete(text);
  }
}

// A sentence of the server in this page's language, or its English text; begun and ended as that is.
export function told(text, phrase = phrases.get(text)) {
  if (!foreign || !phrase) return text;
  const words = said(phrase);
  return (/^\p{Lu}/u.test(text) ? capital(words) : words) + (text.endsWith(".") && !/[.?!]$/.test(words) ? "." : "");
}
export const isOwn = (text) => phrases.has(text);
// For the attribute of what shows it: somebody else's words are English wherever the page is read.
export const langOf = (text, phrase = phrases.get(text)) => (phrase ? null : ENGLISH);

// Whether a text has all words that somebody searches for.
export function searched(words) {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => wanted.every((word) => text.toLowerCase().includes(word));
}

export function errorLine(name, message) {
  const title = known(`error.${name}`);
  const text = phrases.has(message) ? told(message) : (foreign && known(`error.${name}.text`)) || message;
  if (title && text) return t("error.line", { title, text });
  return title ?? (text ? capital(text) : t("error.unknown"));
}

// What the verifier has against a program; of the call at which it shows itself where that is known.
export function violationWords({ code, message, counterexample }) {
  const text = foreign && !phrases.has(message) && known(`violation.${code}`);
  const call = counterexample?.calls?.at(-1);
  return text ? (call ? t("error.line", { title: callWords(call), text }) : text) : told(message);
}

// What became of a call that failed in a story; the verifier tells its code.
export const failedWords = (code) => known(`failure.${code.toUpperCase()}`) ?? code;

export const nodeName = (name) => known(`node.${name}`) ?? name;
export const lostNode = (name) => known(`node.${name}.lost`) ?? t("node.lost", { name });

// As the plan has it (program/wording.py): the kitchen, Bob's office, classroom 4.
const called = (name) => (/^(the|an?|my|your|our) |\d$/.test(name) || !/^\p{Ll}/u.test(name) ? name : t("name.the", { name }));

export const callWords = (call) => capital(callClause(call));

function callClause({ skill, arguments: args }) {
  const [first, second, third] = args;
  switch (skill) {
    case "go_to": return t("plan.go_to", { place: called(first) });
    case "pick": return t("plan.pick", { what: called(first) });
    case "place": return t("plan.place", { what: called(first) });
    case "say": return t("plan.say", { text: first });
    case "ask": {
      const asked = { who: first || t("name.whoever"), question: second, options: third?.join(" / ") };
      return t(third?.length ? "plan.ask_options" : "plan.ask_question", asked);
    }
    case "is_in_room": return first === "person" ? t("call.person_here") : t("call.is_here", { what: first });
    case "get_current_location": return t("call.where_am_i");
    case "get_all_rooms": return t("call.which_rooms");
    default: return `${skill}(${args.map((a) => JSON.stringify(a)).join(", ")})`;
  }
}

export function answerWords(result) {
  if (result === null || result === undefined || result === "") return "";
  if (result === true) return t("yes");
  if (result === false) return t("no");
  if (Array.isArray(result)) return t("call.rooms", { n: result.length });
  return String(result);
}

export const seconds = duration;
