// Stop: the one control that always works, by pointer, by Escape, by Space where nobody types or has just typed.

import { byId } from "./dom.js";
import { openSocket, request } from "./connection.js";
import { t } from "./messages.js";
import { toast } from "./notices.js";
import { typedWithin } from "./typing.js";
import { errorLine } from "./words.js";

const DONE_MS = 4000;
const SILENT_MS = 3000; // the robot answers in less
const ANSWER_MS = 1000; // a socket that does not answer in this time is not believed
const RETRY_MS = 1000;
const TYPED_MS = 1000; // a space that comes so soon after a letter belongs to a text

// A socket for Stop alone: a browser lets a seventh request wait, but not a message on an open socket.
class StopSocket {
  #socket = null;
  #unanswered = null;
  #answered;

  constructor(answered) {
    this.#answered = answered;
    this.#open();
  }

  // Gives whether the message went out; without an answer in time `otherwise` is called.
  send(message, otherwise) {
    if (this.#socket.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    this.#unanswered ??= setTimeout(() => {
      this.#unanswered = null;
      this.#socket.close();
      otherwise();
    }, ANSWER_MS);
    return true;
  }

  #open() {
    this.#socket = openSocket("/stop");
    this.#socket.onmessage = () => {
      clearTimeout(this.#unanswered);
      this.#unanswered = null;
      this.#answered();
    };
    this.#socket.onclose = () => setTimeout(() => this.#open(), RETRY_MS);
  }
}

// What the button says: that it was pressed, and that it is done only when the robot has said so.
class StopState {
  #state = "idle";
  #answered = false;
  #stopped = false; // a run: a press that is repeated is answered twice, and finds nothing the second time
  #timer = null;

  press(running) {
    this.#answered = false;
    this.#stopped = running;
    this.#be("sent", SILENT_MS, () => {
      toast(t("stop.unheard"), "bad");
      this.#be("silent");
    });
  }

  // The kiosk has sent a press on, and nothing more will be heard of it.
  pass() {
    toast(t("stop.unseen"));
    this.#be("passed", DONE_MS, () => this.#rest());
  }

  // The executor has answered a stop, of this page or another one.
  hear(running, wasRunning) {
    this.#answered = true;
    this.#stopped ||= wasRunning;
    if (!this.#stopped) toast(t("stop.nothing"));
    if (this.#state !== "done") this.#be("sent"); // without a limit: how far it is is told from now on
    this.settle(running);
  }

  // The page was cut off, and sees the robot again: the answer to a press may have been told meanwhile.
  reconnect(running) {
    this.#answered = true;
    this.settle(running);
  }

  settle(running) {
    const waits = this.#state === "sent" || this.#state === "silent";
    if (waits && this.#answered && !running) this.#be("done", DONE_MS, () => this.#rest());
    else if (this.#state === "done" && running) this.#rest();
  }

  #rest() {
    this.#stopped = false;
    this.#be("idle");
  }

  #be(state, limit = 0, then = null) {
    clearTimeout(this.#timer);
    this.#state = byId("stop").dataset.state = state;
    byId("stop-word").textContent = t(`stop.${state}`);
    if (then) this.#timer = setTimeout(then, limit);
  }
}

// When a button is really pressed the pointer goes down; waiting for `click` would add the time
// until the finger leaves the glass. A keyboard or a screen reader gives only `click`.
// Args: running, whether the robot is in a run; none on a page that does not hear of the robot.
export function armStop(pressedTime, running = null) {
  const button = byId("stop");
  const state = new StopState();
  const passed = () => running ?? state.pass();
  const socket = new StopSocket(passed);
  const ask = () => request("POST", "/stop").then(passed, (error) => toast(t("stop.failed", { text: errorLine(error.name, error.message) }), "bad"));
  let byPointer = 0;
  const press = () => {
    if (!socket.send({ pressed: pressedTime() }, ask)) ask();
    state.press(running?.());
  };
  button.addEventListener("pointerdown", (event) => {
    if (event.button === 0) {
      byPointer = event.timeStamp;
      press();
    }
  });
  button.addEventListener("click", (event) => {
    if (!byPointer || event.timeStamp - byPointer > 3000 || event.detail === 0) press();
    byPointer = 0;
  });
  document.addEventListener("keydown", (event) => {
    const idle = document.activeElement === document.body || document.activeElement === null;
    const space = event.key === " " && idle && !typedWithin(TYPED_MS);
    if (event.repeat || !(event.key === "Escape" || space)) return;
    event.preventDefault();
    press();
  }, true);
  return { press, hear: (...heard) => state.hear(...heard), settle: (inRun) => state.settle(inRun), reconnect: (inRun) => state.reconnect(inRun) };
}
