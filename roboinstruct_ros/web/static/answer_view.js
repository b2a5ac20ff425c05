// What the program writer says instead of a program: a refusal, a question with choices, a reply.

import { byId, make, whenChanged } from "./dom.js";

const TITLES = { cannot: "The robot cannot do that", question: "A question to you", reply: "The robot answers" };

let choose = () => {};
export const armAnswer = (chosen) => { choose = chosen; };

const comeUp = whenChanged(() => byId("said").scrollIntoView({ block: "center" }));

export const drawAnswer = whenChanged((said, answerable, enabled) => {
  byId("said").hidden = !said;
  if (!said) return;
  byId("said-title").textContent = TITLES[said.kind];
  byId("said-words").textContent = said.words;
  byId("said-choices").replaceChildren(...(answerable ? said.choices : []).map((choice) =>
    make("button", { type: "button", disabled: !enabled, onclick: () => choose(choice) }, choice)));
  comeUp(said);
});
