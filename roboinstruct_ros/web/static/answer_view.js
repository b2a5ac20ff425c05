// What there is instead of a program: a refusal, a question with choices, a reply, a rejection with its reason.

import { byId, make, whenChanged } from "./dom.js";
import { known, language, said as words, t } from "./messages.js";
import { capital, errorLine, foreign, langOf, told, violationWords } from "./words.js";

let act = { choose() {}, write() {}, tell() {} };
// Args: choose takes an answer to the question, write words, as a way out says ("ask", "follow", "edit"), tell shows a story on the map.
export const armAnswer = (actions) => { act = actions; };

// The task that a refusal offers: "Look for Ann" of "I cannot see what people do. I can look for Ann."; none where it needs the refused one.
const NEEDS_MORE = /\bit$|\bsomebody (?:to|about|something|and|is there)\b|\b(?:that you|things|something|it here)\b/;
// Words of a task that the offer would leave out.
const CONDITION = /\b(?:if|unless|except|but|only|when|until|not|don't|without)\b/i;
const offersOf = (words, asked) => {
  const offer = !CONDITION.test(asked) && /\. I can ((?:ask|bring|go|look|tell) [^.]+)\.$/.exec(words)?.[1];
  return offer && !NEEDS_MORE.test(offer) ? [offer[0].toUpperCase() + offer.slice(1)] : [];
};

// What Later… can do, whatever the model says.
const SET_TIME = /\b(?:set|certain|fixed|later) times?\b|\bschedul/i;
// Asks for a task: who has said none reads what tasks are like.
const ASKS_FOR_TASK = /^what (?:should|shall|can) I do(?: for you)?\?$/i;

// What is said of a task that has no program; null where it has one.
export function saidOf(now, examples) {
  if (now?.phase === "answered") {
    const { words, choices } = now.answer;
    const kind = ASKS_FOR_TASK.test(words) && !choices.length && !now.follows ? "reply" : now.answer.kind;
    const timed = kind === "cannot" && SET_TIME.test(words);
    const offered = choices.length || kind === "question" || (kind === "reply" && now.follows) ? [] : [...offersOf(words, now.text), ...examples];
    return { kind, words, timed, choices: now.answerable ? choices : [], tries: offered.map((text) => [text, text, "ask"]), story: [] };
  }
  if (now?.phase !== "rejected" || !now.refusal) return null;
  const { reason, code, story, ways_out: ways } = now.refusal;
  const why = code ? violationWords({ code, message: reason, counterexample: { calls: story } }) : foreign ? errorLine(now.error?.error_name ?? "", reason) : reason;
  return { kind: "rejected", harmless: !code, words: capital(why), choices: [], tries: ways.map((way) => [words(way.label), way.words, way.kind]), story };
}

const comeUp = whenChanged(() => byId("said").scrollIntoView({ block: "nearest" }));
const button = (onclick, disabled, ...inside) => make("button", { type: "button", disabled, onclick }, ...inside);

export const drawAnswer = whenChanged((said, enabled) => {
  const box = byId("said");
  box.hidden = !said;
  if (!said) return;
  box.dataset.kind = said.kind;
  box.classList.toggle("harmless", Boolean(said.harmless));
  byId("said-title").textContent = t(said.harmless ? "said.unwritten" : `said.${said.kind}`);
  const own = said.kind === "rejected";
  byId("said-words").textContent = own ? said.words : told(said.words);
  byId("said-words").lang = own ? language : langOf(said.words) ?? language; // the model's words stay English
  byId("said-choices").replaceChildren(
    ...said.choices.map((choice) => button(() => act.choose(choice), !enabled, make("span", { lang: "en" }, choice))),
    ...(said.story.length ? [button(() => act.tell(said.story, said.words), false, t("said.show"))] : []));
  const more = said.tries.length ? known(`said.${said.kind}.more`) : said.kind === "question" && !said.choices.length && t("said.question.whole");
  byId("said-more").textContent = [said.timed && t("said.later"), more].filter(Boolean).join(" ");
  byId("said-tries").replaceChildren(...said.tries.map(([label, words, kind]) => button(() => act.write(words, kind), !enabled, make("span", { lang: label === words ? "en" : null }, label))));
  comeUp(said);
});
