// Everything that the page knows: what the server has said, and which task is looked at.

import { WINDOW } from "./connection.js";
import { learn } from "./words.js";

const KEPT = 200; // calls, and lines of output; the server keeps no more either
// A finger that is still on its way from the last button must not press what just came up.
export const AFTER_MS = 500;
export const IN_RUN = ["running", "paused", "stopping"];

export const store = {
  tasks: new Map(),
  shown: null, // id of the task on screen
  nodes: {},
  interrupted: [],
  question: null,
  world: null,
  examples: [],
  rooms: [], // of the map
  kept: [], // tasks of the library
  runs: [], // that were recorded
  attempts: [], // that did not become runs
  connected: false,
  submitting: false,
  clock: 0, // server time minus page time, s
  readySince: 0, // page time, ms
};

const pageTime = () => (performance.timeOrigin + performance.now()) / 1000;
export const serverTime = () => pageTime() + store.clock;
export const task = () => store.tasks.get(store.shown) ?? null;
export const allTasks = () => [...store.tasks.values()];
export const busyTask = () => allTasks().find((one) => one.busy);
export const inRun = () => allTasks().some((one) => IN_RUN.includes(one.phase));

// All of a task in words; those of a follow-up alone ("undo") name no version.
export const wholeWords = (one) => one.words || one.text;

// The task that a follow-up changes: the one on screen, or, where that has no program, what it was to change.
export function toChange(now) {
  while (now && !now.changeable) now = store.tasks.get(now.follows);
  return now;
}

export function takeSnapshot(snapshot) {
  store.clock = snapshot.now - pageTime();
  store.tasks.clear();
  for (const one of snapshot.tasks) {
    learn(one.phrases);
    store.tasks.set(one.id, one);
  }
  const busy = busyTask();
  if (!store.tasks.has(store.shown) || (busy && !keepsPlan(busy))) store.shown = busy?.id ?? snapshot.tasks.at(-1)?.id ?? null;
  for (const name of ["nodes", "interrupted", "question", "world"]) store[name] = snapshot[name];
  store.readySince = performance.now();
}

// Whoever reads a plan keeps it, whatever is written elsewhere; what moves the robot is shown to all.
function keepsPlan(now) {
  const shown = task();
  return Boolean(shown?.approvable) && shown.id !== now.id && now.window !== WINDOW && !IN_RUN.includes(now.phase);
}

// The plan that somebody reads in another window.
export const planElsewhere = () => allTasks().findLast((one) => one.approvable && one.window !== WINDOW);

// Whether what moves the robot has just come up: Approve, or Go on where Pause was.
export const cameUp = (before, now) => (now.approvable && !before?.approvable) || (now.phase === "paused" && before?.phase !== "paused");

// Gives the task as it was and as it is now.
export function takeTask(told) {
  learn(told.phrases);
  const before = store.tasks.get(told.id);
  const now = before ? merged(before, told) : told;
  store.tasks.set(now.id, now);
  if ((!before || now.busy) && !keepsPlan(now)) store.shown = now.id;
  if (cameUp(before, now)) store.readySince = performance.now();
  return [before, now];
}

// A task with what has changed of it: whole fields, and what was added to the three that grow.
function merged(before, { source_more: text, calls_more: calls, printed_more: lines, ...fields }) {
  const now = { ...before, ...fields };
  const anew = before.run_started !== now.run_started;
  if (text) now.source += text;
  if (calls) {
    const known = new Map((anew ? [] : now.calls).map((call) => [call.index, call]));
    for (const call of calls) known.set(call.index, call);
    now.calls = [...known.values()].slice(-KEPT);
  }
  if (lines) now.printed = [...(anew ? [] : now.printed), ...lines].slice(-KEPT);
  return now;
}
