// Every node: whether it is heard, and what it says of itself.

import { request } from "../connection.js";
import { byId, make } from "../dom.js";
import { inTenths, t } from "../messages.js";
import { facts } from "./told.js";

const TONE = { up: "accepted", lost: "rejected", waiting: "undecided", ok: "accepted", warn: "undecided", error: "rejected" };
const badge = (word) => make("span", { class: "badge", "data-status": TONE[word] ?? "" }, word || t("engineer.no_heartbeat"));
const age = (s) => (s === null ? t("engineer.unheard") : t("engineer.ago", { s: inTenths(s) }));

export async function showNodes() {
  let nodes = [];
  try {
    nodes = await request("GET", "/engineer/nodes");
  } catch (error) {
    byId("nodes-list").replaceChildren(make("li", { class: "inline-error" }, error.message));
    return;
  }
  byId("nodes-list").replaceChildren(...nodes.map((node) => make("li", {},
    make("h3", {}, `${node.name} `, badge(node.state)),
    facts([[t("engineer.heartbeat"), age(node.silence)]]),
    make("ul", { class: "told" }, ...node.lines.map(part)))));
}

const part = (one) => make("li", {},
  make("p", {}, badge(one.level), ` ${one.part}: ${one.message} `, make("span", { class: "hint" }, one.age > 3 ? `(${t("engineer.ago", { s: Math.round(one.age) })})` : "")),
  Object.keys(one.values).length ? facts(Object.entries(one.values)) : null);
