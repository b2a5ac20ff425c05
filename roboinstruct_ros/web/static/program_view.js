// The program with light colours, the line in execution, and violations under their line; the plan.

import { byId, make, whenChanged } from "./dom.js";
import { sentence, t } from "./messages.js";
import { langOf, seconds, told, violationWords } from "./words.js";

const KEYWORDS = new Set(
  "and as assert break class continue def del elif else except False finally for from if import in is lambda None nonlocal not or pass raise return True try while with yield".split(" "),
);
const SKILLS = new Set("get_current_location get_all_rooms is_in_room go_to ask say pick place".split(" "));
const TOKEN = /(#.*$)|([rbf]?"""[\s\S]*?"""|[rbf]?"(?:\\.|[^"\\])*"?|[rbf]?'(?:\\.|[^'\\])*'?)|(\b\d+(?:\.\d+)?\b)|([A-Za-z_]\w*)/g;

function coloured(line) {
  const parts = [];
  let end = 0;
  for (const match of line.matchAll(TOKEN)) {
    const [text, comment, string, number, word] = match;
    const colour = comment ? "c" : string ? "s" : number ? "n" : KEYWORDS.has(word) ? "k" : SKILLS.has(word) ? "f" : null;
    parts.push(line.slice(end, match.index), colour ? make("span", { class: colour }, text) : text);
    end = match.index + text.length;
  }
  parts.push(line.slice(end) || (parts.length ? "" : " "));
  return parts;
}

function why(violation) {
  const steps = violation.counterexample?.steps ?? [];
  if (!steps.length) return make("li", { class: "why" }, violationWords(violation));
  return make("li", { class: "why" },
    make("details", {}, make("summary", {}, violationWords(violation)), make("ol", { lang: "en" }, ...steps.map((s) => make("li", {}, s)))));
}

export const drawCode = whenChanged((source, line, violations, writing) => {
  const pane = byId("code");
  const atEnd = pane.scrollHeight - pane.scrollTop - pane.clientHeight < 40;
  if (!source) {
    pane.replaceChildren(make("p", { class: "empty" }, t("program.empty")));
    return;
  }
  const rows = make("ol", {});
  for (const violation of violations.filter((v) => !v.line)) rows.append(why(violation));
  source.replace(/\n+$/, "").split(/\r\n?|\n/).forEach((text, index) => {
    const here = violations.filter((v) => v.line === index + 1);
    const now = line === index + 1;
    const classes = `row${now ? " now" : ""}${here.length ? " wrong" : ""}`;
    rows.append(make("li", { class: classes, "aria-current": now ? "step" : null }, ...coloured(text)), ...here.map(why));
  });
  pane.replaceChildren(rows);
  if (writing && atEnd) pane.scrollTop = pane.scrollHeight;
  if (line) show(pane, rows.querySelector(".now"));
});

export const drawVerdict = whenChanged((verdict, sha256) => {
  const badge = byId("verdict");
  badge.hidden = !verdict;
  const facts = byId("verdict-facts");
  facts.textContent = "";
  facts.title = "";
  const warnings = (verdict?.warnings ?? []).map((one) => one.message ?? one); // a bag has them whole
  byId("warnings").hidden = !warnings.length;
  byId("warnings").replaceChildren(...warnings.map((w) => make("li", { lang: langOf(w) }, `⚠ ${told(w)}`)));
  if (!verdict) return;
  badge.dataset.status = verdict.status;
  badge.textContent = t(`verdict.${verdict.status}`);
  const worlds = t("verdict.worlds", { n: verdict.paths });
  const rest = t(verdict.exhaustive ? "verdict.all" : "verdict.not_all");
  facts.textContent = verdict.paths ? `${worlds}, ${rest} · ${seconds(verdict.duration)}` : seconds(verdict.duration);
  if (sha256) facts.title = `sha256 ${sha256}`;
});

// What the verifier refused before this program: the model was shown it, or drawn again.
export const drawTries = whenChanged((rejected, phase) => {
  const box = byId("tries");
  const before = phase === "rejected" ? rejected.slice(0, -1) : rejected;
  box.hidden = !before.length;
  if (!before.length) return;
  const items = before.map(({ draft, source, verdict }) => {
    const reasons = verdict.violations.map((v) => make("li", {}, v.line ? t("program.line", { n: v.line, text: violationWords(v) }) : violationWords(v)));
    const text = make("details", {}, make("summary", {}, t("tries.text")), make("pre", {}, source ?? ""));
    return make("li", {}, t("tries.draft", { n: draft }), make("ul", {}, ...reasons), ...(source ? [text] : []));
  });
  byId("tries-count").textContent = t("tries.count", { n: before.length });
  byId("tries-list").replaceChildren(...items);
});

// A step without a line of its own has line 0; a block's header step stands for its whole block.
export function currentStep(steps, line) {
  let found = -1;
  steps.forEach((step, index) => {
    if (line && step.line && step.line <= line) found = index;
  });
  return found;
}

const doubt = (one) => (one.kind === "look_twice" ? t("doubt.look_twice", { text: told(one.text, one.phrase) }) : told(one.text, one.phrase));

// Args: line in execution, or that at which it failed.
export const drawPlan = whenChanged((steps, line, phase, doubts = []) => {
  const list = byId("plan");
  if (!steps.length) {
    const hint = t(phase === "writing" ? "plan.thinking" : "plan.nothing");
    list.replaceChildren(make("li", { class: "empty" }, hint));
    return;
  }
  const now = currentStep(steps, line);
  list.replaceChildren(
    ...steps.map((step, index) => {
      const depth = Math.min(step.number.split(".").length - 1, 3);
      const state = index === now ? `now ${{ paused: "held", failed: "wrong" }[phase] ?? ""}` : null;
      const attributes = { class: state, "data-depth": depth || null, "aria-current": index === now ? "step" : null };
      const here = doubts.filter((one) => one.step === index);
      return make("li", attributes, make("span", { class: "number" }, step.number), make("span", { class: "words", lang: step.said ? null : "en" }, step.said ? sentence(step.said) : step.text,
        ...here.map((one) => make("span", { class: "doubt", lang: langOf(one.text, one.phrase) }, doubt(one)))));
    }),
  );
  const pane = byId("plan-scroll");
  if (phase === "writing") pane.scrollTop = pane.scrollHeight;
  else if (now >= 0) show(pane, list.children[now]);
  else if (pane.dataset.phase === "writing") pane.scrollTop = 0;
  pane.dataset.phase = phase;
});

// What is no step's own: a person decides whether it matters.
export const drawNotes = whenChanged((doubts, phase, ahead) => {
  const list = byId("notes");
  const shown = doubts.filter((one) => one.step < 0).map((one) => make("li", { lang: langOf(one.text, one.phrase) }, doubt(one)));
  if (phase === "paused" && ahead) shown.push(make("li", { lang: langOf(ahead) }, t("plan.ahead", { text: told(ahead) })));
  list.hidden = !shown.length;
  list.replaceChildren(...shown);
});

// Scrolls only the pane: scrollIntoView would move the whole page of a phone under the finger.
export function show(pane, row) {
  const top = row.getBoundingClientRect().top - pane.getBoundingClientRect().top;
  if (top < 20 || top > pane.clientHeight - 50) pane.scrollTop += top - pane.clientHeight / 2;
}

export function unfold(open) {
  byId("program").classList.toggle("open", open);
  byId("code-fold").setAttribute("aria-expanded", String(open));
}

export const armFold = () => byId("code-fold").addEventListener("click", () => unfold(!byId("program").classList.contains("open")));
