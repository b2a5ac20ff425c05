// What the writing of each of the last programs took.

import { request } from "../connection.js";
import { byId, make, whenChanged } from "../dom.js";
import { toast } from "../notices.js";
import { seconds } from "../words.js";
import { atLine, facts, time } from "./told.js";

export async function showGenerations() {
  try {
    draw(await request("GET", "/engineer/generations"));
  } catch (error) {
    toast(error.message, "bad");
  }
}

const draw = whenChanged((generations) => {
  byId("generation-none").hidden = Boolean(generations.length);
  byId("generations").replaceChildren(...generations.map((one) => make("li", {},
    make("h3", {}, one.words ? `“${one.words}”` : one.task_id),
    facts(figures(one)),
    one.error ? make("p", { class: "inline-error" }, one.error) : null,
    one.rejected.length ? make("p", { class: "hint" }, "Rejected drafts:") : null,
    make("ul", { class: "told" },
      ...one.rejected.map((draft) => make("li", {}, `Draft ${draft.draft}. ${atLine(draft.line, draft.message)} (${draft.code})`)),
      ...one.fallbacks.map((text) => make("li", {}, text))))));
});

const figures = (one) => [
  ["Model", one.model || "not known"],
  ["Begun", one.begun ? time(one.begun) : "not known"],
  ["Tokens", `${one.generated_tokens} written, ${one.prompt_tokens} read (${one.cached_tokens} of them were still in memory)`],
  ["Speed", `${one.tokens_per_second.toFixed(1)} tokens/s`],
  ["Texts", `${one.drawn} begun, ${one.drafts} verified as programs, ${one.rejected.length} rejected`],
  ["First token", one.first_token === null ? "none" : `after ${seconds(one.first_token)}`],
  ["Time", `${seconds(one.duration)}: ${seconds(one.writing)} writing, ${seconds(one.verification)} verifying, ${seconds(Math.max(0, one.duration - one.writing - one.verification))} for the rest`],
  ...(one.confidence ? [["How sure", one.confidence]] : []),
];
