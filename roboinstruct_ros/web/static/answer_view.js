// What there is instead of a program: a refusal, a question with choices, a reply, a rejection with its reason.

import { byId, make, whenChanged } from "./dom.js";

const TITLES = {
  cannot: "I cannot do that", question: "A question to you", reply: "The robot answers", rejected: "That would go wrong",
};
const MORE = { cannot: "What I can do here:", reply: "You can ask me, for example:", rejected: "You could try:" };

let act = { choose() {}, write() {}, tell() {} };
// Args: choose takes an answer to the question, write the words of a new task, tell shows a story on the map.
export const armAnswer = (actions) => { act = actions; };

// What is said of a task that has no program; null where it has one.
export function saidOf(now, examples) {
  if (now?.phase === "answered") {
    const { kind, words, choices } = now.answer;
    const offered = choices.length || kind === "question" ? [] : examples;
    return { kind, words, choices: now.answerable ? choices : [], tries: offered.map((text) => [text, text]), story: [] };
  }
  if (now?.phase !== "rejected" || !now.refusal) return null;
  const { reason, story, ways_out: ways } = now.refusal;
  return { kind: "rejected", words: reason, choices: [], tries: ways.map(({ label, words }) => [label, words]), story };
}

const comeUp = whenChanged(() => byId("said").scrollIntoView({ block: "nearest" }));
const button = (onclick, disabled, ...inside) => make("button", { type: "button", disabled, onclick }, ...inside);

export const drawAnswer = whenChanged((said, enabled) => {
  const box = byId("said");
  box.hidden = !said;
  if (!said) return;
  box.dataset.kind = said.kind;
  byId("said-title").textContent = TITLES[said.kind];
  byId("said-words").textContent = said.words;
  byId("said-choices").replaceChildren(
    ...said.choices.map((choice) => button(() => act.choose(choice), !enabled, choice)),
    ...(said.story.length ? [button(() => act.tell(said.story, said.words), false, "▶ Show it on the map")] : []));
  byId("said-more").textContent = said.tries.length ? MORE[said.kind] ?? "" : "";
  byId("said-tries").replaceChildren(...said.tries.map(([label, words]) => button(() => act.write(words), !enabled, label)));
  comeUp(said);
});
