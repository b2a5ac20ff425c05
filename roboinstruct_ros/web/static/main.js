// The kiosk's page: takes what the server says, has it drawn; sends what people do.

import { armAnswer, drawAnswer, saidOf } from "./answer_view.js";
import { Events, request } from "./connection.js";
import { drawAuthor, takeControl } from "./control_view.js";
import { whenUncovered } from "./cover.js";
import { byId, make, whenChanged } from "./dom.js";
import { armKept, drawKept, drawRuns, openedRow, suggested } from "./kept_view.js";
import { drawHistory, drawRun } from "./logs_view.js";
import { Glide, MapView } from "./map_view.js";
import { said as words, t } from "./messages.js";
import { banner, fault, tellAloud, toast, toastError } from "./notices.js";
import { armFold, drawCode, drawNotes, drawPlan, drawTries, drawVerdict } from "./program_view.js";
import { armQuestion, drawQuestion } from "./question_view.js";
import { armReplay, showReplay } from "./replay_view.js";
import { drawAsking, drawRounds, roundsOf } from "./rounds_view.js";
import { armSchedule, drawLater, openWhenReady, takeSchedule } from "./schedule_view.js";
import { armSettings } from "./settings.js";
import { drawRunTime } from "./run_time.js";
import { drawControls, drawNodes, drawProgress, drawStatus } from "./state_view.js";
import { armStop } from "./stop.js";
import { Story } from "./story_view.js";
import { allTasks, AFTER_MS, busyTask, cameUp, IN_RUN, inRun, planElsewhere, serverTime, store, takeSnapshot, takeTask, task, toChange, wholeWords } from "./store.js";
import { armTalk, drawTalk, takeTalk } from "./talk_view.js";
import { armDiff, drawDiff, drawVersions } from "./versions_view.js";
import { hideWaiting, showWaiting } from "./waiting_view.js";
import { errorLine, learn } from "./words.js";
import { fitWords } from "./words_box.js";

const map = new MapView();
const story = new Story(map);
let here = null; // pose of the robot; it may be known before the rooms are, and then not change
const glide = new Glide((pose, moving) => {
  map.setRobot(pose.x, pose.y, pose.yaw, moving);
  here = pose;
  showPlace(map.roomAt(here.x, here.y));
});
const showPlace = whenChanged((room) => (byId("where").textContent = room ? t("map.where", { room }) : ""));

const stop = armStop(serverTime, inRun);
new Events(take, (up, slow) => {
  store.connected = up;
  if (up) showRooms();
  if (up) showKept();
  if (slow) toast(t("connection.slow"), "bad");
  banner("connection", up ? "" : t("connection.lost"));
  draw();
});

const setRooms = whenChanged((rooms) => {
  map.setRooms(rooms);
  document.title = `roboinstruct · ${rooms.name}`;
  byId("map-title").textContent = rooms.name ? t("map.of", { name: rooms.name }) : t("map.title");
  store.rooms = rooms.rooms;
  suggest();
  if (store.world) map.setWorld(store.world);
  if (here) {
    map.setRobot(here.x, here.y, here.yaw, false);
    showPlace(map.roomAt(here.x, here.y));
  }
  draw();
});

// They were proven on this very map.
function setExamples(examples) {
  store.examples = examples;
  byId("words").placeholder = examples[0] ?? "";
  suggest();
}

const mapNames = () => [...store.rooms, ...(store.world?.people ?? []), ...(store.world?.objects ?? [])].map((one) => one.name);
// Tasks that can be done here, or were asked for before.
const suggest = () => drawSuggested(suggested(byId("words").value.trim(), store.examples, store.kept, mapNames()));
const drawSuggested = whenChanged((texts) => byId("examples").replaceChildren(...texts.map((text) => make("button", {
  type: "button", lang: "en",
  onclick: () => { byId("words").value = text; showFault("ask", ""); byId("words").focus(); },
}, text))));

// Somebody may have changed the map since it was drawn; its file is read for every task.
function showRooms() {
  request("GET", "/map").then(setRooms).catch(toastError);
}

function showKept() {
  request("GET", "/library").then((tasks) => { store.kept = tasks; suggest(); draw(); }).catch(toastError);
  const words = byId("search").value;
  for (const what of ["runs", "attempts"]) {
    request("GET", `/${what}?words=${encodeURIComponent(words)}`).then((found) => {
      if (byId("search").value !== words) return; // a later answer is awaited
      store[what] = found;
      draw();
    }).catch(toastError);
  }
}

