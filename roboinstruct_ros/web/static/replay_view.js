// A recorded run over the page: its own page in a frame that reaches nothing; Stop stays where it is.

import { API } from "./connection.js";
import { coverMain } from "./cover.js";
import { byId } from "./dom.js";

export function showReplay(name) {
  byId("replay-frame").src = `${API}/runs/${encodeURIComponent(name)}/replay`;
  byId("replay").hidden = false;
  coverMain();
  byId("replay-close").focus();
}

function close() {
  byId("replay").hidden = true;
  byId("replay-frame").src = "about:blank";
  coverMain();
}

export function armReplay(pressStop) {
  byId("replay-close").addEventListener("click", close);
  // A frame keeps its keys to itself; Escape is Stop there too.
  addEventListener("message", ({ source, data }) => {
    if (source === byId("replay-frame").contentWindow && data === "Escape") pressStop();
  });
}
