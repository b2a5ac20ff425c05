// The kiosk's page: takes what the server says, keeps it, draws it; sends what people do.

import { armAnswer, drawAnswer } from "./answer_view.js";
import { Events, request } from "./connection.js";
import { byId, make, whenChanged } from "./dom.js";
import { armKept, drawKept, suggested } from "./kept_view.js";
import { drawHistory, drawRun } from "./logs_view.js";
import { Glide, MapView } from "./map_view.js";
import { banner, toast } from "./notices.js";
import { armFold, drawAssumptions, drawCode, drawNotes, drawPlan, drawTries, drawVerdict } from "./program_view.js";
import { drawAsking, drawRounds } from "./rounds_view.js";
import { armStop } from "./stop.js";
import { armDiff, drawDiff, drawVersions } from "./versions_view.js";
import { errorLine, LOST, NODES, PHASES, seconds } from "./words.js";

const AGAIN = ["succeeded", "failed", "cancelled", "discarded"];
const KEPT = 200; // calls, and lines of output; the server keeps no more either
// A finger that is still on its way from the last button must not approve what just came up.
const APPROVE_AFTER_MS = 500;

const tasks = new Map();
let shown = null; // id of the task on screen
let nodes = {};
let interrupted = [];
let examples = [];
let kept = []; // tasks of the library
let connected = false;
let clock = 0; // server time minus page time, s
let readySince = 0;
let submitting = false;

const pageTime = () => (performance.timeOrigin + performance.now()) / 1000;
const serverTime = () => pageTime() + clock;
const task = () => tasks.get(shown) ?? null;
const busyTask = () => [...tasks.values()].find((t) => t.busy);

const map = new MapView();
let here = null; // pose of the robot; it may be known before the rooms are, and then not change
const glide = new Glide((pose, moving) => {
  map.setRobot(pose.x, pose.y, pose.yaw, moving);
  here = pose;
  showPlace(map.roomAt(here.x, here.y));
});
const showPlace = whenChanged((room) => (byId("where").textContent = room ? `Robot: ${room}` : ""));

new Events(take, (up, slow) => {
  connected = up;
  if (up) showRooms();
  if (up) showKept();
  if (slow) toast("This page did not keep up and was closed; it begins anew.", "bad");
  banner("connection", up ? "" : "The connection to the kiosk is lost. Trying again… If the robot has to stop now, use its own stop button.");
  draw();
});
armStop(serverTime);

let world = null;

const setRooms = whenChanged((rooms) => {
  map.setRooms(rooms);
  document.title = `roboinstruct · ${rooms.name}`;
  byId("map-title").textContent = rooms.name ? `Map of ${rooms.name}` : "Map";
  examples = rooms.examples;
  byId("words").placeholder = examples[0];
  suggest();
  if (world) map.setWorld(world);
  if (here) {
    map.setRobot(here.x, here.y, here.yaw, false);
    showPlace(map.roomAt(here.x, here.y));
  }
  draw();
});

// Tasks that can be done on this very map, or were asked for before.
const suggest = () => drawSuggested(suggested(byId("words").value.trim(), examples, kept));
const drawSuggested = whenChanged((texts) => byId("examples").replaceChildren(...texts.map((text) => make("button", {
  type: "button",
  onclick: () => { byId("words").value = text; showFault("ask", ""); byId("words").focus(); },
}, text))));

// Somebody may have changed the map since it was drawn; its file is read for every task.
function showRooms() {
  request("GET", "/api/map").then(setRooms)
    .catch((error) => toast(errorLine(error.name, error.message), "bad"));
}

function showKept() {
  request("GET", "/api/library").then((tasks) => { kept = tasks; suggest(); draw(); })
    .catch((error) => toast(errorLine(error.name, error.message), "bad"));
}

function take(message) {
  switch (message.type) {
    case "snapshot": return takeSnapshot(message);
    case "task": return takeTask(message.task);
    case "forgotten": tasks.delete(message.id); break;
    case "event": return takeEvent(message);
    case "pose": return glide.to(message);
    case "world": world = message.world; return map.setWorld(world);
    case "question": return drawQuestion(message.question);
    case "speech": return takeSpeech(message.text);
    case "nodes": nodes = message.nodes; break;
    case "interrupted": interrupted = message.runs; break;
    case "stopped":
      if (!message.was_running) toast("Stop sent. Nothing was running.");
      break;
  }
  draw();
}

