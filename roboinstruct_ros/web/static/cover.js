// What lies over the page takes the keys and the fingers from what is below; Stop stays where it is.

import { byId } from "./dom.js";
import { fieldInUse } from "./typing.js";

let covered = false;
let uncovered = () => {};
export const whenUncovered = (then) => { uncovered = then; };

export function coverMain() {
  const before = covered;
  covered = document.querySelector(".cover:not([hidden])") !== null;
  if (before && !covered) uncovered();
  // The landmark itself stays, and so does who types: what is written there is not lost.
  for (const part of byId("main").children) part.inert = covered && !part.contains(fieldInUse() ?? document);
}
