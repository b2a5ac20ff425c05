// The policies that hold, and a box to try one against the program that is looked at.

import { request } from "../connection.js";
import { byId, make } from "../dom.js";
import { t } from "../messages.js";
import { fault } from "../notices.js";
import { chosenSource, whenChosen } from "./verdict_view.js";
import { violationTold } from "./told.js";

export async function showPolicies() {
  try {
    const { path, policies, fault: wrong } = await request("GET", "/engineer/policies");
    byId("policies-place").textContent = path ? t("engineer.policies_from", { path }) : t("engineer.no_policies");
    fault("policies-fault", wrong);
    byId("policies-list").replaceChildren(...policies.map((one) => make("li", {},
      make("p", {}, make("span", { class: "badge", "data-status": one.enabled ? "accepted" : "" }, t(one.enabled ? "engineer.enabled" : "engineer.off")), ` ${one.name}`),
      make("code", {}, one.text),
      one.because ? make("p", { class: "hint" }, one.because) : null)));
  } catch (error) {
    fault("policies-fault", error.message);
  }
}

async function attempt(event) {
  event.preventDefault();
  fault("try-fault", "");
  byId("try-answer").replaceChildren();
  if (!chosenSource()) return fault("try-fault", t("engineer.try_nothing"));
  try {
    draw(await request("POST", "/engineer/policies/try", { policy: byId("try-policy").value, source: chosenSource() }));
  } catch (error) {
    fault("try-fault", error.message);
  }
}

function draw({ verdict, fault: wrong, line }) {
  byId("try-policy").setAttribute("aria-invalid", String(!verdict));
  if (!verdict) {
    select(line);
    return fault("try-fault", t("engineer.at_line", { n: line, text: wrong }));
  }
  if (verdict.status === "accepted") return byId("try-answer").append(make("p", {}, t("engineer.try_kept")));
  byId("try-answer").append(make("p", {}, t("engineer.try_broken")), make("ul", { class: "told" }, ...verdict.violations.map(violationTold)));
}

// The line of the fault, as far as there is one.
function select(line) {
  const box = byId("try-policy");
  const lines = box.value.split("\n");
  const begin = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  box.focus();
  box.setSelectionRange(begin, begin + (lines[line - 1]?.length ?? 0));
}

export function armPolicies() {
  byId("try").noValidate = true;
  byId("try").addEventListener("submit", attempt);
  byId("try-policy").addEventListener("input", () => fault("try-fault", ""));
  whenChosen(() => byId("try-answer").replaceChildren());
}