// What the server says

function take(message) {
  takeControl(message);
  takeSchedule(message);
  takeTalk(message);
  switch (message.type) {
    case "pose": return glide.to(message);
    case "world": store.world = message.world; return map.setWorld(message.world);
    case "event": return takeEvent(message);
    case "speech": return takeSpeech(message.text);
    case "snapshot": takeSnapshot(message); followSnapshot(message); break;
    case "task": followTask(...takeTask(message.task)); break;
    case "examples": setExamples(message.examples); break;
    case "forgotten": store.tasks.delete(message.id); settleFaults(); break;
    case "question": store.question = message.question; break;
    case "nodes": store.nodes = message.nodes; break;
    case "interrupted": store.interrupted = message.runs; break;
    case "stopped":
      stop.hear(inRun(), message.was_running);
      break;
  }
  draw();
}

let approving = ""; // the task whose approval is on its way, until the page has heard of it

// What has just come up can be pressed a little later.
const awaitFinger = () => setTimeout(draw, AFTER_MS + 20);

function followSnapshot(snapshot) {
  setExamples(snapshot.examples);
  map.setWorld(store.world);
  if (snapshot.pose) glide.to(snapshot.pose);
  awaitFinger();
  approving = "";
  settleFaults();
  stop.reconnect(inRun());
}

function followTask(before, now) {
  if (!before) showRooms();
  if (!now.approvable && approving === now.id) approving = "";
  if (cameUp(before, now)) awaitFinger();
  if (now.approvable && !before?.approvable) leadToPlan(now);
  if (now.phase === "running" && before?.phase !== "running") map.clearTrail();
  settleFaults();
  if (now.ended && before && before.phase !== now.phase) announceEnd(now);
  if (now.phase === "rejected" || now.phase === "answered" || now.version !== before?.version || (now.ended && before?.phase !== now.phase)) showKept();
  stop.settle(inRun());
}

// Whoever waits in the box of the words goes on at the plan, one tab from Approve; whoever types there stays.
function leadToPlan({ text }) {
  const box = document.activeElement;
  const waits = box === byId("words") ? box.value.trim() === text : box === byId("change-words") && !box.value;
  if (waits) byId("plan-scroll").focus({ preventScroll: true });
}

function announceEnd(now) {
  const { phase, error } = now;
  if (phase === "succeeded") toast(t("toast.done", { words: wholeWords(now) }), "good");
  else if (error && phase === "failed") toast(errorLine(error.error_name, error.message), "bad");
}

function takeEvent({ kind, task_id: id, data, phrase }) {
  const text = data.error_msg ?? data.message;
  learn({ [text]: phrase });
  if (kind === "warning" || (kind === "error" && !id)) toast(errorLine("", text), "bad");
}

function takeSpeech(text) {
  map.say(text);
  tellAloud(t("speech.says", { text }));
}

// Drawing

function draw() {
  const now = task();
  const phase = now?.phase ?? "none";
  const writing = phase === "writing";
  const free = store.connected && !busyTask();
  document.body.dataset.phase = phase;
  document.body.classList.toggle("planned", Boolean(now?.steps.length) && !now.verdict?.violations.length);
  drawCode(now?.source || (now && !now.here ? t("program.elsewhere") : ""), now?.line ?? 0, writing ? [] : now?.verdict?.violations ?? [], writing);
  drawVerdict(writing ? null : now?.verdict ?? null, now?.sha256 ?? "");
  drawDiff(now);
  drawVersions(allTasks(), now, look);
  drawTries(now?.rejected ?? [], phase);
  drawPlan(now?.steps ?? [], now?.line || now?.error?.line || 0, phase, now?.doubts ?? []);
  byId("confidence").textContent = now?.steps.length && !writing && !IN_RUN.includes(phase) ? words(now.confidence) : "";
  drawNotes(now?.doubts ?? [], phase, now?.ahead ?? "");
  drawRounds(roundsOf(now));
  drawAsking(phase === "asking" && now.here, now?.answer?.words ?? "");
  const said = saidOf(now, store.examples);
  if (!said?.story.length) story.close();
  drawAnswer(said, free);
  drawRun(now?.calls ?? [], now?.calls_before ?? 0, now?.printed ?? [], now?.error ?? null, phase);
  drawHistory(allTasks(), store.shown, look, store.kept, free, openedRow(), byId("search").value);
  drawKept(store.kept, allTasks().map((one) => one.task || one.id), free, byId("search").value);
  drawRuns(store.runs, store.attempts);
  drawLater(now);
  drawAuthor(now?.author ?? "", now?.window ?? "");
  drawStatus(phase, now?.duration ?? 0);
  drawRunTime();
  drawProgress(now);
  drawNodes(store.nodes, store.connected);
  drawInterrupted(store.interrupted, Boolean(busyTask()) || now?.resumes === true);
  drawControls(now);
  drawTalk(free);
  drawQuestion(store.question);
  const going = now?.calls.at(-1);
  fit();
  map.setTask(now?.source ?? "", phase === "running" && going?.skill === "go_to" && !going.ended ? going.arguments[0] : undefined);
  sayQuestion(store.question);
}