function takeSnapshot(snapshot) {
  clock = snapshot.now - pageTime();
  tasks.clear();
  for (const one of snapshot.tasks) tasks.set(one.id, one);
  if (!tasks.has(shown)) shown = busyTask()?.id ?? snapshot.tasks.at(-1)?.id ?? null;
  nodes = snapshot.nodes;
  interrupted = snapshot.interrupted;
  world = snapshot.world;
  map.setWorld(world);
  if (snapshot.pose) glide.to(snapshot.pose);
  drawQuestion(snapshot.question);
  awaitFinger();
  draw();
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

function awaitFinger() {
  readySince = performance.now();
  setTimeout(draw, APPROVE_AFTER_MS + 20);
}

function takeTask(told) {
  const before = tasks.get(told.id);
  const changed = before ? merged(before, told) : told;
  tasks.set(changed.id, changed);
  if (!before) showRooms();
  if (!before || changed.busy) shown = changed.id;
  if (changed.approvable && !before?.approvable) awaitFinger();
  if (changed.phase === "running" && before?.phase !== "running") map.clearTrail();
  if (changed.ended && before && before.phase !== changed.phase) announceEnd(changed);
  if (changed.version !== before?.version || changed.phase === "succeeded") showKept();
  draw();
}

function announceEnd({ phase, error, text }) {
  if (phase === "succeeded") toast(`Done: ${text}`, "good");
  else if (error && phase === "failed") toast(errorLine(error.error_name, error.message), "bad");
}

function takeEvent({ kind, task_id: id, data }) {
  if (kind === "error" && !id) toast(errorLine("", data.error_msg), "bad");
  else if (kind === "warning") toast(errorLine("", data.message), "bad");
}

function takeSpeech(text) {
  map.say(text);
  const log = byId("speech");
  log.append(make("p", {}, `The robot says: ${text}`));
  while (log.children.length > 20) log.firstChild.remove();
}

// Drawing

function draw() {
  const now = task();
  document.body.dataset.phase = now?.phase ?? "none";
  document.body.classList.toggle("writing", now?.phase === "writing");
  document.body.classList.toggle("planned", Boolean(now?.steps.length) && now.phase !== "writing" && !now.verdict?.violations.length);
  const violations = now?.phase === "writing" ? [] : now?.verdict?.violations ?? [];
  drawCode(now?.source || (now && !now.here ? "# written elsewhere; only the plan is known here" : ""), now?.line ?? 0, violations, now?.phase === "writing");
  drawVerdict(now?.phase === "writing" ? null : now?.verdict ?? null, now?.sha256 ?? "");
  drawDiff(now);
  drawVersions([...tasks.values()], now, (id) => { shown = id; draw(); });
  drawTries(now?.rejected ?? [], now?.phase ?? "none");
  drawPlan(now?.steps ?? [], now?.line ?? 0, now?.phase ?? "none");
  drawAssumptions(now?.verdict ?? null, now?.phase ?? "none");
  byId("confidence").textContent = now?.steps.length && now.phase !== "writing" ? now.confidence : "";
  drawNotes(now?.notes ?? [], now?.phase ?? "none", now?.ahead ?? "");
  drawRounds(roundsOf(now));
  drawAsking(now?.phase === "asking" && now.here, now?.answer?.words ?? "");
  drawAnswer(now?.phase === "answered" ? now.answer : null, now?.answerable ?? false, connected && !busyTask());
  drawRun(now?.calls ?? [], now?.calls_before ?? 0, now?.printed ?? [], now?.error ?? null, now?.phase ?? "none");
  drawHistory([...tasks.values()], shown, (id) => { shown = id; draw(); });
  drawKept(kept, [...tasks.values()].map((one) => one.task || one.id), connected && !busyTask());
  drawStatus(now?.phase ?? "none", now?.duration ?? 0);
  drawProgress(now);
  drawNodes(nodes, connected);
  drawInterrupted(interrupted, Boolean(busyTask()) || task()?.resumes === true);
  drawControls(now);
  const going = now?.calls.at(-1);
  map.setTask(now?.source ?? "", now?.phase === "running" && going?.skill === "go_to" && !going.ended ? going.arguments[0] : undefined);
}

const NO_ROUNDS = { round: 1, text: "", now: "", left: "", found: [], approved_by: "", earlier: [], phase: "none" };
const roundsOf = (now) => (now ? Object.fromEntries(Object.keys(NO_ROUNDS).map((key) => [key, now[key]])) : NO_ROUNDS);

const drawStatus = whenChanged((phase, duration) => {
  const [words, tone] = PHASES[phase] ?? ["", ""];
  byId("status").textContent = duration ? `${words} in ${seconds(duration)}`.replace(/^(Failed|Stopped) in/, "$1 after") : words;
  byId("status").dataset.tone = tone;
});

function drawProgress(now) {
  const writing = now?.phase === "writing";
  byId("progress").hidden = !writing;
  if (!writing) return;
  const elapsed = Math.max(0, serverTime() - (now.began || now.created));
  const which = now.attempt > 1 ? `attempt ${now.attempt} · ` : now.draft > 1 ? `draft ${now.draft} · ` : "";
  const speed = now.tokens ? `${now.tokens} tokens · ` : "waiting for the model · ";
  byId("progress-text").textContent = `${which}${speed}${elapsed.toFixed(1)} s`;
}
setInterval(() => drawProgress(task()), 100);

const drawNodes = whenChanged((states, up) => {
  const list = Object.entries(states).map(([name, state]) => {
    const shownState = up ? state : "waiting";
    const words = { up: "ready", lost: "lost", waiting: "not there yet" }[shownState];
    return make("li", { "data-state": shownState, title: `${name}: ${words}` }, NODES[name] ?? name, make("span", { class: "unseen" }, `: ${words}`));
  });
  byId("nodes").replaceChildren(...list);
  for (const [name, state] of Object.entries(states)) banner(name, up && state === "lost" ? LOST[name] ?? `${name} is lost.` : "");
});

// The task that a follow-up changes: the one on screen, or, where that has no program, what it was to change.
function toChange(now) {
  while (now && !now.changeable) now = tasks.get(now.follows);
  return now;
}

function drawControls(now) {
  const busy = busyTask();
  byId("write").disabled = submitting || !connected || Boolean(busy);
  const settled = performance.now() - readySince >= APPROVE_AFTER_MS;
  byId("approve").disabled = !connected || !now?.approvable || !settled || Boolean(busy);
  byId("change").hidden = !toChange(now);
  byId("change-write").disabled = submitting || !connected || Boolean(busy);
  const cancel = ["writing", "running", "paused"].includes(now?.phase);
  const paused = now?.phase === "paused";
  byId("pause").hidden = !paused && now?.phase !== "running";
  byId("pause").textContent = paused ? "Go on" : "Pause";
  byId("pause").disabled = !connected;
  byId("again").hidden = !AGAIN.includes(now?.phase) || !now.version;
  byId("again").disabled = !connected || Boolean(busy);
  byId("approve").hidden = !byId("again").hidden;
  byId("discard").hidden = !byId("again").hidden;
  byId("discard").textContent = cancel ? "Cancel" : "Discard";
  byId("discard").disabled = !connected || !["writing", "asking", "ready", "answered", "rejected", "running", "paused"].includes(now?.phase);
}

// The latest only: one thing at a time.
const drawInterrupted = whenChanged((runs, busy) => {
  const run = runs.at(-1);
  byId("interrupted").hidden = !run || busy;
  if (!run) return;
  const begun = run.in_flight ? `, in the middle of ${run.in_flight}` : "";
  byId("interrupted-text").textContent = `“${run.text}” after ${run.calls} ${run.calls === 1 ? "step" : "steps"}${begun}.`;
  const choose = (what) => () => act(() => request("POST", `/api/interrupted/${encodeURIComponent(run.task_id)}/${what}`));
  byId("interrupted-choices").replaceChildren(
    make("button", { type: "button", onclick: choose("resume") }, "Show it, to go on"),
    make("button", { type: "button", onclick: choose("forget") }, "Forget it"));
});

const drawQuestion = whenChanged((question) => {
  const live = Boolean(question?.text && question.live);
  if (question?.text && !question.live) map.say(question.text);
  byId("question").hidden = !live;
  document.body.classList.toggle("asking", live);
  if (!live) return;
  byId("question-who").textContent = question.person ? `The robot asks ${question.person}` : "The robot asks";
  byId("question-text").textContent = question.text;
  byId("question-options").replaceChildren(...question.options.map((option) =>
    make("button", { type: "button", onclick: () => act(() => request("POST", "/api/answer", { question: question.text, answer: option })) }, option)));
  byId("question").scrollIntoView({ block: "nearest" });
});

// What people do

async function act(work) {
  try {
    return await work();
  } catch (error) {
    toast(errorLine(error.name, error.message), "bad");
    return null;
  }
}

function showFault(box, text) {
  byId(`${box}-error`).textContent = text;
  byId(`${box}-error`).hidden = !text;
  byId(box === "ask" ? "words" : "change-words").setAttribute("aria-invalid", text ? "true" : "false");
}

// Has a program written; that moves nothing. Gives whether it was begun.
async function submit(box, path, text) {
  if (submitting) return false;
  if (busyTask()) {
    showFault(box, errorLine("BUSY", "wait for the end of the task, or press Stop"));
    return false;
  }
  submitting = true;
  showFault(box, "");
  draw();
  let begun = false;
  try {
    const made = await request("POST", path, { text });
    if (!tasks.has(made.id)) takeTask(made);
    shown = made.id;
    begun = true;
  } catch (error) {
    showFault(box, errorLine(error.name, error.message));
  }
  submitting = false;
  draw();
  return begun;
}

const ask = () => submit("ask", "/api/tasks", byId("words").value);

byId("ask").noValidate = true;
byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
byId("words").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  ask();
});
byId("words").addEventListener("input", () => { showFault("ask", ""); suggest(); });
byId("change").addEventListener("submit", async (event) => {
  event.preventDefault();
  const now = toChange(task());
  if (now && await submit("change", `/api/tasks/${now.id}/follow`, byId("change-words").value)) byId("change-words").value = "";
});
byId("change-words").addEventListener("input", () => showFault("change", ""));
// A name of the map goes where the words are written.
map.svg.addEventListener("click", (event) => {
  const name = map.named(event);
  if (!name) return;
  const box = byId("words");
  const glued = /\S$/.test(box.value.slice(0, box.selectionStart));
  box.setRangeText(`${glued ? " " : ""}${name}`, box.selectionStart, box.selectionEnd, "end");
  box.dispatchEvent(new Event("input"));
});
// What was typed outlives a reload of the page.
for (const box of ["words", "change-words"]) {
  byId(box).value = sessionStorage.getItem(box) ?? "";
  addEventListener("pagehide", () => sessionStorage.setItem(box, byId(box).value));
}
armFold();
armDiff(() => draw());
armAnswer((choice) => submit("ask", `/api/tasks/${task().id}/answer`, choice));
byId("say").noValidate = true;
byId("say").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await request("POST", `/api/tasks/${task().id}/answer`, { text: byId("say-words").value });
  } catch (error) {
    byId("say-error").textContent = errorLine(error.name, error.message);
    byId("say-error").hidden = false;
  }
});
const again = (name) => act(() => request("POST", `/api/library/${name}/again`));
armKept(again);
byId("again").addEventListener("click", () => again(`${task().task || task().id}/${task().version}`));
byId("approve").addEventListener("click", () => {
  const { id, sha256 } = task();
  act(() => request("POST", `/api/tasks/${id}/approve`, { sha256 }));
});
byId("pause").addEventListener("click", () => {
  const paused = task()?.phase !== "paused";
  act(() => request("POST", "/api/pause", { paused }));
});

byId("discard").addEventListener("click", () => {
  const { id, phase } = task();
  act(() => request("POST", `/api/tasks/${id}/${phase === "writing" || phase === "running" ? "cancel" : "discard"}`));
});
draw();
