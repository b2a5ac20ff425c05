// The engineer's page: shows one part at a time, and keeps the one that is shown fresh.

import { byId } from "../dom.js";
import { armSettings } from "../settings.js";
import { armStop } from "../stop.js";
import { showEvents } from "./events_view.js";
import { showGenerations } from "./generation_view.js";
import { armMap, showMap } from "./map_editor.js";
import { showNodes } from "./nodes_view.js";
import { armPolicies, showPolicies } from "./policies_view.js";
import { armChooser, showPrograms } from "./verdict_view.js";

const PERIOD_MS = 1000;
// What is loaded when a part is opened, and then each second where it changes by itself.
const PARTS = {
  program: { open: showPrograms },
  generation: { open: showGenerations, live: true },
  events: { open: showEvents, live: true },
  nodes: { open: showNodes, live: true },
  policies: { open: () => { showPrograms(); showPolicies(); } },
  "map-editor": { open: showMap },
};
const WITH_PROGRAM = ["program", "policies"];

let shown = null;

function show() {
  const asked = location.hash.slice(1);
  shown = asked in PARTS ? asked : "program";
  for (const name of Object.keys(PARTS)) byId(name).hidden = name !== shown;
  byId("chooser").hidden = !WITH_PROGRAM.includes(shown);
  for (const link of byId("parts").children) {
    if (link.getAttribute("href") === `#${shown}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  PARTS[shown].open();
}

setInterval(() => {
  if (PARTS[shown].live && !document.hidden) PARTS[shown].open();
}, PERIOD_MS);
addEventListener("hashchange", show);
armSettings();
armStop(() => Date.now() / 1000);
armChooser();
armPolicies();
armMap();
show();