function fit() {
  const now = task();
  fitWords(document.body.classList.contains("planned"), byId("words").value, now?.steps, now?.doubts, now?.phase, innerWidth, innerHeight);
}

function look(id) {
  store.shown = id;
  draw();
}

// What somebody of the simulation is asked has no answer from here.
const sayQuestion = whenChanged((question) => {
  if (question?.text && !question.live) map.say(question.text);
});

// The latest only: one thing at a time.
const drawInterrupted = whenChanged((runs, busy) => {
  const run = runs.at(-1);
  byId("interrupted").hidden = !run || busy;
  if (!run) return;
  const where = { words: run.text, n: run.calls, call: run.in_flight };
  byId("interrupted-text").textContent = t(run.in_flight ? "interrupted.in_call" : "interrupted.after", where);
  const choose = (what) => () => act(() => request("POST", `/interrupted/${encodeURIComponent(run.task_id)}/${what}`));
  byId("interrupted-choices").replaceChildren(
    make("button", { type: "button", onclick: choose("resume") }, t("interrupted.show")),
    make("button", { type: "button", onclick: choose("forget") }, t("interrupted.forget")));
});

// What people do

// A paused task does not end by itself.
const busyLine = () => t("error.line", { title: t("error.BUSY"), text: t(busyTask()?.phase === "paused" ? "error.BUSY.paused" : "error.BUSY.text") });

async function act(work) {
  try {
    return await work();
  } catch (error) {
    if (error.name === "PLAN_WAITS") showPlanWaits("ask", error);
    else toast(error.name === "BUSY" ? busyLine() : errorLine(error.name, error.message), "bad");
    return null;
  }
}

function showPlanWaits(box, error) {
  showFault(box, errorLine(error.name, error.message), planElsewhere()?.id, "approvable");
  showWaiting(look);
}

function settleFaults() {
  for (const box of ["ask", "change"]) {
    const { task: id, during } = byId(`${box}-error`).dataset;
    if (id && !store.tasks.get(id)?.[during]) showFault(box, "");
    else if (id && during === "busy") byId(`${box}-error`).textContent = busyLine();
  }
}

// The fault goes when `task` is no longer `during` ("busy", "approvable").
function showFault(box, text, task = "", during = "") {
  const line = byId(`${box}-error`);
  line.textContent = text;
  Object.assign(line.dataset, { task, during });
  line.hidden = !text;
  hideWaiting();
  byId(box === "ask" ? "words" : "change-words").setAttribute("aria-invalid", text ? "true" : "false");
}

// Has a program written; that moves nothing. Gives whether it was begun.
async function submit(box, path, text) {
  if (store.submitting) return false;
  if (busyTask()) {
    showFault(box, busyLine(), busyTask().id, "busy");
    return false;
  }
  store.submitting = true;
  showFault(box, "");
  draw();
  let begun = false;
  try {
    const made = await request("POST", path, { text });
    if (!store.tasks.has(made.id)) followTask(...takeTask(made));
    store.shown = made.id;
    begun = true;
  } catch (error) {
    if (error.name === "PLAN_WAITS") showPlanWaits(box, error);
    else showFault(box, errorLine(error.name, error.message));
  }
  store.submitting = false;
  draw();
  return begun;
}

