// Where the task on screen stands, which parts of the robot are there, and what may be pressed.

import { byId, make, whenChanged } from "./dom.js";
import { inTenths, said, t } from "./messages.js";
import { banner } from "./notices.js";
import { AFTER_MS, busyTask, serverTime, store, task, toChange } from "./store.js";
import { lostNode, nodeName, phaseWords, seconds, TONES } from "./words.js";

const AGAIN = ["succeeded", "failed", "cancelled", "discarded"];
const CANCEL = ["writing", "running", "paused"];
const NOTHING_TO_APPROVE = ["answered", "rejected", "running", "paused", "stopping"];
const DISCARD = ["asking", "ready", "answered", "rejected"];

export const drawStatus = whenChanged((phase, duration) => {
  const words = phaseWords(phase);
  const took = { what: words, time: seconds(duration) };
  byId("status").textContent = duration ? t(phase === "succeeded" ? "status.in" : "status.after", took) : words;
  byId("status").dataset.tone = TONES[phase] ?? "";
});

export function drawProgress(now) {
  const writing = now?.phase === "writing";
  byId("progress").hidden = !writing;
  if (!writing) return;
  const elapsed = Math.max(0, serverTime() - (now.began || now.created));
  const which = now.attempt > 1 ? t("progress.attempt", { n: now.attempt }) : now.draft > 1 ? t("progress.draft", { n: now.draft }) : "";
  const what = t(now.tokens ? "progress.writing" : "progress.thinking");
  byId("progress-text").textContent = [which, what, `${inTenths(elapsed)} s`].filter(Boolean).join(" · ");
}
setInterval(() => drawProgress(task()), 100);

export const drawNodes = whenChanged((states, up) => {
  const list = Object.entries(states).map(([name, state]) => {
    const shownState = up ? state : "waiting";
    const words = t(`node.is_${shownState}`);
    return make("li", { "data-state": shownState, title: `${name}: ${words}` }, nodeName(name), make("span", { class: "unseen" }, `: ${words}`));
  });
  byId("nodes").replaceChildren(...list);
  for (const [name, state] of Object.entries(states)) banner(name, up && state === "lost" ? lostNode(name) : "");
});

export function drawControls(now) {
  const waiting = !store.connected || Boolean(busyTask());
  const phase = now?.phase;
  byId("write").disabled = store.submitting || waiting;
  byId("change").hidden = !toChange(now);
  byId("change-write").disabled = store.submitting || waiting;
  byId("pause").hidden = !["running", "paused"].includes(phase);
  byId("pause").textContent = t(phase === "paused" ? "run.go_on" : "run.pause");
  byId("pause").disabled = !store.connected;
  byId("pause").ariaDisabled = String(phase === "paused" && !settled()); // and keeps the focus
  const again = AGAIN.includes(phase) && Boolean(now.version);
  byId("again").hidden = !again;
  byId("again").disabled = waiting;
  drawApprove(now, waiting, again);
  byId("discard").hidden = again;
  byId("discard").textContent = t(CANCEL.includes(phase) ? "plan.cancel" : "plan.discard");
  byId("discard").disabled = !store.connected || ![...CANCEL, ...DISCARD].includes(phase);
}

const settled = () => performance.now() - store.readySince >= AFTER_MS;

function drawApprove(now, waiting, again) {
  byId("approve").disabled = waiting || !now?.approvable || !settled();
  byId("approve").hidden = again || NOTHING_TO_APPROVE.includes(now?.phase);
  byId("approve").classList.toggle("doubtful", Boolean(now?.doubts.length));
  byId("approving").textContent = said(now?.approving);
}
