// Stop: the one control that always works, by pointer, by Escape, by Space where nobody types.

import { byId } from "./dom.js";
import { request } from "./connection.js";
import { toast } from "./notices.js";

const SHOWN_MS = 600;
const ANSWER_MS = 1000; // a socket that does not answer in this time is not believed
const RETRY_MS = 1000;

// A socket for Stop alone: a browser lets a seventh request wait, but not a message on an open socket.
class StopSocket {
  #socket = null;
  #unanswered = null;

  constructor() {
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
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.#socket = new WebSocket(`${scheme}://${location.host}/api/stop`);
    this.#socket.onmessage = () => {
      clearTimeout(this.#unanswered);
      this.#unanswered = null;
    };
    this.#socket.onclose = () => setTimeout(() => this.#open(), RETRY_MS);
  }
}

// When a button is really pressed the pointer goes down; waiting for `click` would add the time
// until the finger leaves the glass. A keyboard or a screen reader gives only `click`.
export function armStop(pressedTime) {
  const button = byId("stop");
  const socket = new StopSocket();
  const ask = () => request("POST", "/api/stop").catch((error) => toast(`Stop did not get through: ${error.message}`, "bad"));
  let byPointer = 0;
  const press = () => {
    if (!socket.send({ pressed: pressedTime() }, ask)) ask();
    button.classList.add("sent");
    setTimeout(() => button.classList.remove("sent"), SHOWN_MS);
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
    if (event.repeat || !(event.key === "Escape" || (event.key === " " && idle))) return;
    event.preventDefault();
    press();
  }, true);
}
