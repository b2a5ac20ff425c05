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
const capital = (text) => text && text[0].toUpperCase() + text.slice(1);

export function errorLine(name, message) {
  const title = known(`error.${name}`);
  const text = (foreign && known(`error.${name}.text`)) || message;
  if (title && text) return t("error.line", { title, text });
  return title ?? (text ? capital(text) : t("error.unknown"));
}

// What the verifier has against a program; of the call at which it shows itself where that is known.
export function violationWords({ code, message, counterexample }) {
  const text = foreign && known(`violation.${code}`);
  const call = counterexample?.calls?.at(-1);
  return text ? (call ? t("error.line", { title: callWords(call), text }) : text) : message;
}

// A sentence of the server: as its phrase says it here, or its English text.
export const told = ({ text, phrase }) => (foreign && phrase ? said(phrase) : text);

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
