// The versions of the task on screen, and what its program changed.

import { byId, make, whenChanged } from "./dom.js";
import { known, t } from "./messages.js";
import { unfold } from "./program_view.js";

// All tasks of this session that are versions of the same one, oldest first.
export function versionsOf(tasks, now) {
  if (!now) return [];
  const family = tasks.filter((one) => (one.task || one.id) === (now.task || now.id));
  const last = new Map(family.map((one) => [one.version, one.id])); // of one that was run again
  last.set(now.version, now.id);
  return family.filter((one) => !one.version || last.get(one.version) === one.id);
}

export const drawVersions = (tasks, now, choose) => {
  chosen = choose;
  redraw(versionsOf(tasks, now).map(({ id, text, version, steering, phase }) => [id, text, version, steering, phase]), now?.id ?? null);
};

let chosen = () => {};
const redraw = whenChanged((versions, shown) => {
  byId("versions").hidden = versions.length < 2;
  if (versions.length < 2) return;
  const rows = versions.map(([id, text, version, steering, phase]) => {
    const number = version ? `${version}` : phase === "writing" ? "…" : "–";
    const how = (steering && known(`steering.${steering}`)) || "";
    const name = t("versions.name", { version: [version || t("versions.not_kept"), how].filter(Boolean).join(", "), text });
    return make("li", {}, make("button", { type: "button", "aria-current": id === shown ? "true" : null, "aria-label": name, title: text, onclick: () => chosen(id) },
      make("b", {}, number), how ? make("i", {}, how) : null, make("span", {}, text)));
  });
  byId("versions-list").replaceChildren(...rows);
  byId("versions-list").querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest", inline: "center" });
});

// Whether the difference is shown instead of the program; it stays so from version to version.
let open = false;
const KINDS = { "+": ["added", t("versions.added")], "-": ["removed", t("versions.removed")], " ": ["", ""] };

export function drawDiff(now) {
  const lines = now?.phase === "writing" ? [] : now?.diff ?? [];
  redrawDiff(lines, now?.diff_from ?? 0, now?.steering ?? "");
  const shown = open && lines.length > 0;
  byId("diff").hidden = !shown;
  byId("code").hidden = shown;
}

const redrawDiff = whenChanged((lines, from) => {
  const button = byId("diff-toggle");
  button.hidden = !lines.length;
  button.textContent = from ? t("versions.changes_from", { from }) : t("versions.changes");
  button.setAttribute("aria-pressed", String(open));
  const rows = lines.map(([mark, text]) => {
    const [kind, words] = KINDS[mark];
    return make("li", { class: `line ${kind}` }, make("span", { class: "mark", "aria-hidden": "true" }, mark), words ? make("span", { class: "unseen" }, words) : null, text || " ");
  });
  byId("diff").replaceChildren(make("ol", {}, ...rows));
});

export function armDiff(redraw) {
  byId("diff-toggle").addEventListener("click", () => {
    open = !open;
    if (open) unfold(true);
    byId("diff-toggle").setAttribute("aria-pressed", String(open));
    redraw();
  });
}
