// The talk button beside the input: while it is held the robot writes down what is said, to be read before it is sent.

import { request } from "./connection.js";
import { byId } from "./dom.js";
import { t } from "./messages.js";
import { toastError } from "./notices.js";

const HELD_MS = 50000; // the server lets go a little later
const WRITTEN_MS = 30000; // the longest that writing it down may take

let offered = false;
let held = false;
let waiting = null; // for the words of this page's own press
let sent = Promise.resolve(); // one after the other, or a short press would be let go before it began
let put = () => {};

export function armTalk(putWords) {
  put = putWords;
  const button = byId("talk");
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    press();
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) button.addEventListener(end, letGo);
  button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long touch
  button.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (!event.repeat) press();
  });
  button.addEventListener("keyup", letGo);
  // A screen reader only clicks: once to begin, once to end.
  button.addEventListener("click", (event) => event.detail === 0 && (held ? letGo() : press()));
  addEventListener("pagehide", letGo);
}

export function takeTalk(message) {
  if (message.type === "snapshot") offered = message.dictation;
  else if (message.type === "dictation") offered = message.offered;
  else if (message.type === "dictated" && waiting) {
    be(null, "");
    put(message.text);
    byId("words").focus();
  }
}

export function drawTalk(free) {
  const button = byId("talk");
  if (button.hidden === offered) button.hidden = !offered;
  if (!offered || !free) letGo();
  button.disabled = !free;
}

function press() {
  if (held || byId("talk").disabled) return;
  held = true;
  byId("talk").setAttribute("aria-pressed", "true");
  be(setTimeout(letGo, HELD_MS), t("talk.listening"));
  send(true);
}

function letGo() {
  if (!held) return;
  held = false;
  byId("talk").setAttribute("aria-pressed", "false");
  be(setTimeout(() => be(null, t("talk.nothing")), WRITTEN_MS), t("talk.writing"));
  send(false);
}

function send(down) {
  sent = sent.then(() => request("POST", "/talk", { down })).catch((error) => {
    be(null, "");
    toastError(error);
  });
}

function be(timer, words) {
  clearTimeout(waiting);
  waiting = timer;
  byId("talk-said").textContent = words;
}
