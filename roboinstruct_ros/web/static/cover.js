// What lies over the page takes the keys and the fingers from what is below; Stop stays where it is.

import { byId } from "./dom.js";

export function coverMain() {
  const covered = document.querySelector(".cover:not([hidden])") !== null;
  for (const part of byId("main").children) part.inert = covered; // the landmark itself stays
}
