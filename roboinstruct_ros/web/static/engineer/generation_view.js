// What the writing of each of the last programs took.

import { request } from "../connection.js";
import { byId, make, whenChanged } from "../dom.js";
import { inTenths, t } from "../messages.js";
import { toast } from "../notices.js";
import { seconds } from "../words.js";
import { atLine, facts, time } from "./told.js";

export const showGenerations = () => request("GET", "/engineer/generations").then(draw)
  .catch((error) => toast(error.message, "bad"));

const draw = whenChanged((generations) => {
  byId("generation-none").hidden = Boolean(generations.length);
  byId("generations").replaceChildren(...generations.map((one) => make("li", {},
    make("h3", {}, one.words ? t("engineer.quoted", { text: one.words }) : one.task_id),
    facts(figures(one)),
    one.error ? make("p", { class: "inline-error" }, one.error) : null,
    one.rejected.length ? make("p", { class: "hint" }, t("engineer.rejected_drafts")) : null,
    make("ul", { class: "told" },
      ...one.rejected.map((draft) => make("li", {}, t("engineer.draft", { n: draft.draft, text: atLine(draft.line, draft.message), code: draft.code }))),
      ...one.fallbacks.map((text) => make("li", {}, text))))));
});

const figures = (one) => [
  [t("engineer.model"), one.model || t("engineer.unknown")],
  [t("engineer.begun"), one.begun ? time(one.begun) : t("engineer.unknown")],
  [t("engineer.tokens"), t("engineer.tokens_of", { written: one.generated_tokens, read: one.prompt_tokens, cached: one.cached_tokens })],
  [t("engineer.speed"), t("engineer.speed_of", { speed: inTenths(one.tokens_per_second) })],
  [t("engineer.texts"), t("engineer.texts_of", { drawn: one.drawn, drafts: one.drafts, rejected: one.rejected.length })],
  [t("engineer.first_token"), one.first_token === null ? t("engineer.none") : t("engineer.after", { time: seconds(one.first_token) })],
  [t("engineer.time"), t("engineer.time_of", { all: seconds(one.duration), writing: seconds(one.writing), verifying: seconds(one.verification), rest: seconds(Math.max(0, one.duration - one.writing - one.verification)) })],
  ...(one.confidence ? [[t("engineer.how_sure"), one.confidence]] : []),
];