const ask = () => {
  byId("words").scrollTop = 0; // its beginning is what is read while it is done
  return submit("ask", "/tasks", byId("words").value);
};

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
byId("words").addEventListener("input", () => { showFault("ask", ""); suggest(); fit(); });
addEventListener("resize", fit);
byId("change").addEventListener("submit", async (event) => {
  event.preventDefault();
  const now = toChange(task());
  if (now && await submit("change", `/tasks/${now.id}/follow`, byId("change-words").value)) byId("change-words").value = "";
});
byId("change-words").addEventListener("input", () => showFault("change", ""));
function edit(words) {
  byId("words").value = words;
  byId("words").dispatchEvent(new Event("input"));
  byId("words").focus();
}
// Where the words are written.
function putWords(text) {
  const box = byId("words");
  const glued = /\S$/.test(box.value.slice(0, box.selectionStart));
  box.setRangeText(`${glued ? " " : ""}${text}`, box.selectionStart, box.selectionEnd, "end");
  box.dispatchEvent(new Event("input"));
}
armTalk(putWords);
// A name of the map goes there.
map.svg.addEventListener("click", (event) => {
  const name = map.named(event);
  if (!name) return;
  putWords(name);
});
// What was typed outlives a reload of the page.
for (const box of ["words", "change-words"]) {
  byId(box).value = sessionStorage.getItem(box) ?? "";
  addEventListener("pagehide", () => sessionStorage.setItem(box, byId(box).value));
}
// The second of two clicks on what has closed is not for Approve, which was below it.
whenUncovered(() => {
  store.readySince = performance.now();
  drawControls(task());
  awaitFinger();
});
armSettings();
armFold();
armQuestion((chosen) => act(() => request("POST", "/answer", chosen)));
armDiff(() => draw());
armAnswer({
  choose: (choice) => submit("ask", `/tasks/${task().id}/answer`, choice),
  write: (words, kind) => {
    if (kind === "follow") return submit("change", `/tasks/${toChange(task()).id}/follow`, words);
    if (kind === "edit") return edit(words);
    byId("words").value = words;
    return ask();
  },
  tell: (calls, end) => story.tell(calls, end),
});
byId("say").noValidate = true;
byId("say").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await request("POST", `/tasks/${task().id}/answer`, { text: byId("say-words").value });
  } catch (error) {
    fault("say-error", errorLine(error.name, error.message));
  }
});
const again = (name) => act(() => request("POST", `/library/${name}/again`));
armKept({
  again,
  replay: showReplay,
  redraw: () => draw(),
  mark: (id, favourite) => act(() => request("POST", `/library/${encodeURIComponent(id)}/favourite`, { favourite })).then(showKept),
  duplicate: edit,
  schedule: async (id) => openWhenReady((await again(id))?.id),
  forget: (id) => act(() => request("DELETE", `/library/${encodeURIComponent(id)}`)).finally(showKept),
});
armSchedule(task);
armReplay(() => stop.press());
byId("search").addEventListener("input", () => { showKept(); draw(); });
byId("import-choose").addEventListener("click", () => byId("import").click());
byId("import").addEventListener("change", async (event) => {
  const text = await event.target.files[0]?.text();
  event.target.value = "";
  let shared = null;
  try { shared = JSON.parse(text); } catch { toast(t("tasks.not_shared"), "bad"); }
  if (shared) act(() => request("POST", "/library", shared));
});
byId("again").addEventListener("click", () => again(`${task().task || task().id}/${task().version}`));
byId("approve").addEventListener("click", () => {
  const { id, sha256 } = task();
  if (approving === id) return; // the second of two clicks
  approving = id;
  act(() => request("POST", `/tasks/${id}/approve`, { sha256 }).catch((error) => {
    approving = "";
    throw error;
  }));
});
// No Enter starts motion, wherever the focus is; a finger, a mouse and Space do.
byId("approve").addEventListener("keydown", (event) => { if (event.key === "Enter") event.preventDefault(); });
byId("pause").addEventListener("click", () => {
  if (byId("pause").ariaDisabled === "true") return; // the second of two clicks on Pause
  const paused = task()?.phase !== "paused";
  act(() => request("POST", "/pause", { paused }));
});

byId("discard").addEventListener("click", () => {
  const { id, phase } = task();
  act(() => request("POST", `/tasks/${id}/${phase === "writing" || phase === "running" ? "cancel" : "discard"}`));
});
draw();
