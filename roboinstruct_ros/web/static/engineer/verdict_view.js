// The program that is looked at, and everything that the verifier has found out about it.

import { request } from "../connection.js";
import { byId, make } from "../dom.js";
import { t } from "../messages.js";
import { fault, toast } from "../notices.js";
import { drawCode } from "../program_view.js";
import { seconds } from "../words.js";
import { atLine, facts, violationTold } from "./told.js";

const listeners = new Set();
const programs = new Map(); // by the option's value: words, and the source where it is known
let source = "";

export const chosenSource = () => source;
export const whenChosen = (listener) => listeners.add(listener);

export async function showPrograms() {
  try {
    const [tasks, kept] = await Promise.all([request("GET", "/tasks"), request("GET", "/library")]);
    offer(tasks.filter((task) => task.source), kept);
  } catch (error) {
    toast(error.message, "bad");
  }
  await choose();
}

function offer(tasks, kept) {
  const before = byId("chosen").value;
  programs.clear();
  for (const task of tasks.reverse()) programs.set(`task ${task.id}`, { words: task.text, source: task.source });
  for (const one of kept) programs.set(`kept ${one.id}`, { words: one.words });
  const options = [...programs].map(([value, one]) => make("option", { value }, value.startsWith("kept") ? t("engineer.kept", { words: one.words }) : one.words));
  byId("chosen").replaceChildren(...options);
  if (programs.has(before)) byId("chosen").value = before;
  byId("chosen").hidden = !options.length;
  byId("chooser-none").hidden = Boolean(options.length);
}

async function choose() {
  const value = byId("chosen").value;
  const one = programs.get(value);
  if (!one) return;
  fault("verdict-fault", "");
  try {
    one.source ??= (await request("GET", `/library/${encodeURIComponent(value.slice(5))}/file`)).source;
    source = one.source;
    for (const listener of listeners) listener();
    if (!byId("program").hidden) drawVerdict(await request("POST", "/engineer/verdict", { source }));
  } catch (error) {
    byId("verdict-whole").replaceChildren();
    fault("verdict-fault", error.message);
  }
}

function drawVerdict(verdict) {
  const { coverage } = verdict;
  const listed = (title, lines) => (lines.length ? [make("h3", {}, title), make("ul", { class: "told" }, ...lines)] : []);
  const warned = (one) => make("li", {}, atLine(one.line, one.message));
  byId("verdict-whole").replaceChildren(
    make("p", {}, make("span", { class: "badge", "data-status": verdict.status }, t(`verdict.${verdict.status}`))),
    facts([
      [t("engineer.worlds"), t(verdict.exhaustive ? "engineer.worlds_all" : "engineer.worlds_some", { count: verdict.paths })],
      [t("engineer.lines"), t("engineer.of", { some: coverage.lines_reached, all: coverage.lines })],
      [t("engineer.branches"), t("engineer.of", { some: coverage.branches_reached, all: coverage.branches })],
      [t("engineer.time"), seconds(verdict.duration)],
      [t("program.title"), verdict.program_sha256.slice(0, 12)],
      [t("engineer.rules"), verdict.rules_sha256.slice(0, 12)],
    ]),
    ...listed(t("engineer.violations"), verdict.violations.map(violationTold)),
    ...listed(t("engineer.assumptions"), verdict.assumptions.map((one) => make("li", {}, one.lines.length > 1 ? t("engineer.at_lines", { lines: one.lines.join(", "), text: one.message }) : atLine(one.line, one.message)))),
    ...listed(t("engineer.warnings"), verdict.warnings.map(warned)));
  drawCode(source, 0, verdict.violations, false);
}

export const armChooser = () => byId("chosen").addEventListener("change", choose);
