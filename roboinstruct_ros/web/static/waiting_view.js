// Somebody else's plan waits for an approval: it is looked at or put away, never written over.

import { request } from "./connection.js";
import { byId, make } from "./dom.js";
import { t } from "./messages.js";
import { toastError } from "./notices.js";
import { planElsewhere, store } from "./store.js";

export function showWaiting(look) {
  const plan = planElsewhere();
  hideWaiting();
  if (!plan) return;
  const discard = () => request("POST", `/tasks/${plan.id}/discard`)
    .then(() => byId("words").focus())
    .catch(toastError);
  byId("ask-error").after(make("div", { id: "waiting", class: "waiting" },
    plan.id === store.shown ? null : make("button", { type: "button", class: "quiet", onclick: () => { look(plan.id); hideWaiting(); } }, t("waiting.show")),
    make("button", { type: "button", class: "quiet", onclick: discard }, t("waiting.discard"))));
}

export function hideWaiting() {
  byId("waiting")?.remove();
}
