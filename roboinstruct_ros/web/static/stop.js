// Stop: the one control that always works, by pointer, by Escape, by Space where nobody types.

import { byId } from "./dom.js";
import { request } from "./connection.js";
import { toast } from "./notices.js";

const SHOWN_MS = 600;

// When a button is really pressed the pointer goes down; waiting for `click` would add the time
// until the finger leaves the glass. A keyboard or a screen reader gives only `click`.
export function armStop(send, pressedTime) {
  const button = byId("stop");
  let byPointer = 0;
  const press = () => {
    if (!send({ type: "stop", pressed: pressedTime() })) {
      request("POST", "/api/stop").catch((error) => toast(`Stop did not get through: ${error.message}`, "bad"));
    }
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
