// What lies over the page takes the keys and the fingers from what is below; Stop stays where it is.

import { byId } from "./dom.js";
import { fieldInUse } from "./typing.js";

export function coverMain() {
  const covered = document.querySelector(".cover:not([hidden])") !== null;
  // The landmark itself stays, and so does who types: what is written there is not lost.
  for (const part of byId("main").children) part.inert = covered && !part.contains(fieldInUse() ?? document);
}
